"""The command line: everything that yields numbers in the dashboard, without the dashboard."""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from core import __version__
from core.study.problems import Problem, StudyError

SAMPLE = "dermatology_like"


def sample_folder(name: str = SAMPLE) -> Path:
    """Folder of a bundled sample study; it lies beside `core`, installed or in a checkout."""
    return Path(__file__).parents[1] / "sample_data" / name


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0 done, 1 refused, 2 wrong usage."""
    options = _parser().parse_args(arguments)
    try:
        return options.run(options)
    except StudyError as refused:
        _print_problems(refused.problems)
        return 1
    except (ValueError, OSError) as refused:
        print(f"loupe: {refused}", file=sys.stderr)  # noqa: T201
        return 1
    except KeyboardInterrupt:
        print("\nloupe: stopped", file=sys.stderr)  # noqa: T201
        return 130


def _parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    parser = argparse.ArgumentParser(
        prog="loupe",
        description="Judge medical AI when experts disagree about the truth. Not for diagnosis.",
        epilog="Without a command, the dashboard opens on a sample study.",
    )
    parser.add_argument("--version", action="version", version=f"Loupe {__version__}")
    parser.set_defaults(run=_open, study=None, port=None, no_browser=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    command = commands.add_parser("open", help="open the dashboard on a study (the default command)")
    command.add_argument(
        "study", nargs="?", type=Path, metavar="STUDY", help="study folder; a sample if left out"
    )
    command.add_argument("--port", type=int, help="port on this computer")
    command.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    command.set_defaults(run=_open)

    command = commands.add_parser("check", help="list everything that is wrong with a study folder")
    command.add_argument("study", type=Path, metavar="STUDY")
    command.set_defaults(run=_check)

    command = commands.add_parser("import", help="turn a published format into a study folder")
    command.add_argument("format", metavar="FORMAT", help="one of those that `loupe import --help` lists")
    command.add_argument("source", type=Path, metavar="FROM", help="file or folder to read")
    command.add_argument("target", type=Path, metavar="TO", help="study folder to write; must not exist")
    command.set_defaults(run=_import)
    command.epilog = "Formats: dermatology-ddx, chexpert-test, cifar10h, label-histogram, rater-matrix."

    command = commands.add_parser("simulate", help="make a study with a known truth")
    command.add_argument("target", type=Path, metavar="TO", help="study folder to write; must not exist")
    command.add_argument("--kind", choices=["ranking", "choice", "score"], default="ranking")
    command.add_argument("--cases", type=int, default=300)
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=_simulate)

    command = commands.add_parser("evaluate", help="write certainty, metrics and worklist as tables")
    command.add_argument("study", type=Path, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first if left out")
    command.add_argument("--model", help="aggregation model; the recommended one for the task if left out")
    command.add_argument(
        "--reliability",
        type=_reliability,
        help='γ above 0, "inf", or "auto" for what the readings support best',
    )
    command.add_argument(
        "--ties", choices=["split", "full"], default="split", help="tie rule of IRN and PrIRN"
    )
    command.add_argument(
        "--prior", choices=["released", "per_label"], default="released", help="of Plackett–Luce"
    )
    command.add_argument("--draws", type=int, default=1000, help="Plackett–Luce: draws a case")
    command.add_argument(
        "--sweep", action="store_true", help="also the metrics at every reliability of the slider"
    )
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the tables")
    command.set_defaults(run=_evaluate)
    _add_compare(commands)

    command = commands.add_parser("raters", help="write agreement, concordance and accuracy of the raters")
    command.add_argument("study", type=Path, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first if left out")
    command.add_argument("--raters", help="ids of raters, separated by commas; all if left out")
    command.add_argument(
        "--judged-by",
        choices=["reference", "majority", "given", "model"],
        help="what accuracy is judged by; --accuracy, else a reference, else the majority of the others",
    )
    command.add_argument("--accuracy", type=float, help="accuracy of every rater, from 0 to 1")
    command.add_argument(
        "--variability", type=float, help="of every rater's confidence; from repeated readings if left out"
    )
    command.add_argument("--ordered", action="store_true", help="the labels have an order, that of the study")
    command.add_argument("--resamples", type=int, default=1000, help="of the cases, for the intervals")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the tables")
    command.set_defaults(run=_raters)
    _add_plan(commands)

    command = commands.add_parser("experiment", help="repeat a published simulation: table and picture")
    command.add_argument("name", choices=["perfect-predictor"], help="which (Mimori 2021, fig. 2)")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for what it writes")
    command.add_argument("--repeats", type=int, default=100, help="simulated studies of each size")
    command.add_argument("--seed", type=int, default=0)
    command.set_defaults(run=_experiment)
    return parser


def _add_plan(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command `plan` and its options."""
    command = commands.add_parser("plan", help="how many raters and cases a study needs")
    command.add_argument(
        "study", nargs="?", type=Path, metavar="STUDY", help="study that raters and cases are like"
    )
    command.add_argument("--task", help="task of the study; its first if left out")
    command.add_argument("--fineness", type=float, help="wanted share of cases that the majority gets right")
    command.add_argument("--certainty", type=float, help="wanted mean certainty of the leading label")
    command.add_argument("--ranking", type=float, help="wanted probability of ranking two models rightly")
    command.add_argument(
        "--models", metavar="A,B", help="for --ranking: accuracies of two models, or names of the study's"
    )
    command.add_argument("--accuracy", type=float, help="of a rater, from 0 to 1; from the study if left out")
    command.add_argument(
        "--difficulty", type=float, help="spread of case difficulty in logits; 0: raters err independently"
    )
    command.add_argument("--labels", type=int, help="number of labels; 2, or the study's, if left out")
    command.add_argument("--out", type=Path, metavar="DIR", help="folder for the tables")
    command.set_defaults(run=_plan)


def _add_compare(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The command `compare` and its options."""
    command = commands.add_parser("compare", help="rank models by hard and soft metrics, as tables")
    command.add_argument("study", type=Path, metavar="STUDY")
    command.add_argument("--task", help="task of the study; its first with predictions if left out")
    command.add_argument("--label", help="label that counts as positive; the task's own if left out")
    command.add_argument("--model", help="aggregation model; the recommended one for the task if left out")
    command.add_argument(
        "--reliability", type=float, help='γ above 0, or "inf"; the model\'s own if left out'
    )
    command.add_argument(
        "--majority",
        choices=["more than half", "half or more"],
        default="more than half",
        help="share of votes that makes a hard label",
    )
    command.add_argument(
        "--coverage",
        choices=["common", "own"],
        default="common",
        help="judge models on the cases that all predicted, or each on its own",
    )
    command.add_argument(
        "--annotations",
        choices=["bootstrap", "plausibility"],
        default="bootstrap",
        help="draw truths by resampling readings, or from the aggregation model",
    )
    command.add_argument("--draws", type=int, default=1000, help="draws of truths and of cases")
    command.add_argument(
        "--label-pairs", action="store_true", help="also AUROC averaged over pairs of labels"
    )
    command.add_argument("--printed", action="store_true", help="also s-AUROC and s-AP as they were printed")
    command.add_argument("--pair", nargs=2, metavar="MODEL", help="list the cases that decide between two")
    command.add_argument("--metric", default="s-AUROC", help="what the cases decide; s-AUROC if left out")
    command.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the tables")
    command.set_defaults(run=_compare)


AUTO = "auto"


def _reliability(text: str) -> float | str:
    """Parse a reliability: a number above 0, inf, ∞ or auto."""
    if text == AUTO:
        return AUTO
    try:
        value = math.inf if text == "∞" else float(text)
    except ValueError:
        value = math.nan
    if not value > 0:
        raise argparse.ArgumentTypeError(f'must be a number above 0, "inf" or "auto", got {text!r}')
    return value


def _open(options: argparse.Namespace) -> int:
    """Start the dashboard and stay until it is stopped."""
    # -P: a folder called `core` or `dashboard` where the command is given must not get in the way.
    command = [sys.executable, "-P", "-m", "dashboard", str(options.study or sample_folder())]
    if options.port is not None:
        command += ["--port", str(options.port)]
    if options.no_browser:
        command.append("--no-browser")
    if os.name == "posix":
        # Become the server: whoever ends this command ends it, and nothing is left behind.
        os.execv(command[0], command)  # noqa: S606
    return subprocess.call(command)  # noqa: S603


def _check(options: argparse.Namespace) -> int:
    """Read a study and list its problems."""
    from core.study.folder import read_study

    study = read_study(options.study)
    _print_problems(study.notes)
    tasks = ", ".join(
        f"{task.name} ({task.kind}, {len(task.labels)} labels)" for task in study.tasks.values()
    )
    _say(f"{study.name}: {study.n_cases} cases, {len(study.rater_ids)} raters, tasks: {tasks}")
    _say(f"no errors, {len(study.notes)} warnings; fingerprint {study.fingerprint}")
    return 0


def _import(options: argparse.Namespace) -> int:
    """Read a published format and write a study folder."""
    from core.study.folder import write_study
    from core.study.formats import import_study

    _require_new(options.target)
    study = import_study(options.format, options.source)
    write_study(study, options.target)
    _print_problems(study.notes)
    readings = sum(task.readings.n_readings for task in study.tasks.values())
    _say(f"{options.target}: {study.n_cases} cases, {readings} readings")
    return 0


def _simulate(options: argparse.Namespace) -> int:
    """Draw a study with a known truth and write it."""
    from core.study.folder import write_study
    from core.study.simulate import simulate

    _require_new(options.target)
    simulated = simulate(options.kind, n_cases=options.cases, seed=options.seed)
    write_study(simulated.study, options.target)
    _say(f"{options.target}: {simulated.study.n_cases} simulated cases")
    return 0


def _evaluate(options: argparse.Namespace) -> int:
    """Aggregate, measure and write the tables."""
    from core.analysis.evaluate import evaluate, write_tables
    from core.study.folder import read_study

    study = read_study(options.study)
    _print_problems(study.notes)
    tables = evaluate(
        study,
        task_name=options.task,
        model=options.model,
        reliability=None if options.reliability == AUTO else options.reliability,
        auto=options.reliability == AUTO,
        ties=options.ties,
        prior=options.prior,
        draws=options.draws,
        with_sweep=options.sweep,
        progress=_progress,
    )
    for path in write_tables(tables, options.out):
        _say(str(path))
    return 0


def _experiment(options: argparse.Namespace) -> int:
    """Run a published simulation and write its table and picture."""
    from core.analysis.export import guarded_csv
    from core.analysis.perfect_predictor import perfect_predictor
    from core.analysis.perfect_predictor_picture import perfect_predictor_svg

    table = perfect_predictor(repeats=options.repeats, seed=options.seed, progress=_progress)
    settings = {
        "made by": f"Loupe {__version__}",
        "experiment": options.name,
        "seed": str(options.seed),
        "source": "Mimori 2021, fig. 2",
    }
    options.out.mkdir(parents=True, exist_ok=True)
    written = {".csv": guarded_csv(table, provenance=settings), ".svg": perfect_predictor_svg(table)}
    for suffix, text in written.items():
        path = options.out / f"{options.name}{suffix}"
        path.write_text(text, encoding="utf-8")
        _say(str(path))
    return 0


def _compare(options: argparse.Namespace) -> int:
    """Compare models and write the tables."""
    from core.analysis.compare import compare, write_comparison
    from core.study.folder import read_study

    study = read_study(options.study)
    _print_problems(study.notes)
    result = compare(
        study,
        task_name=options.task,
        label=options.label,
        model=options.model,
        reliability=options.reliability,
        rule=options.majority,
        coverage=options.coverage,
        annotations=options.annotations,
        n_draws=options.draws,
        label_pairs=options.label_pairs,
        printed=options.printed,
        models=None if options.pair is None else tuple(options.pair),
        metric=options.metric,
        progress=_progress,
    )
    for metric, reason in result.refused.items():
        print(f"warning: {metric} is left out: {reason}", file=sys.stderr)  # noqa: T201
    for path in write_comparison(result, options.out):
        _say(str(path))
    return 0


def _raters(options: argparse.Namespace) -> int:
    """Measure the raters and write the tables."""
    from core.analysis.raters.report import rater_report, write_rater_report
    from core.study.folder import read_study

    study = read_study(options.study)
    _print_problems(study.notes)
    report = rater_report(
        study,
        task_name=options.task,
        raters=None if options.raters is None else [name.strip() for name in options.raters.split(",")],
        standard=options.judged_by,
        given=options.accuracy,
        variability=options.variability,
        ordered=options.ordered,
        n_boot=options.resamples,
    )
    for path in write_rater_report(report, options.out):
        _say(str(path))
    for note in report.notes:
        _say(note)
    return 0


def _plan(options: argparse.Namespace) -> int:
    """Say how many raters and cases are needed."""
    from core.analysis.plan_report import plan_report, write_plans
    from core.study.folder import read_study

    study = None if options.study is None else read_study(options.study)
    report = plan_report(
        study,
        task_name=options.task,
        fineness=options.fineness,
        certainty=options.certainty,
        ranking=options.ranking,
        models=None if options.models is None else [name.strip() for name in options.models.split(",")],
        accuracy=options.accuracy,
        difficulty=options.difficulty,
        n_labels=options.labels,
    )
    for plan in report.plans.values():
        _say(plan.sentence)
    if options.out is not None:
        for path in write_plans(report, options.out):
            _say(str(path))
    return 0


def _require_new(target: Path) -> None:
    """Refuse to write over what is there."""
    if target.exists() and (target.is_file() or any(target.iterdir())):
        raise ValueError(f"TO must be a new or empty folder, got {target}, which holds files")


def _progress(share: float, what: str) -> None:
    """Show on standard error how far the work is; only where somebody looks."""
    if sys.stderr.isatty():
        end = "\n" if share >= 1 else ""
        print(f"\r\033[K{share:4.0%} {what}", end=end, file=sys.stderr, flush=True)  # noqa: T201


def _print_problems(problems: Sequence[Problem]) -> None:
    """Write problems to standard error, errors first."""
    for problem in sorted(problems, key=lambda p: p.severity != "error"):
        print(f"{problem.severity}: {problem}", file=sys.stderr)  # noqa: T201


def _say(text: str) -> None:
    """Write a line of the result."""
    print(text)  # noqa: T201


if __name__ == "__main__":
    sys.exit(main())
