"""The works that methods come from, as BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable

_BEGIN = re.compile(r"^(?=@)", re.MULTILINE)
_ENTRIES = {
    "stutz2025": (
        "Stutz et al. 2025",
        "article",
        {
            "author": "Stutz, David and others",
            "title": "Evaluating medical {AI} systems in dermatology under uncertain ground truth",
            "journal": "Medical Image Analysis",
            "year": "2025",
            "eprint": "2307.02191",
            "archiveprefix": "arXiv",
        },
    ),
    "cabitza2020": (
        "Cabitza et al. 2020",
        "article",
        {
            "author": "Cabitza, Federico and others",
            "title": "As if sand were stone. New concepts and metrics to probe the ground on which to build "
            "trustable {AI}",
            "journal": "BMC Medical Informatics and Decision Making",
            "volume": "20",
            "pages": "219",
            "year": "2020",
        },
    ),
    "lionetti2025": (
        "Lionetti et al. 2025",
        "misc",
        {
            "author": "Lionetti, Simone and others",
            "title": "Clinical Uncertainty Impacts Machine Learning Evaluations",
            "year": "2025",
        },
    ),
    "mimori2021": (
        "Mimori et al. 2021",
        "inproceedings",
        {
            "author": "Mimori, Takahiro and others",
            "title": "Diagnostic Uncertainty Calibration: Towards Reliable Machine Predictions in Medical "
            "Domain",
            "booktitle": "Proceedings of the 24th International Conference on Artificial Intelligence and "
            "Statistics",
            "year": "2021",
        },
    ),
    "dawid1979": (
        "Dawid and Skene 1979",
        "article",
        {
            "author": "Dawid, A. P. and Skene, A. M.",
            "title": "Maximum likelihood estimation of observer error-rates using the {EM} algorithm",
            "journal": "Journal of the Royal Statistical Society, Series C (Applied Statistics)",
            "volume": "28",
            "number": "1",
            "pages": "20--28",
            "year": "1979",
        },
    ),
    "delong1988": (
        "DeLong et al. 1988",
        "article",
        {
            "author": "DeLong, Elizabeth R. and DeLong, David M. and Clarke-Pearson, Daniel L.",
            "title": "Comparing the areas under two or more correlated receiver operating characteristic "
            "curves: a nonparametric approach",
            "journal": "Biometrics",
            "volume": "44",
            "number": "3",
            "pages": "837--845",
            "year": "1988",
        },
    ),
    "gwet2014": (
        "Gwet 2014",
        "book",
        {
            "author": "Gwet, Kilem L.",
            "title": "Handbook of Inter-Rater Reliability",
            "edition": "4",
            "publisher": "Advanced Analytics",
            "year": "2014",
        },
    ),
    "whitehill2009": (
        "Whitehill et al. 2009",
        "inproceedings",
        {
            "author": "Whitehill, Jacob and others",
            "title": "Whose Vote Should Count More: Optimal Integration of Labels from Labelers of Unknown "
            "Expertise",
            "booktitle": "Advances in Neural Information Processing Systems 22",
            "year": "2009",
        },
    ),
    "holm1979": (
        "Holm 1979",
        "article",
        {
            "author": "Holm, Sture",
            "title": "A simple sequentially rejective multiple test procedure",
            "journal": "Scandinavian Journal of Statistics",
            "volume": "6",
            "number": "2",
            "pages": "65--70",
            "year": "1979",
        },
    ),
    "wilson1927": (
        "Wilson 1927",
        "article",
        {
            "author": "Wilson, Edwin B.",
            "title": "Probable inference, the law of succession, and statistical inference",
            "journal": "Journal of the American Statistical Association",
            "volume": "22",
            "number": "158",
            "pages": "209--212",
            "year": "1927",
        },
    ),
    "gallas2006": (
        "Gallas 2006",
        "article",
        {
            "author": "Gallas, Brandon D.",
            "title": "One-shot estimate of {MRMC} variance: {AUC}",
            "journal": "Academic Radiology",
            "volume": "13",
            "number": "3",
            "pages": "353--362",
            "year": "2006",
        },
    ),
    "obuchowski1995": (
        "Obuchowski and Rockette 1995",
        "article",
        {
            "author": "Obuchowski, Nancy A. and Rockette, Howard E.",
            "title": "Hypothesis testing of diagnostic accuracy for multiple readers and multiple tests: an "
            "{ANOVA} approach with dependent observations",
            "journal": "Communications in Statistics -- Simulation and Computation",
            "volume": "24",
            "number": "2",
            "pages": "285--308",
            "year": "1995",
        },
    ),
    "hillis2007": (
        "Hillis 2007",
        "article",
        {
            "author": "Hillis, Stephen L.",
            "title": "A comparison of denominator degrees of freedom methods for multiple observer {ROC} "
            "analysis",
            "journal": "Statistics in Medicine",
            "volume": "26",
            "number": "3",
            "pages": "596--619",
            "year": "2007",
        },
    ),
    "hillis2011": (
        "Hillis et al. 2011",
        "article",
        {
            "author": "Hillis, Stephen L. and Obuchowski, Nancy A. and Berbaum, Kevin S.",
            "title": "Power estimation for multireader {ROC} methods: an updated and unified approach",
            "journal": "Academic Radiology",
            "volume": "18",
            "number": "2",
            "pages": "129--142",
            "year": "2011",
        },
    ),
    "chen2012": (
        "Chen et al. 2012",
        "article",
        {
            "author": "Chen, Weijie and Petrick, Nicholas and Sahiner, Berkman",
            "title": "Hypothesis testing in noninferiority and equivalence {MRMC} {ROC} studies",
            "journal": "Academic Radiology",
            "volume": "19",
            "number": "9",
            "pages": "1158--1165",
            "year": "2012",
        },
    ),
    "rubin1987": (
        "Rubin 1987",
        "book",
        {
            "author": "Rubin, Donald B.",
            "title": "Multiple Imputation for Nonresponse in Surveys",
            "publisher": "Wiley",
            "year": "1987",
        },
    ),
    "barnard1999": (
        "Barnard and Rubin 1999",
        "article",
        {
            "author": "Barnard, John and Rubin, Donald B.",
            "title": "Small-sample degrees of freedom with multiple imputation",
            "journal": "Biometrika",
            "volume": "86",
            "number": "4",
            "pages": "948--955",
            "year": "1999",
        },
    ),
    "menon2015": (
        "Menon et al. 2015",
        "inproceedings",
        {
            "author": "Menon, Aditya Krishna and van Rooyen, Brendan and Ong, Cheng Soon and Williamson, "
            "Robert C.",
            "title": "Learning from corrupted binary labels via class-probability estimation",
            "booktitle": "International Conference on Machine Learning",
            "pages": "125--134",
            "year": "2015",
        },
    ),
    "stutz2023": (
        "Stutz et al. 2023",
        "article",
        {
            "author": "Stutz, David and others",
            "title": "Conformal prediction under ambiguous ground truth",
            "journal": "Transactions on Machine Learning Research",
            "year": "2023",
            "eprint": "2307.09302",
            "archiveprefix": "arXiv",
        },
    ),
    "sadinle2019": (
        "Sadinle et al. 2019",
        "article",
        {
            "author": "Sadinle, Mauricio and Lei, Jing and Wasserman, Larry",
            "title": "Least ambiguous set-valued classifiers with bounded error levels",
            "journal": "Journal of the American Statistical Association",
            "volume": "114",
            "number": "525",
            "pages": "223--234",
            "year": "2019",
        },
    ),
    "romano2020": (
        "Romano et al. 2020",
        "inproceedings",
        {
            "author": "Romano, Yaniv and Sesia, Matteo and Cand{\\`e}s, Emmanuel J.",
            "title": "Classification with valid and adaptive coverage",
            "booktitle": "Advances in Neural Information Processing Systems 33",
            "year": "2020",
        },
    ),
    "angelopoulos2021": (
        "Angelopoulos et al. 2021",
        "inproceedings",
        {
            "author": "Angelopoulos, Anastasios N. and Bates, Stephen and Jordan, Michael I. and Malik, "
            "Jitendra",
            "title": "Uncertainty sets for image classifiers using conformal prediction",
            "booktitle": "International Conference on Learning Representations",
            "year": "2021",
        },
    ),
}


def named(source: str) -> str:
    """How a work is named in a sentence, such as “Holm 1979”."""
    return _ENTRIES[source][0]


def bibtex(sources: Iterable[str]) -> str:
    """Write works as BibTeX, each once, in alphabetical order.

    Raises
    ------
    KeyError
        For a work that is not known.
    """
    return "\n".join(_entry(source) for source in sorted(set(sources)))


def _entry(source: str) -> str:
    _, kind, fields = _ENTRIES[source]
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
    return f"@{kind}{{{source},\n{lines}}}\n"


def is_bibtex(text: str) -> bool:
    """Whether a text is what `bibtex` writes."""
    return text.startswith("@")


def joined_bibtex(texts: Iterable[str]) -> str:
    """Join what `bibtex` wrote, each work once, in alphabetical order."""
    works = {entry.strip() for text in texts for entry in _BEGIN.split(text) if entry.strip()}
    return "\n\n".join(sorted(works, key=lambda entry: entry.split("{", 1)[-1]))
