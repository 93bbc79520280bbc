"""Reading of study folders that are right."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from study_files import CHOICE, RANKING, SCORE, SCORE_TOML, TOML, read, write

from core.study.formats import FORMATS, cifar10h, dermatology_ddx, rater_matrix
from core.study.model import UNKNOWN_RISK
from core.study.problems import StudyError
from core.study.reading.folder import RELEASES, read_study


def test_choice_worked_out_by_hand(tmp_path):
    """Two cases, three readings of one label each."""
    study = read(tmp_path, {"annotations.csv": CHOICE})
    task = study.tasks["main"]
    assert (task.kind, task.labels, study.case_ids, study.rater_ids) == (
        "choice",
        ("no", "yes"),
        ("1", "2"),
        ("a", "b"),
    )
    assert task.readings.case_start.tolist() == [0, 2, 3]
    assert task.readings.rater.tolist() == [0, 1, 0]
    assert [task.readings.differential(i) for i in range(3)] == [[[1]], [[0]], [[0]]]
    assert study.notes == ()


def test_ranking_with_ties_gaps_and_a_single_unranked_label(tmp_path):
    """Blocks follow the ranks without gaps; a reading of one label needs no rank."""
    annotations = "case_id,rater_id,label,rank\n1,a,C,7\n1,a,B,7\n1,a,A,3\n1,b,B,\n"
    task = read(tmp_path, {"annotations.csv": annotations}).tasks["main"]
    assert task.kind == "ranking"
    assert [task.braces(i) for i in range(2)] == ["{A} {B, C}", "{B}"]


def test_score_task_has_the_two_sides_as_labels(tmp_path):
    """A score has no entries, and its labels say where the threshold is."""
    study = read(tmp_path, {"study.toml": SCORE_TOML, "annotations.csv": SCORE})
    task = study.tasks["main"]
    assert task.labels == ("below 0.5", "0.5 or above")
    assert task.readings.score.tolist() == [0.25, 0.75, 1.0]
    assert task.readings.entry_start.tolist() == [0, 0, 0, 0]


def test_ids_stay_text(tmp_path):
    """Leading zeros and exponents are ids like any other, and so is NA where it is listed."""
    annotations = "case_id,rater_id,label\n007,1e3,NA\n7,0x1,null\n"
    study = read(tmp_path, {"annotations.csv": annotations, "labels.csv": "label\nNA\nnull\n"})
    assert study.case_ids == ("007", "7")
    assert set(study.rater_ids) == {"1e3", "0x1"}
    assert study.tasks["main"].labels == ("NA", "null")


def test_label_order(tmp_path):
    """The list in study.toml comes before labels.csv, and that before natural order."""
    annotations = "case_id,rater_id,label\n1,a,grade 10\n1,b,grade 9\n"
    files = {"annotations.csv": annotations}
    assert read(tmp_path, files).tasks["main"].labels == ("grade 9", "grade 10")
    files["labels.csv"] = "label,risk\ngrade 10,High\nnone,\ngrade 9,1\n"
    task = read(tmp_path, files).tasks["main"]
    assert task.labels == ("grade 10", "none", "grade 9")
    assert task.risk.tolist() == [2, UNKNOWN_RISK, 1]
    files["study.toml"] = '[tasks.main]\nkind = "choice"\nlabels = ["none", "grade 9", "grade 10"]\n'
    task = read(tmp_path, files).tasks["main"]
    assert task.labels == ("none", "grade 9", "grade 10")
    assert task.risk.tolist() == [UNKNOWN_RISK, 1, 2]


def test_what_settles_a_label(tmp_path):
    """Text as it stands, without spaces at the ends; empty where nothing is said, and without the column."""
    files = {"annotations.csv": CHOICE}
    assert read(tmp_path, files).tasks["main"].settled_by == ("", "")
    files["labels.csv"] = f"label,settled_by\nno,\nyes, <b>swab</b> and culture{' ' * 100}\n"
    study = read(tmp_path, files)
    assert study.tasks["main"].settled_by == ("", "<b>swab</b> and culture")
    assert study.notes == ()
    sixty = "e\u0301" * 60
    files["labels.csv"] = f"settled_by,label\n{sixty},yes\n,no\n"
    assert read(tmp_path, files).tasks["main"].settled_by == ("\u00e9" * 60, "")
    files["study.toml"] = '[tasks.main]\nkind = "choice"\nlabels = ["no", "yes", "other"]\n'
    assert read(tmp_path, files).tasks["main"].settled_by == ("", "\u00e9" * 60, "")


def test_each_task_has_its_own_examinations(tmp_path):
    """As risk has: a row without a task holds for all but scores."""
    kinds = {"a": "choice", "b": "ranking", "s": "score"}
    toml = "".join(
        f'[tasks.{name}]\nkind = "{kind}"\n' + "threshold = 3\n" * (kind == "score")
        for name, kind in kinds.items()
    )
    rows = ["1,r,a,x,,", "1,r,b,x,1,", "1,r,s,,,4"]
    labels = "task,label,settled_by\n,x,biopsy\na,y,PCR\nb,y,\ns,3 or above,count\n"
    study = read(
        tmp_path,
        {
            "study.toml": toml,
            "annotations.csv": "case_id,rater_id,task,label,rank,score\n" + "\n".join(rows) + "\n",
            "labels.csv": labels,
        },
    )
    assert {name: task.settled_by for name, task in study.tasks.items()} == {
        "a": ("biopsy", "PCR"),
        "b": ("biopsy", ""),
        "s": ("", "count"),
    }


def test_case_order_and_metadata(tmp_path):
    """The case table gives the order; columns of numbers become numbers, ids and empty cells stay text."""
    cases = "case_id,age,weight,site,reference\n2,30,70.5,01,no\n1,40,,02,\n3,50,60,03,yes\n"
    study = read(tmp_path, {"annotations.csv": CHOICE, "cases.csv": cases})
    assert study.case_ids == ("2", "1", "3")
    assert study.tasks["main"].readings.per_case.tolist() == [1, 2, 0]
    assert study.cases["age"].tolist() == [30, 40, 50]
    np.testing.assert_array_equal(study.cases["weight"], [70.5, np.nan, 60.0])
    assert study.cases["site"].tolist() == ["01", "02", "03"]
    assert study.cases["reference"].tolist() == ["no", "", "yes"]
    assert [note.severity for note in study.notes] == ["warning"]
    assert "1 of 3 cases have no reading" in study.notes[0].what


def test_several_tasks(tmp_path):
    """Each task has its own kind, labels and readings."""
    toml = (
        '[tasks.finding]\nkind = "choice"\npositive = "yes"\n'
        '[tasks.differential]\nkind = "ranking"\n[tasks.size]\nkind = "score"\nthreshold = 3\n'
    )
    annotations = (
        "case_id,rater_id,task,label,rank,score\n1,a,finding,yes,,\n1,a,differential,A,1,\n"
        "1,a,differential,B,2,\n1,a,size,,,4.5\n2,b,finding,no,,\n"
    )
    labels = "label,task\nno,finding\nyes,finding\nB,differential\nA,differential\n"
    predictions = {
        "predictions/finding/m.csv": "case_id,yes\n1,0.25\n",
        "predictions/size/m.csv": "case_id,3 or above,below 3\n1,0.75,0.25\n",
    }
    study = read(
        tmp_path, {"study.toml": toml, "annotations.csv": annotations, "labels.csv": labels} | predictions
    )
    assert {name: task.labels for name, task in study.tasks.items()} == {
        "finding": ("no", "yes"),
        "differential": ("B", "A"),
        "size": ("below 3", "3 or above"),
    }
    assert study.tasks["differential"].braces(0) == "{A} {B}"
    assert [task.readings.per_case.tolist() for task in study.tasks.values()] == [[1, 1], [1, 0], [1, 0]]
    np.testing.assert_array_equal(
        study.tasks["finding"].predictions["m"].probability, [[0.75, 0.25], [np.nan, np.nan]]
    )
    np.testing.assert_array_equal(study.tasks["size"].predictions["m"].probability[0], [0.25, 0.75])


def test_repeats_and_confidence(tmp_path):
    """A second reading has a number; one row of a reading can give its confidence for all."""
    annotations = (
        "case_id,rater_id,label,rank,repeat,confidence\n1,a,A,1,2,\n1,a,B,2,2,0.5\n1,a,B,1,1,1\n1,a,A,2,1,1\n"
    )
    readings = read(tmp_path, {"annotations.csv": annotations}).tasks["main"].readings
    assert readings.repeat.tolist() == [1, 2]
    assert readings.confidence.tolist() == [1.0, 0.5]
    assert [readings.differential(i) for i in range(2)] == [[[1], [0]], [[0], [1]]]


@pytest.mark.parametrize("order", [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 0, 4, 2, 1]])
def test_row_order_changes_nothing(tmp_path, order):
    """Given a case table, any order of the annotations is the same study, to the last array."""
    header, *rows = RANKING.splitlines()
    shuffled = "\n".join([header, *(rows[i] for i in order)]) + "\n"
    study = read(tmp_path / "x", {"annotations.csv": shuffled, "cases.csv": "case_id\n1\n2\n"})
    plain = read(tmp_path / "y", {"annotations.csv": RANKING, "cases.csv": "case_id\n1\n2\n"})
    assert study.fingerprint == plain.fingerprint
    assert study.rater_ids == plain.rater_ids
    np.testing.assert_array_equal(study.tasks["main"].readings.label, plain.tasks["main"].readings.label)


def test_long_and_wide_predictions_are_the_same(tmp_path):
    """Long rows, wide columns in any order, and left-out zeros mean the same."""
    annotations = "case_id,rater_id,label\n1,a,A\n2,a,B\n3,a,C\n"
    long = "case_id,model,label,probability\n2,m,B,0.5\n1,m,A,1\n2,m,C,0.5\n1,n,A,0.25\n1,n,B,.75\n"
    wide = {
        "predictions/m.csv": "case_id,C,B,A\n1,0,0,1\n2,0.5,0.5,0\n",
        "predictions/n.csv": "case_id,B,A\n1,0.75,0.25\n",
    }
    one = read(tmp_path / "x", {"annotations.csv": annotations, "predictions.csv": long})
    two = read(tmp_path / "y", {"annotations.csv": annotations} | wide)
    assert one.fingerprint == two.fingerprint
    assert list(one.tasks["main"].predictions) == ["m", "n"]
    model = one.tasks["main"].predictions["m"]
    assert model.covered.tolist() == [True, True, False]
    np.testing.assert_array_equal(model.probability[:2], [[1, 0, 0], [0, 0.5, 0.5]])


def test_only_the_positive_label_is_predicted(tmp_path):
    """The other label of a two-label task gets the rest."""
    toml = TOML + '[tasks.main]\nkind = "choice"\npositive = "yes"\n'
    long = "case_id,model,label,probability\n1,m,yes,0.125\n2,m,yes,1\n"
    study = read(tmp_path, {"study.toml": toml, "annotations.csv": CHOICE, "predictions.csv": long})
    np.testing.assert_array_equal(
        study.tasks["main"].predictions["m"].probability, [[0.875, 0.125], [0.0, 1.0]]
    )


def test_small_gaps_of_sums_are_closed(tmp_path):
    """Within 1e-6 silently, within 0.01 with a warning."""
    files = {"annotations.csv": CHOICE, "predictions/m.csv": "case_id,no,yes\n1,0.5,0.4999999\n"}
    study = read(tmp_path, files)
    assert study.tasks["main"].predictions["m"].probability[0].sum() == pytest.approx(1, abs=1e-15)
    assert [note.what for note in study.notes] == ["1 of 2 cases have no row"]
    files["predictions/m.csv"] = "case_id,no,yes\n1,0.5,0.495\n2,1,0\n"
    study = read(tmp_path, files)
    assert study.tasks["main"].predictions["m"].probability[0].sum() == pytest.approx(1, abs=1e-15)
    assert [note.file for note in study.notes] == ["predictions/m.csv"]


def test_parquet_is_the_same_study(tmp_path):
    """Typed columns, and ids that Parquet holds as numbers, give what CSV gives."""
    study = read(tmp_path / "x", {"annotations.csv": RANKING, "cases.csv": "case_id,age\n1,4\n2,5\n"})
    write(tmp_path / "y", {})
    frame = pd.read_csv(tmp_path / "x" / "annotations.csv")
    frame.astype({"label": "category"}).to_parquet(tmp_path / "y" / "annotations.parquet")
    pd.DataFrame({"case_id": [1, 2], "age": [4, 5]}).to_parquet(tmp_path / "y" / "cases.parquet")
    assert read_study(tmp_path / "y").fingerprint == study.fingerprint


def test_parquet_keeps_text_ids(tmp_path):
    """A text 007 is not the number 7."""
    write(tmp_path, {})
    frame = pd.DataFrame({"case_id": ["007", "7"], "rater_id": [1.0, 2.0], "label": ["x", "y"]})
    frame.to_parquet(tmp_path / "annotations.parquet", index=False)
    study = read_study(tmp_path)
    assert study.case_ids == ("007", "7")
    assert study.rater_ids == ("1", "2")


def test_hostile_text_is_data(tmp_path):
    """HTML, formulas, quotes, line breaks, right-to-left and zero-width characters come as they are."""
    labels = [
        "<script>alert(1)</script>",
        "=1+1",
        'say "no", twice',
        "two\nlines",
        "שלום",
        "a\u200bb",
        "a\u0430",
    ]
    rows = "".join(f'{i},r,"{label.replace(chr(34), chr(34) * 2)}"\n' for i, label in enumerate(labels))
    study = read(tmp_path, {"annotations.csv": "case_id,rater_id,label\n" + rows})
    assert set(study.tasks["main"].labels) == set(labels)
    assert study.notes == ()


def test_unicode_forms_of_a_label_are_one(tmp_path):
    """Composed and decomposed letters are merged, with a warning."""
    study = read(tmp_path, {"annotations.csv": "case_id,rater_id,label\n1,a,Nävus\n2,a,Na\u0308vus\n"})
    assert study.tasks["main"].labels == ("Nävus",)
    assert len(study.notes) == 1
    assert "Unicode" in study.notes[0].what


def test_spaces_are_taken_off_with_one_warning(tmp_path):
    """Spaces at the ends of a label or id."""
    study = read(tmp_path, {"annotations.csv": "case_id,rater_id,label\n1,a, yes\n1,b,yes \n2,a,no\n"})
    assert study.tasks["main"].labels == ("no", "yes")
    assert [(note.column, note.row) for note in study.notes] == [("label", 2)]


def test_byte_order_mark_and_line_ends(tmp_path):
    """As other programs write them."""
    plain = read(tmp_path / "x", {"annotations.csv": CHOICE})
    other = CHOICE.replace("\n", "\r\n").encode("utf-8-sig")
    assert read(tmp_path / "y", {"annotations.csv": other}).fingerprint == plain.fingerprint
    old = CHOICE.replace("\n", "\r").encode()
    assert read(tmp_path / "z", {"annotations.csv": old}).fingerprint == plain.fingerprint


def test_missing_settings_are_a_warning(tmp_path):
    """The folder's name is the study's."""
    folder = tmp_path / "knee"
    write(folder, {"annotations.csv": CHOICE})
    (folder / "study.toml").unlink()
    study = read_study(folder)
    assert study.name == "knee"
    assert [(note.file, note.severity) for note in study.notes] == [("study.toml", "warning")]


def test_settings(tmp_path):
    """All keys arrive."""
    toml = 'name = "N"\ndescription = "D"\nsource = "S"\nlicence = "L"\nseed = 7\n'
    study = read(tmp_path, {"study.toml": toml, "annotations.csv": CHOICE})
    assert (study.name, study.description, study.source, study.licence, study.seed) == (
        "N",
        "D",
        "S",
        "L",
        7,
    )


def test_features(tmp_path):
    """Numbers by case; a case without features has NaN, with a warning."""
    study = read(tmp_path, {"annotations.csv": CHOICE, "features.csv": "case_id,f1,f2\n2,1,2.5\n"})
    assert study.features is not None
    np.testing.assert_array_equal(study.features.to_numpy(), [[np.nan, np.nan], [1, 2.5]])
    assert [note.file for note in study.notes] == ["features.csv"]


def test_progress_goes_from_0_to_1(tmp_path):
    """What is told rises."""
    shares = []
    folder = write(tmp_path, {"annotations.csv": CHOICE})
    read_study(folder, progress=lambda share, what: shares.append(share))
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


def test_ten_thousand_labels(tmp_path):
    """The number of labels is no limit."""
    labels = "label\n" + "".join(f"label {i}\n" for i in range(10_000))
    annotations = "case_id,rater_id,label\n" + "".join(f"{i},a,label {i * 7 % 10_000}\n" for i in range(50))
    task = read(tmp_path, {"annotations.csv": annotations, "labels.csv": labels}).tasks["main"]
    assert len(task.labels) == 10_000
    assert task.readings.label.tolist() == [i * 7 % 10_000 for i in range(50)]


def test_one_of_everything(tmp_path):
    """One case, one rater, one label."""
    task = read(tmp_path, {"annotations.csv": "case_id,rater_id,label\n1,a,x\n"}).tasks["main"]
    assert task.labels == ("x",)
    assert task.readings.n_readings == 1


@pytest.mark.parametrize(("name", "of"), RELEASES.items())
def test_a_published_release_names_its_import(tmp_path, name, of):
    """The file by which it is known is one that the importer reads; the command is given."""
    (tmp_path / name).write_text("")
    with pytest.raises(StudyError) as refused:
        read_study(tmp_path)
    assert f"loupe import {of} FROM TO" in refused.value.problems[0].mend
    assert of in FORMATS
    assert name in {dermatology_ddx.SELECTORS, cifar10h.COUNTS, rater_matrix.LABELS}


def test_missing_folder():
    """A path to nothing."""
    with pytest.raises(StudyError, match="no such folder"):
        read_study("/does/not/exist")
