"""Works on uncertain truths, raters, calibration and sets of labels, by their BibTeX keys."""

from __future__ import annotations

Work = tuple[str, str, dict[str, str]]
"""How it is named in a sentence, its kind and its fields as BibTeX has them."""
WORKS: dict[str, Work] = {
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
            "author": "Cabitza, Federico and Campagner, Andrea and Sconfienza, Luca Maria",
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
            "author": 'Lionetti, Simone and Gr{\\"o}ger, Fabian and Gottfrois, Philippe and '
            "Gonzalez-Jimenez, Alvaro and Amruthalingam, Ludovic and Navarini, Alexander A. and Pouly, Marc",
            "title": "Clinical Uncertainty Impacts Machine Learning Evaluations",
            "year": "2025",
            "eprint": "2509.22242",
            "archiveprefix": "arXiv",
        },
    ),
    "mimori2021": (
        "Mimori et al. 2021",
        "inproceedings",
        {
            "author": "Mimori, Takahiro and Sasada, Keiko and Matsui, Hirotaka and Sato, Issei",
            "title": "Diagnostic Uncertainty Calibration: Towards Reliable Machine Predictions in Medical "
            "Domain",
            "booktitle": "Proceedings of the 24th International Conference on Artificial Intelligence and "
            "Statistics",
            "series": "Proceedings of Machine Learning Research",
            "volume": "130",
            "pages": "3664--3672",
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
    "birnbaum1968": (
        "Birnbaum 1968",
        "incollection",
        {
            "author": "Birnbaum, Allan",
            "title": "Some latent trait models and their use in inferring an examinee's ability",
            "booktitle": "Statistical Theories of Mental Test Scores",
            "editor": "Lord, Frederic M. and Novick, Melvin R.",
            "publisher": "Addison-Wesley",
            "year": "1968",
        },
    ),
    "cohen1960": (
        "Cohen 1960",
        "article",
        {
            "author": "Cohen, Jacob",
            "title": "A coefficient of agreement for nominal scales",
            "journal": "Educational and Psychological Measurement",
            "volume": "20",
            "number": "1",
            "pages": "37--46",
            "year": "1960",
        },
    ),
    "fleiss1971": (
        "Fleiss 1971",
        "article",
        {
            "author": "Fleiss, Joseph L.",
            "title": "Measuring nominal scale agreement among many raters",
            "journal": "Psychological Bulletin",
            "volume": "76",
            "number": "5",
            "pages": "378--382",
            "year": "1971",
        },
    ),
    "krippendorff2011": (
        "Krippendorff 2011",
        "techreport",
        {
            "author": "Krippendorff, Klaus",
            "title": "Computing {Krippendorff}'s alpha-reliability",
            "institution": "University of Pennsylvania",
            "year": "2011",
        },
    ),
    "gwet2008": (
        "Gwet 2008",
        "article",
        {
            "author": "Gwet, Kilem Li",
            "title": "Computing inter-rater reliability and its variance in the presence of high agreement",
            "journal": "British Journal of Mathematical and Statistical Psychology",
            "volume": "61",
            "number": "1",
            "pages": "29--48",
            "year": "2008",
        },
    ),
    "guo2017": (
        "Guo et al. 2017",
        "inproceedings",
        {
            "author": "Guo, Chuan and Pleiss, Geoff and Sun, Yu and Weinberger, Kilian Q.",
            "title": "On calibration of modern neural networks",
            "booktitle": "Proceedings of the 34th International Conference on Machine Learning",
            "year": "2017",
        },
    ),
    "kull2019": (
        "Kull et al. 2019",
        "inproceedings",
        {
            "author": "Kull, Meelis and others",
            "title": "Beyond temperature scaling: obtaining well-calibrated multi-class probabilities with "
            "{Dirichlet} calibration",
            "booktitle": "Advances in Neural Information Processing Systems 32",
            "year": "2019",
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
