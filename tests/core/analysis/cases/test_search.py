"""Where a text is found in a study, against the study's own files."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from shared_data import shared_data

from core.analysis.cases.search import (
    ID,
    METADATA,
    NOTE,
    READER,
    READING,
    holds,
    meant,
    search,
    where_words,
    with_notes,
    words_of,
)
from core.cli import main, sample_folder
from core.study.model import Study, Task
from core.study.reading.folder import read_study


def _task(study: Study) -> Task:
    return next(iter(study.tasks.values()))


def _table(study: Study, task: Task, word: str) -> pd.DataFrame:
    """Where a single word is."""
    (table,) = search(study, task, word).by_word
    return table


@pytest.mark.parametrize("text", ["melanoma", "MELANOMA ", "noma", '"no such label"'])
def test_every_label_that_a_rater_names_is_found(dermatology: Study, text: str) -> None:
    """The same cases as in the rows of annotations.csv, whatever rank the label has."""
    rows = pd.read_csv(sample_folder("dermatology_like") / "annotations.csv")
    named = set(rows["case_id"][rows["label"].str.casefold().str.contains(text.strip(' "').casefold())])
    found = _table(dermatology, _task(dermatology), text)
    assert set(found.index[found[READING]]) == named
    assert list(found.index) == list(dermatology.case_ids)


def test_ids_and_metadata_are_found(dermatology: Study) -> None:
    """Text as a part, numbers as the same number; the names of image files are not searched."""
    cases = pd.read_csv(sample_folder("dermatology_like") / "cases.csv", dtype={"case_id": str})
    found = _table(dermatology, _task(dermatology), "derm-00")
    assert set(found.index[found[ID]]) == {f"derm-00{i}" for i in range(1, 10)}
    found = _table(dermatology, _task(dermatology), "Arm")
    assert set(found.index[found[METADATA]]) == set(cases["case_id"][cases["body_site"].eq("arm")])
    share = cases["true_share"].iloc[0]
    found = _table(dermatology, _task(dermatology), str(share))
    assert set(found.index[found[METADATA]]) == set(cases["case_id"][cases["true_share"].eq(share)])


@pytest.mark.parametrize(
    ("said", "label"),
    [("BCC", "Basal Cell Carcinoma"), ("naevus", "Melanocytic Nevus"), ("HAEMANGIOMA", "Hemangioma")],
)
def test_a_label_is_found_as_doctors_write_it(dermatology: Study, said: str, label: str) -> None:
    """By the initials of its words, and as it is spelt elsewhere, in the cases of the label itself."""
    task = _task(dermatology)
    found, wanted = (_table(dermatology, task, f'"{word}"')[READING] for word in (said, label))
    assert wanted.any()
    assert found[wanted].all()
    assert not _table(dermatology, task, "B")[READING].equals(found), "one letter is part of a name"


def test_a_short_word_is_found_where_a_word_begins(dermatology: Study) -> None:
    """An abbreviation is not part of longer words; numbers and longer parts are found within them."""
    task = _task(dermatology)
    inflamed = _table(dermatology, task, "inflammatory")[READING]
    assert inflamed.any()
    assert not _table(dermatology, task, "NF").to_numpy().any()
    assert _table(dermatology, task, "flammatory")[READING].equals(inflamed)
    assert _table(dermatology, task, "nev")[READING].any()
    assert _table(dermatology, task, "07")[ID].any()
    noted = with_notes(search(dermatology, task, "mm"), {"derm-001": "4 mm", "derm-002": "summer"})
    assert noted.by_word[0][NOTE][["derm-001", "derm-002"]].tolist() == [True, False]


def test_what_may_be_meant_is_offered(dermatology: Study) -> None:
    """For a word that is nowhere, and for no other, with what else was searched for."""
    task = _task(dermatology)
    for said, instead in (
        ("melonoma", {"Melanoma": "Melanoma"}),
        ("melonoma leg", {"Melanoma": "Melanoma leg"}),
        ('"left leg" melonoma', {"Melanoma": '"left leg" Melanoma'}),
    ):
        assert meant(search(dermatology, task, said), task) == instead
    for said in ("xyzzy", "melanoma", "leg"):
        assert meant(search(dermatology, task, said), task) == {}
    assert meant(search(dermatology, task, "cellulitus carcinama"), task) == {
        "Cellulitis": "Cellulitis carcinama",
        "Basal Cell Carcinoma": 'cellulitus "Basal Cell Carcinoma"',
        "SCC/SCCIS": "cellulitus SCC/SCCIS",
    }


@pytest.mark.parametrize("said", ["squamous", '"squamous cell carcinoma"', "SQUAM"])
def test_a_label_is_found_by_what_its_description_spells_out(dermatology: Study, said: str) -> None:
    """In the cases whose readings name the label, which is said; a misspelt word leads there too."""
    task = _task(dermatology)
    found = search(dermatology, task, said)
    named = _table(dermatology, task, "SCC/SCCIS")[READING]
    assert named.any()
    assert found.by_word[0][READING].equals(named)
    assert where_words(found) == f"“{found.words[0]}”: in the readings of {named.sum()} cases (as SCC/SCCIS)."


def test_a_description_is_found_however_it_is_spelt_and_misspelt(dermatology: Study) -> None:
    """British or American; a word that is nowhere brings the label that may be meant."""
    task = _task(dermatology)
    named = _table(dermatology, task, "SK/ISK")[READING]
    assert _table(dermatology, task, '"seborrhoeic keratosis"')[READING].equals(named)
    assert meant(search(dermatology, task, "sqamous"), task) == {"SCC/SCCIS": "SCC/SCCIS"}
    assert list(meant(search(dermatology, task, "seborheic"), task)) == ["Seborrheic Dermatitis", "SK/ISK"]


def test_names_and_descriptions_are_found_together(dermatology: Study) -> None:
    """Only labels that are read where the other words are found count as those that are described."""
    task = _task(dermatology)
    found, scc = search(dermatology, task, "carcinoma"), _table(dermatology, task, "SCC")[READING]
    either = scc | _table(dermatology, replace(task, description=()), "carcinoma")[READING]
    assert found.by_word[0][READING].equals(either)
    assert where_words(found).startswith(
        f"“carcinoma”: in the readings of {either.sum()} cases (also as SCC/SCCIS)"
    )
    without = search(dermatology, task, f"carcinoma {either.index[either & ~scc][0]}")
    assert "SCC/SCCIS" not in where_words(without)
    plain = replace(task, description=())
    assert not search(dermatology, plain, "squamous").by_word[0][READING].any()
    assert meant(search(dermatology, plain, "melonoma"), plain) == {"Melanoma": "Melanoma"}


def test_a_reader_is_found_by_the_whole_id(dermatology: Study) -> None:
    """The cases that a rater reads, in whatever case of letters; part of an id finds nobody."""
    rows = pd.read_csv(sample_folder("dermatology_like") / "annotations.csv")
    read = set(rows["case_id"][rows["rater_id"].eq("R19")])
    found = search(dermatology, _task(dermatology), "r19")
    assert set(found.index[found.by_word[0][READER]]) == set(found.index[holds(found)]) == read
    assert where_words(found) == f"“r19”: a reader of {len(read)} cases."
    assert not _table(dermatology, _task(dermatology), "R1")[READER].any()


def test_scores_are_found_by_their_side_of_the_threshold(scores: Study) -> None:
    """A score names the side that it is on."""
    task = _task(scores)
    rows = pd.read_csv(sample_folder("scores") / "annotations.csv")
    above = set(rows["case_id"][rows["score"] >= task.threshold])
    found = _table(scores, task, f'"{task.labels[1]}"')
    assert set(found.index[found[READING]]) == above


def test_where_it_was_found_is_said(dermatology: Study) -> None:
    """Each place with its number of cases; where it is nowhere, that is said."""
    found = search(dermatology, _task(dermatology), "derm-001")
    assert where_words(found) == "“derm-001”: in the id of 1 case."
    assert holds(found).sum() == 1
    nothing = search(dermatology, _task(dermatology), "xyzzy")
    assert where_words(nothing) == "No reading, label, reader, id, case data or note holds “xyzzy”."
    assert not holds(nothing).any()


def test_notes_are_found_as_well(dermatology: Study) -> None:
    """Whole or in part, in whatever case of letters; together with words that stand elsewhere."""
    task = _task(dermatology)
    notes = {"derm-001": "Blurred: ask for a second IMAGE", "derm-002": "sharp", "of another study": "image"}
    found = with_notes(search(dermatology, task, "image"), notes)
    assert found.index[holds(found)].tolist() == ["derm-001"]
    assert found.by_word[0][NOTE].sum() == 1
    assert where_words(found) == "“image”: in the notes of 1 case."
    both = with_notes(search(dermatology, task, "blurred derm-00"), notes)
    assert where_words(both) == "“blurred”: in the notes of 1 case; “derm-00”: in the id of 1 case."
    assert not holds(with_notes(search(dermatology, task, "blurred derm-002"), notes)).any()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("  melanoma   leg ", ("melanoma", "leg")),
        ('"basal cell" leg "', ("basal cell", "leg")),
        ("“basal cell” leg", ("basal cell", "leg")),
        ('leg "basal cell', ("leg", "basal cell")),
        ("Leg LEG leg", ("Leg",)),
        ('""', ("",)),
        ("", ("",)),
    ],
)
def test_words_are_split_at_blanks_but_not_within_quotes(text: str, words: tuple[str, ...]) -> None:
    """Straight or typographic quotes, closed or not; each word once."""
    assert words_of(text) == words


def test_every_word_is_found_wherever_it_stands(dermatology: Study) -> None:
    """The cases with a reading of melanoma and the body site leg, whatever the order of the words."""
    folder = sample_folder("dermatology_like")
    rows = pd.read_csv(folder / "annotations.csv")
    cases = pd.read_csv(folder / "cases.csv", dtype={"case_id": str})
    both = set(rows["case_id"][rows["label"].eq("Melanoma")])
    both &= set(cases["case_id"][cases["body_site"].eq("leg")])
    assert both
    for text in ("melanoma leg", "LEG Melanoma"):
        found = search(dermatology, _task(dermatology), text)
        assert set(found.index[holds(found)]) == both
    n = f"{len(both)} case{'s' * (len(both) > 1)}"
    words = where_words(search(dermatology, _task(dermatology), "melanoma leg"))
    assert re.fullmatch(
        f"“melanoma”: in the readings of {n}(, .*)?; “leg”: in the case data of {n}\\.", words
    )


def test_words_between_quotes_stay_together(dermatology: Study) -> None:
    """A phrase is found as it stands only; the same words alone in whatever order."""
    task = _task(dermatology)
    assert holds(search(dermatology, task, "cell basal")).any()
    assert not holds(search(dermatology, task, '"cell basal"')).any()
    phrase, words = (
        holds(search(dermatology, task, text)) for text in ('"cell carcinoma"', "cell carcinoma")
    )
    assert phrase.any()
    assert not (phrase & ~words).any()


def test_words_that_no_case_holds_together_are_said_one_by_one(dermatology: Study) -> None:
    """So it can be seen which one to leave out; of one that is nowhere, only that."""
    task = _task(dermatology)
    assert where_words(search(dermatology, task, "derm-001 derm-002")) == (
        "No case holds all of these words. “derm-001”: in the id of 1 case; “derm-002”: in the id of 1 case."
    )
    nowhere = where_words(search(dermatology, task, "derm-001 xyzzy"))
    assert nowhere == "No reading, label, reader, id, case data or note holds “xyzzy”."


def test_melanoma_in_the_public_release(tmp_path: Path) -> None:
    """Counted in the rows of the table that the import writes: 169 cases hold a reading that names it."""
    target = tmp_path / "study"
    assert main(["import", "dermatology-ddx", str(shared_data("data", "dermatology_ddx")), str(target)]) == 0
    rows = pd.read_csv(target / "annotations.csv", dtype=str)
    named = set(rows["case_id"][rows["label"].str.casefold().str.contains("melanoma")])
    study = read_study(target)
    found = _table(study, _task(study), "melanoma")
    assert set(found.index[found[READING]]) == named
    assert len(named) == 169
