"""Functions stay short and flat: read by a stranger, one at a time."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("core", "dashboard", "sample_data", "tests")
MOST_LINES, DEEPEST = 60, 5

Function = ast.FunctionDef | ast.AsyncFunctionDef
BLOCKS = (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.Match)
REASON = re.compile(r"# (readable: |noqa: C901[A-Z0-9, ]* - )\w")
"""Stands before the reason, in the header, for which a function may be longer or deeper, or more complex."""


NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}


def with_code(source: str) -> set[int]:
    """Numbers of the lines on which there is more than comments and blanks."""
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    spans = (range(one.start[0], one.end[0] + 1) for one in tokens if one.type not in NO_CODE)
    return {line for span in spans for line in span}


def lines_of_code(function: Function, of_code: set[int]) -> int:
    """Number of lines with code, from ``def`` to the end, without the docstring."""
    first = function.body[0]
    quoted = range(0)
    if ast.get_docstring(function) is not None:
        quoted = range(first.lineno, (first.end_lineno or first.lineno) + 1)
    own = range(function.lineno, (function.end_lineno or 0) + 1)
    return sum(line in of_code and line not in quoted for line in own)


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """What stands below a node and may hold statements itself: no expression does."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        yield from getattr(node, name, ())


def functions_in(node: ast.AST) -> Iterator[Function]:
    """All functions below a node, however deep."""
    for child in statements(node):
        if isinstance(child, Function):
            yield child
        yield from functions_in(child)


def depth(node: ast.AST, above: int = 0) -> int:
    """Number of blocks one within another below a node; ``elif`` stands beside its ``if``."""
    deepest = above
    for child in statements(node):
        if isinstance(child, Function | ast.ClassDef):
            continue
        is_elif = isinstance(node, ast.If) and isinstance(child, ast.If) and node.orelse == [child]
        deepest = max(deepest, depth(child, above + (isinstance(child, BLOCKS) and not is_elif)))
    return deepest


def faults(source: str) -> Iterator[tuple[int, str, int, int]]:
    """Line, name, lines of code and depth of each function above a limit without a reason beside it."""
    lines = source.splitlines()
    functions = [*functions_in(ast.parse(source))]
    # Most files have no function that could be too long, whatever of it is code: these need no tokens.
    is_long = any((node.end_lineno or 0) - node.lineno >= MOST_LINES for node in functions)
    of_code = with_code(source) if is_long else {*range(1, len(lines) + 1)}
    for node in functions:
        length, nested = lines_of_code(node, of_code), depth(node)
        if length > MOST_LINES or nested > DEEPEST:
            header = "\n".join(lines[node.lineno - 1 : node.body[0].lineno])
            if not REASON.search(header):
                yield node.lineno, node.name, length, nested


def test_functions_are_short_and_flat() -> None:
    """At most 60 lines of code and five blocks one within another, unless a reason stands beside it."""
    found = [
        f"{path.relative_to(ROOT)}:{line} {name}: {length} lines of code, {nested} deep"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name, length, nested in faults(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_a_long_and_a_deep_function_are_found() -> None:
    """The counts leave out docstring, comments and blank lines; a reason is heard."""
    long = "def f():\n    '''One.\n\n    Two.\n    '''\n\n" + "    x = 1\n    # why\n" * MOST_LINES
    assert list(faults(long)) == [(1, "f", MOST_LINES + 1, 0)]
    assert not list(faults(long.replace("def f():", "def f():  # readable: a table")))
    deep = "def g():\n" + "".join(" " * (i + 1) + "if x:\n" for i in range(DEEPEST + 1)) + " " * 9 + "y = 1\n"
    assert list(faults(deep)) == [(1, "g", DEEPEST + 3, DEEPEST + 1)]
    inner = (
        "class C:\n try:\n  x\n except E:\n  match x:\n   case 1:\n" + " " * 4 + deep.replace("\n", "\n    ")
    )
    assert list(faults(inner)) == [(7, "g", DEEPEST + 3, DEEPEST + 1)]
    assert [one.name for one in functions_in(ast.parse(inner))] == ["g"]
    flat = "def h():\n if x:\n  y = 1\n" + " elif x:\n  y = 1\n" * 9
    assert not list(faults(flat))
