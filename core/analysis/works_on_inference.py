"""Works on errors, intervals, tests and readers as samples, by their BibTeX keys."""

from __future__ import annotations

from core.analysis.works_on_labels import Work

WORKS: dict[str, Work] = {
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
    "vehtari2021": (
        "Vehtari et al. 2021",
        "article",
        {
            "author": "Vehtari, Aki and Gelman, Andrew and Simpson, Daniel and Carpenter, Bob and "
            'B{\\"u}rkner, Paul-Christian',
            "title": "Rank-normalization, folding, and localization: an improved {$\\widehat{R}$} for "
            "assessing convergence of {MCMC}",
            "journal": "Bayesian Analysis",
            "volume": "16",
            "number": "2",
            "pages": "667--718",
            "year": "2021",
        },
    ),
    "welch1947": (
        "Welch 1947",
        "article",
        {
            "author": "Welch, B. L.",
            "title": "The generalization of {`Student's'} problem when several different population "
            "variances are involved",
            "journal": "Biometrika",
            "volume": "34",
            "pages": "28--35",
            "year": "1947",
        },
    ),
    "korn1998": (
        "Korn and Graubard 1998",
        "article",
        {
            "author": "Korn, Edward L. and Graubard, Barry I.",
            "title": "Confidence intervals for proportions with small expected number of positive counts "
            "estimated from survey data",
            "journal": "Survey Methodology",
            "volume": "24",
            "pages": "193--201",
            "year": "1998",
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
}
