"""Every kind of bad input: its file, row and column, and a mend that helps."""

from __future__ import annotations

import pytest
from study_files import CHOICE, RANKING, SCORE, SCORE_TOML, TOML, problems, read, write

from core.study.problems import StudyError
from core.study.reading.folder import read_study
from core.study.reading.report import LISTED

TWO = TOML + '[tasks.main]\nkind = "choice"\npositive = "yes"\n'
SEVERAL = '[tasks.one]\nkind = "choice"\n[tasks.two]\nkind = "choice"\n'
PREDICTED = "case_id,model,label,probability\n"

CASES = {
    "no annotations": ({}, "annotations.csv", None, "", "no such file", "Add annotations.csv"),
    "misspelt file": ({"annotation.csv": CHOICE}, "annotations.csv", None, "", "no such file", "Rename"),
    "Excel file": ({"annotations.xlsx": b"PK\3\4"}, "annotations.csv", None, "", "no such file", "Save"),
    "both CSV and Parquet": (
        {"annotations.csv": CHOICE, "annotations.parquet": b"PAR1"},
        "annotations.parquet",
        None,
        "",
        "both",
        "Delete",
    ),
    "empty file": ({"annotations.csv": b""}, "annotations.csv", None, "", "empty", "Save"),
    "blank file": ({"annotations.csv": b"\n \n"}, "annotations.csv", None, "", "empty", "Save"),
    "only a header": (
        {"annotations.csv": "case_id,rater_id,label\n"},
        "annotations.csv",
        None,
        "",
        "no rows",
        "Add the rows",
    ),
    "a PNG image": ({"annotations.csv": b"\x89PNG\r\n"}, "annotations.csv", None, "", "PNG", "Save"),
    "an Excel workbook": ({"annotations.csv": b"PK\3\4aa"}, "annotations.csv", None, "", "Excel", "CSV"),
    "a zip as Parquet": (
        {"annotations.parquet": b"PK\3\4"},
        "annotations.parquet",
        None,
        "",
        "zip",
        "Parquet",
    ),
    "text as Parquet": ({"annotations.parquet": CHOICE}, "annotations.parquet", None, "", "not", "Parquet"),
    "damaged Parquet": (
        {"annotations.parquet": b"PAR1" + b"x" * 50 + b"PAR1"},
        "annotations.parquet",
        None,
        "",
        "damaged",
        "Write",
    ),
    "UTF-16": ({"annotations.csv": CHOICE.encode("utf-16")}, "annotations.csv", None, "", "UTF-16", "UTF-8"),
    "Latin-1": (
        {"annotations.csv": "case_id,rater_id,label\n1,a,x\n1,b,Nävus\n".encode("latin-1")},
        "annotations.csv",
        3,
        "",
        "UTF-8",
        "UTF-8",
    ),
    "NUL byte": (
        {"annotations.csv": b"case_id,rater_id,label\n1,a,x\0\n"},
        "annotations.csv",
        2,
        "",
        "NUL",
        "UTF-8",
    ),
    "semicolons": (
        {"annotations.csv": CHOICE.replace(",", ";")},
        "annotations.csv",
        1,
        "",
        "semicolons",
        "commas",
    ),
    "tabs": ({"annotations.csv": CHOICE.replace(",", "\t")}, "annotations.csv", 1, "", "tabs", "commas"),
    "ragged row": (
        {"annotations.csv": CHOICE + "3,a,x,y\n"},
        "annotations.csv",
        5,
        "",
        "expected 3 cells as in the header, got 4",
        "quotes",
    ),
    "open quote": (
        {"annotations.csv": CHOICE + '3,a,"x\n4,a,y\n'},
        "annotations.csv",
        5,
        "",
        "read",
        "quote",
    ),
    "same column twice": (
        {"annotations.csv": "case_id,rater_id,label,label\n1,a,x,y\n"},
        "annotations.csv",
        1,
        "label",
        "same name",
        "Rename",
    ),
    "column without a name": (
        {"annotations.csv": ",case_id,rater_id,label\n0,1,a,x\n"},
        "annotations.csv",
        1,
        "",
        "column 1 has no name",
        "index=False",
    ),
    "misspelt column": (
        {"annotations.csv": "case_id,rater,label\n1,a,x\n"},
        "annotations.csv",
        1,
        "rater_id",
        'no column "rater_id"',
        'Rename the column "rater"',
    ),
    "column in capitals": (
        {"annotations.csv": "Case_ID,rater_id,label\n1,a,x\n"},
        "annotations.csv",
        1,
        "case_id",
        "no column",
        'Rename the column "Case_ID"',
    ),
    "no label column": (
        {"annotations.csv": "case_id,rater_id\n1,a\n"},
        "annotations.csv",
        1,
        "label",
        "no column",
        "Add the column",
    ),
    "empty case id": (
        {"annotations.csv": CHOICE + " ,a,yes\n"},
        "annotations.csv",
        5,
        "case_id",
        "empty",
        "Fill",
    ),
    "empty rater id": (
        {"annotations.csv": CHOICE + "3,,yes\n"},
        "annotations.csv",
        5,
        "rater_id",
        "empty",
        "Fill",
    ),
    "empty label": (
        {"annotations.csv": CHOICE + "3,a,\n"},
        "annotations.csv",
        5,
        "label",
        "empty",
        "delete the row",
    ),
    "unknown label": (
        {"annotations.csv": CHOICE + "3,a,Yess\n", "labels.csv": "label\nyes\nno\n"},
        "annotations.csv",
        5,
        "label",
        'unknown label "Yess"',
        'Did you mean "yes"?',
    ),
    "label outside the list in study.toml": (
        {
            "study.toml": '[tasks.main]\nkind = "choice"\nlabels = ["yes", "no"]',
            "annotations.csv": CHOICE + "3,a,maybe\n",
        },
        "annotations.csv",
        5,
        "label",
        'unknown label "maybe"',
        "tasks.main.labels of study.toml",
    ),
    "rank in words": (
        {"annotations.csv": RANKING + "3,a,A,first\n"},
        "annotations.csv",
        7,
        "rank",
        'rank must be a whole number of 1 or more, got "first"',
        "1, 2, 3",
    ),
    "rank 0": ({"annotations.csv": RANKING + "3,a,A,0\n"}, "annotations.csv", 7, "rank", '"0"', "1, 2, 3"),
    "rank 1.5": (
        {"annotations.csv": RANKING + "3,a,A,1.5\n"},
        "annotations.csv",
        7,
        "rank",
        '"1.5"',
        "1, 2, 3",
    ),
    "rank missing": (
        {"annotations.csv": RANKING + "3,a,A,1\n3,a,B,\n"},
        "annotations.csv",
        8,
        "rank",
        "empty",
        "1, 2, 3",
    ),
    "no rank column": (
        {
            "study.toml": '[tasks.main]\nkind = "ranking"',
            "annotations.csv": "case_id,rater_id,label\n1,a,A\n1,a,B\n",
        },
        "annotations.csv",
        2,
        "rank",
        "1 readings name several labels",
        "Add it",
    ),
    "label twice in a differential": (
        {"annotations.csv": RANKING + "2,a,C,2\n"},
        "annotations.csv",
        7,
        "label",
        "twice in one differential (also in row 6)",
        "Delete",
    ),
    "two choices": (
        {"annotations.csv": CHOICE + "2,a,yes\n"},
        "annotations.csv",
        5,
        "label",
        "second choice",
        "repeat",
    ),
    "the same row twice": (
        {"annotations.csv": CHOICE + "2,a,no\n"},
        "annotations.csv",
        5,
        "label",
        "also in row 4",
        "Delete",
    ),
    "repeat in words": (
        {"annotations.csv": "case_id,rater_id,label,repeat\n1,a,x,again\n"},
        "annotations.csv",
        2,
        "repeat",
        "whole number",
        "Number the readings",
    ),
    "confidence in percent": (
        {"annotations.csv": "case_id,rater_id,label,confidence\n1,a,x,80\n"},
        "annotations.csv",
        2,
        "confidence",
        "[0, 1]",
        "Divide percentages by 100",
    ),
    "negative confidence": (
        {"annotations.csv": "case_id,rater_id,label,confidence\n1,a,x,-0.5\n"},
        "annotations.csv",
        2,
        "confidence",
        '"-0.5"',
        "from 0 to 1",
    ),
    "two confidences": (
        {"annotations.csv": "case_id,rater_id,label,rank,confidence\n1,a,x,1,0.5\n1,a,y,2,0.75\n"},
        "annotations.csv",
        3,
        "confidence",
        "0.75 and, in row 2, 0.5",
        "same confidence",
    ),
    "no threshold beside a model": (
        {"annotations.csv": SCORE, "predictions/m.csv": "case_id,x\n1,0.5\n"},
        "study.toml",
        None,
        "tasks.main.threshold",
        "threshold",
        "threshold = 0.5",
    ),
    "no threshold": (
        {"annotations.csv": SCORE},
        "study.toml",
        None,
        "tasks.main.threshold",
        "threshold",
        "threshold = 0.5",
    ),
    "score that is no number": (
        {"study.toml": SCORE_TOML, "annotations.csv": SCORE + "3,a,high\n"},
        "annotations.csv",
        5,
        "score",
        '"high"',
        "number",
    ),
    "infinite score": (
        {"study.toml": SCORE_TOML, "annotations.csv": SCORE + "3,a,inf\n"},
        "annotations.csv",
        5,
        "score",
        '"inf"',
        "number",
    ),
    "empty score": (
        {"study.toml": SCORE_TOML, "annotations.csv": SCORE + "3,a,\n"},
        "annotations.csv",
        5,
        "score",
        "empty",
        "Fill",
    ),
    "two scores": (
        {"study.toml": SCORE_TOML, "annotations.csv": SCORE + "1,a,0.5\n"},
        "annotations.csv",
        5,
        "score",
        "second score",
        "repeat",
    ),
    "unknown task": (
        {"study.toml": SEVERAL, "annotations.csv": "case_id,rater_id,label,task\n1,a,x,ones\n"},
        "annotations.csv",
        2,
        "task",
        'unknown task "ones"',
        'Did you mean "one"?',
    ),
    "no task column": (
        {"study.toml": SEVERAL, "annotations.csv": CHOICE},
        "annotations.csv",
        1,
        "task",
        "no column",
        "Add",
    ),
    "case missing in the case table": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id\n1\n"},
        "annotations.csv",
        4,
        "case_id",
        'unknown case "2"',
        "Add the case",
    ),
    "case twice": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id\n1\n2\n2\n"},
        "cases.csv",
        4,
        "case_id",
        'the case "2" comes twice (first in row 3)',
        "Delete",
    ),
    "label twice": (
        {"annotations.csv": CHOICE, "labels.csv": "label\nyes\nno\nyes\n"},
        "labels.csv",
        4,
        "label",
        "comes twice",
        "Delete",
    ),
    "risk": (
        {"annotations.csv": CHOICE, "labels.csv": "label,risk\nyes,severe\nno,0\n"},
        "labels.csv",
        2,
        "risk",
        'got "severe"',
        "Write one of these",
    ),
    "long examination": (
        {"annotations.csv": CHOICE, "labels.csv": f"label,settled_by\nyes,\nno,{'x' * 61}\n"},
        "labels.csv",
        3,
        "settled_by",
        "at most 60 characters, got 61",
        "in a few words",
    ),
    "endless examination": (
        {"annotations.csv": CHOICE, "labels.csv": f"label,settled_by\nyes,{'x' * 9999}\nno,\n"},
        "labels.csv",
        2,
        "settled_by",
        "got 9,999",
        "in a few words",
    ),
    "examination that stands for nothing": (
        {"annotations.csv": CHOICE, "labels.csv": "label,settled_by\nyes,N/A\nno,\n"},
        "labels.csv",
        2,
        "settled_by",
        'expected an examination, got "N/A"',
        "Leave it empty",
    ),
    "examination that drives a terminal": (
        {"annotations.csv": CHOICE, "labels.csv": "label,settled_by\nyes,\nno,a\x1b[2Jb\n"},
        "labels.csv",
        3,
        "settled_by",
        'not to be seen: "a\\x1b[2Jb"',
        "Take them out",
    ),
    "examination written backwards": (
        {"annotations.csv": CHOICE, "labels.csv": "label,settled_by\nyes,a\u202eb\nno,\n"},
        "labels.csv",
        2,
        "settled_by",
        'not to be seen: "a\\u202eb"',
        "Take them out",
    ),
    "examination on two lines": (
        {"annotations.csv": CHOICE, "labels.csv": 'label,settled_by\nyes,"swab\nculture"\nno,\n'},
        "labels.csv",
        2,
        "settled_by",
        "expected text on one line",
        "Take them out",
    ),
    "reference standard that is none": (
        {"annotations.csv": CHOICE, "study.toml": 'reference_standard = "Reader"\n'},
        "study.toml",
        None,
        "reference_standard",
        "expected one of readers, histology, ",
        "Did you mean",
    ),
    "reference standard that is no text": (
        {"annotations.csv": CHOICE, "study.toml": 'reference_standard = ["readers"]\n'},
        "study.toml",
        None,
        "reference_standard",
        "got ['readers']",
        "Leave it empty",
    ),
    "reference standard of a case that is none": (
        {
            "annotations.csv": CHOICE,
            "cases.csv": "case_id,reference,reference_standard\n1,yes,histolgy\n2,no,\n",
        },
        "cases.csv",
        2,
        "reference_standard",
        'unknown reference standard "histolgy"',
        "histology",
    ),
    "image that climbs": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,../a.png\n2,\n"},
        "cases.csv",
        2,
        "image",
        'inside the study folder, got "../a.png"',
        "images/a.png",
    ),
    "absolute image": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,\n2,/etc/a.png\n"},
        "cases.csv",
        3,
        "image",
        "relative",
        "images/a.png",
    ),
    "Windows image": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,C:\\a.png\n2,\n"},
        "cases.csv",
        2,
        "image",
        "relative",
        "images/a.png",
    ),
    "image on the web": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,https://a.b/c.png\n2,\n"},
        "cases.csv",
        2,
        "image",
        "relative",
        "images/a.png",
    ),
    "image of another kind": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,a.svg\n2,\n", "a.svg": "<svg/>"},
        "cases.csv",
        2,
        "image",
        "expected an image",
        "images/a.png",
    ),
    "negative probability": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,m,yes,-0.5\n1,m,no,1\n"},
        "predictions.csv",
        2,
        "probability",
        '"-0.5"',
        "from 0 to 1",
    ),
    "NaN probability": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,m,yes,nan\n1,m,no,1\n"},
        "predictions.csv",
        2,
        "probability",
        '"nan"',
        "from 0 to 1",
    ),
    "missing probability": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,m,yes,\n1,m,no,1\n"},
        "predictions.csv",
        2,
        "probability",
        "missing",
        "Write 0",
    ),
    "sum of probabilities": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,m,yes,0.5\n1,m,no,0.25\n"},
        "predictions.csv",
        None,
        "probability",
        'the case "1" by the model "m" sum to 0.75',
        "sum to 1",
    ),
    "sum of a wide row": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,0.5,0.5\n2,0.5,0.25\n"},
        "predictions/m.csv",
        3,
        "",
        'the case "2" by the model "m" sum to 0.75',
        "sum to 1",
    ),
    "percentages": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,75,25\n"},
        "predictions/m.csv",
        2,
        "yes",
        '"75"',
        "Divide percentages by 100",
    ),
    "percentages with their sign": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,75 %,0.25\n"},
        "predictions/m.csv",
        2,
        "yes",
        '"75 %"',
        "Divide percentages by 100, and take the sign % out.",
    ),
    "decimal comma": (
        {"annotations.csv": CHOICE, "predictions/m.csv": 'case_id,yes,no\n1,"0,75",0.25\n'},
        "predictions/m.csv",
        2,
        "yes",
        '"0,75"',
        "Use a point as the decimal sign",
    ),
    "decimal comma without quotes": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,0,75,0,25\n"},
        "predictions/m.csv",
        2,
        "",
        "expected 3 cells as in the header, got 5",
        "write numbers with a decimal point",
    ),
    "semicolons of a spreadsheet": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id;yes;no\r\n1;0,75;0,25\r\n"},
        "predictions/m.csv",
        1,
        "",
        "expected commas between the columns, got semicolons",
        "decimal points in the numbers, as a spreadsheet set to English does",
    ),
    "scores as probabilities": (
        {
            "study.toml": TWO,
            "annotations.csv": CHOICE,
            "predictions/m.csv": "case_id,yes\n1,1.75\n2,0.5\n",
        },
        "predictions/m.csv",
        2,
        "yes",
        '"1.75"',
        "Numbers that are no probabilities go in a single column called score.",
    ),
    "prediction twice": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,m,yes,1\n1,m,no,0\n1,m,yes,1\n"},
        "predictions.csv",
        4,
        "label",
        "twice (also in row 2)",
        "Delete",
    ),
    "wide row twice": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,1,0\n1,1,0\n"},
        "predictions/m.csv",
        3,
        "case_id",
        "comes twice",
        "Delete",
    ),
    "model twice": (
        {
            "annotations.csv": CHOICE,
            "predictions/m.csv": "case_id,yes,no\n1,1,0\n",
            "predictions.csv": PREDICTED + "1,m,yes,1\n",
        },
        "predictions.csv",
        None,
        "",
        'the model "m" has predictions',
        "Delete",
    ),
    "unknown label predicted": (
        {
            "annotations.csv": CHOICE,
            "labels.csv": "label\nyes\nno\n",
            "predictions/m.csv": "case_id,yes,nope\n1,1,0\n",
        },
        "predictions/m.csv",
        1,
        "nope",
        "unknown label",
        'Did you mean "no"?',
    ),
    "word in a wide table": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,1,0\n2,x,1\n"},
        "predictions/m.csv",
        3,
        "yes",
        '"x"',
        "from 0 to 1",
    ),
    "wide table without its task": (
        {
            "study.toml": SEVERAL,
            "annotations.csv": "case_id,rater_id,label,task\n1,a,x,one\n1,a,x,two\n",
            "predictions/m.csv": "case_id,x\n1,1\n",
        },
        "predictions/m.csv",
        None,
        "",
        "several tasks",
        "predictions/TASK/",
    ),
    "folder of no task": (
        {"annotations.csv": CHOICE, "predictions/mains/m.csv": "case_id,yes,no\n1,1,0\n"},
        "predictions/mains",
        None,
        "",
        'unknown task "mains"',
        'Did you mean "main"?',
    ),
    "feature that is no number": (
        {"annotations.csv": CHOICE, "features.csv": "case_id,f\n1,x\n2,1\n"},
        "features.csv",
        2,
        "f",
        '"x"',
        "number",
    ),
    "invalid TOML": (
        {"study.toml": "name = \n", "annotations.csv": CHOICE},
        "study.toml",
        1,
        "",
        "not valid TOML",
        "quotes",
    ),
    "unknown kind": (
        {"study.toml": '[tasks.main]\nkind = "rankings"', "annotations.csv": RANKING},
        "study.toml",
        None,
        "tasks.main.kind",
        "rankings",
        'Did you mean "ranking"?',
    ),
    "positive label that is none": (
        {
            "study.toml": '[tasks.main]\nkind = "choice"\npositive = "yess"',
            "annotations.csv": CHOICE,
        },
        "study.toml",
        None,
        "tasks.main.positive",
        '"yess" is no label',
        'Did you mean "yes"?',
    ),
    "negative seed": (
        {"study.toml": "seed = -1", "annotations.csv": CHOICE},
        "study.toml",
        None,
        "seed",
        "-1",
        "seed = 1",
    ),
    "name that is no text": (
        {"study.toml": "name = 3", "annotations.csv": CHOICE},
        "study.toml",
        None,
        "name",
        "expected a text, got 3",
        "name =",
    ),
    "label called case_id": (
        {"annotations.csv": "case_id,rater_id,label\n1,a,case_id\n"},
        "study.toml",
        None,
        "",
        "called case_id",
        "another name",
    ),
    "reference outside the labels": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,reference\n1,yes\n2,noo\n"},
        "cases.csv",
        3,
        "reference",
        'unknown reference "noo"',
        'Did you mean "no"? Correct it, or leave it empty where there is no reference. List all labels',
    ),
    "reference that is no label of any task": (
        {
            "study.toml": SEVERAL,
            "annotations.csv": "case_id,rater_id,label,task\n1,a,x,one\n2,a,y,two\n3,a,y,two\n4,a,x,one\n",
            "cases.csv": "case_id,reference\n1,x\n2,y\n3,\n4,z\n",
        },
        "cases.csv",
        5,
        "reference",
        'unknown reference "z"',
        "leave it empty",
    ),
    "reference of a score task that is no score": (
        {
            "study.toml": SCORE_TOML,
            "annotations.csv": SCORE,
            "cases.csv": "case_id,reference\n1,0.5 or above\n2,many\n",
        },
        "cases.csv",
        3,
        "reference",
        'unknown reference "many"',
        "below 0.5, 0.5 or above",
    ),
    "label that stands for nothing": (
        {"annotations.csv": CHOICE + "3,a,NaN\n"},
        "annotations.csv",
        5,
        "label",
        'expected a label, got "NaN"',
        "Write the label, or delete the row. If a label is really called NaN, list it and all others",
    ),
    "listed labels without the one that stands for nothing": (
        {"annotations.csv": CHOICE + "3,a,None\n", "labels.csv": "label\nyes\nno\n"},
        "annotations.csv",
        5,
        "label",
        'unknown label "None"',
        "add it there",
    ),
    "column of a label that stands for nothing": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no,nan\n1,0.5,0.5,0\n"},
        "predictions/m.csv",
        1,
        "nan",
        "stands for nothing",
        "Delete the column",
    ),
    "predicted label that stands for nothing": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,m,yes,0.5\n1,m,N/A,0.5\n"},
        "predictions.csv",
        3,
        "label",
        'expected a label, got "N/A"',
        "delete the row",
    ),
    "case that stands for nothing": (
        {"annotations.csv": CHOICE + "nan,a,no\n"},
        "annotations.csv",
        5,
        "case_id",
        'expected a case, got "nan"',
        "If a case is called nan, list all cases in cases.csv",
    ),
    "rater that stands for nothing": (
        {"annotations.csv": CHOICE + "1,None,no\n"},
        "annotations.csv",
        5,
        "rater_id",
        'expected a rater, got "None"',
        "write: rater None",
    ),
    "model that stands for nothing": (
        {"annotations.csv": CHOICE, "predictions.csv": PREDICTED + "1,null,yes,1\n"},
        "predictions.csv",
        2,
        "model",
        'expected a model, got "null"',
        "write model null",
    ),
    "endless label of study.toml": (
        {
            "study.toml": f'[tasks.main]\nkind = "choice"\nlabels = ["{"x" * 2000}", "yes", "no"]',
            "annotations.csv": CHOICE,
        },
        "study.toml",
        None,
        "tasks.main.labels",
        "1 to 1,000 characters",
        "each once",
    ),
    "endless label": (
        {"annotations.csv": CHOICE + "3,a," + "x" * 200_000 + "\n"},
        "annotations.csv",
        5,
        "label",
        "200,000 characters",
        "at most 1,000",
    ),
    "endless name of a column": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id," + "x" * 2_000 + "\n1,1\n"},
        "predictions/m.csv",
        1,
        "",
        "column 2 has a name of 2,000 characters",
        "at most 1,000",
    ),
    "packed annotations": (
        {"annotations.csv.gz": b"\x1f\x8b"},
        "annotations.csv",
        None,
        "",
        "no such file",
        '"annotations.csv.gz" is packed. Unpack it',
    ),
    "packed cases": (
        {"annotations.csv": CHOICE, "cases.csv.gz": b"\x1f\x8b"},
        "cases.csv.gz",
        None,
        "",
        "packed, and would not be read",
        "Unpack it",
    ),
    "packed predictions": (
        {"annotations.csv": CHOICE, "predictions/m.csv.gz": b"\x1f\x8b"},
        "predictions/m.csv.gz",
        None,
        "",
        "packed, and would not be read",
        "Unpack it",
    ),
    "packed under another name": (
        {"annotations.csv": b"\x1f\x8b\x08\0"},
        "annotations.csv",
        None,
        "",
        "gzip",
        "Unpack it",
    ),
    "predictions with an ending in capitals": (
        {"annotations.csv": CHOICE, "predictions/m.CSV": "case_id,yes,no\n1,1,0\n"},
        "predictions/m.CSV",
        None,
        "",
        "the ending .CSV is not known",
        "small letters",
    ),
    "Windows-1252": (
        {"annotations.csv": "case_id,rater_id,label\n1,a,x\n1,b,Nävus\n".encode("cp1252")},
        "annotations.csv",
        3,
        "",
        'the byte 0xE4, which is "ä" in Windows-1252',
        "CSV UTF-8",
    ),
    "a file in place of the folder of predictions": (
        {"annotations.csv": CHOICE, "predictions": "case_id,yes,no\n"},
        "predictions",
        None,
        "",
        "Not a directory",
        "Check the path",
    ),
}

WARNINGS = {
    "unused column": (
        {"annotations.csv": "case_id,rater_id,label,confidance\n1,a,x,1\n"},
        "annotations.csv",
        1,
        "confidance",
        "not used",
        'Did you mean "confidence"?',
    ),
    "missing image": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,images/a.png\n2,\n"},
        "cases.csv",
        2,
        "image",
        'no file "images/a.png"',
        "Put the image",
    ),
    "case that nobody read": (
        {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,yes,no\n1,1,0\n2,0,1\n9,1,0\n"},
        "predictions/m.csv",
        4,
        "case_id",
        'nobody read the case "9"',
        "Add its annotations",
    ),
    "name of a person": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,Patient Name\n1,x\n2,y\n"},
        "cases.csv",
        None,
        "Patient Name",
        "can identify a person",
        "Leave the column out",
    ),
    "full dates": (
        {"annotations.csv": CHOICE, "cases.csv": "case_id,seen\n1,2020-01-31\n2,2019-12-01\n"},
        "cases.csv",
        None,
        "seen",
        "a full date",
        "Leave the column out",
    ),
    "unknown key": (
        {"study.toml": 'nane = "x"', "annotations.csv": CHOICE},
        "study.toml",
        None,
        "nane",
        "not used",
        'Did you mean "name"?',
    ),
    "file beside the study": (
        {"annotations.csv": CHOICE, "case.csv": "case_id\n1\n"},
        "case.csv",
        None,
        "",
        "not read",
        "cases.csv",
    ),
    "score in a choice": (
        {"annotations.csv": "case_id,rater_id,label,score\n1,a,x,3\n"},
        "annotations.csv",
        None,
        "score",
        "does not use",
        "change the kind",
    ),
}


def _find(found, file, row, column, what, mend):
    """Problems at a place whose words hold the given ones."""
    return [
        p
        for p in found
        if (p.file, p.column) == (file, column)
        and (row is None or p.row == row)
        and what in p.what
        and mend in p.mend
    ]


@pytest.mark.parametrize("name", CASES)
def test_refused_with_place_and_mend(tmp_path, name):
    """An error at the right place, and no traceback."""
    files, *expected = CASES[name]
    found = problems(tmp_path, files)
    match = _find(found, *expected)
    assert match, "\n".join(map(str, found))
    assert match[0].severity == "error"


@pytest.mark.parametrize("name", WARNINGS)
def test_noted_with_place_and_mend(tmp_path, name):
    """A warning at the right place; the study is read."""
    files, *expected = WARNINGS[name]
    found = read(tmp_path, files).notes
    match = _find(found, *expected)
    assert match, "\n".join(map(str, found))
    assert match[0].severity == "warning"


def test_all_problems_come_at_once(tmp_path):
    """One bad thing in every file, all of them reported together, errors first."""
    found = problems(
        tmp_path,
        {
            "study.toml": "seed = -1\nnane = 1\n",
            "annotations.csv": "case_id,rater_id,label,confidence\n1,a,x,2\n,b,x,\n",
            "labels.csv": "label,risk\nx,huge\n",
            "cases.csv": "case_id,image\n1,../x.png\n",
            "predictions.csv": PREDICTED + "1,m,z,1\n",
            "features.csv": "case_id,f\n1,a\n",
        },
    )
    assert {p.file for p in found if p.severity == "error"} == {
        "study.toml",
        "annotations.csv",
        "labels.csv",
        "cases.csv",
        "predictions.csv",
        "features.csv",
    }
    severities = [p.severity for p in found]
    assert severities == sorted(severities)


def test_many_of_a_kind_are_counted(tmp_path):
    """The first are listed, the rest is counted in a line of its own."""
    rows = "".join(f"{i},a,x,2\n" for i in range(1254))
    found = problems(tmp_path, {"annotations.csv": "case_id,rater_id,label,confidence\n" + rows})
    listed = [p for p in found if p.column == "confidence"]
    assert [p.row for p in listed] == [*range(2, 2 + LISTED), None]
    assert listed[-1].what == "and 1,234 more rows like this"


def test_lines_are_those_of_an_editor(tmp_path):
    """Blank lines and line breaks inside quotes count."""
    annotations = '\ncase_id,rater_id,label,confidence\n1,a,"x\ny",1\n\n2,a,x,7\n'
    found = problems(tmp_path, {"annotations.csv": annotations})
    assert [(p.row, p.column) for p in found] == [(6, "confidence")]


def test_link_out_of_the_folder(tmp_path):
    """A link is no way out, neither as a file nor as a folder on the way."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.png").write_bytes(b"x")
    folder = write(
        tmp_path / "study", {"annotations.csv": CHOICE, "cases.csv": "case_id,image\n1,a.png\n2,in/a.png\n"}
    )
    (folder / "a.png").symlink_to(outside / "a.png")
    (folder / "in").symlink_to(outside)
    with pytest.raises(StudyError) as caught:
        read_study(folder)
    assert [(p.row, "link leads out" in p.what) for p in caught.value.problems] == [(2, True), (3, True)]


def test_folder_in_place_of_a_table(tmp_path):
    """A folder called annotations.csv."""
    write(tmp_path, {"annotations.csv/x": ""})
    with pytest.raises(StudyError, match="expected a file"):
        read_study(tmp_path)


def test_deep_toml(tmp_path):
    """Nesting that exhausts the parser."""
    found = problems(tmp_path, {"study.toml": "x = " + "[" * 100_000, "annotations.csv": CHOICE})
    assert found[0].file == "study.toml"


def test_error_text_names_everything(tmp_path):
    """The message holds place, problem and mend."""
    with pytest.raises(StudyError) as caught:
        read(tmp_path, {"annotations.csv": RANKING + "3,a,A,first\n"})
    assert str(caught.value).startswith(
        'annotations.csv, row 7, column rank: rank must be a whole number of 1 or more, got "first". '
    )
