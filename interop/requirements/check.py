#!/usr/bin/env python3
"""Which test covers which requirement of the protocol.

`docs/requirements.tsv` lists the requirements, with their levels, in our own words. A test names
those that it covers in a comment above it: `// A2A-3.1.4-02`. A scenario of the matrix between the
SDKs names them behind its decorator. This program

- fails when an absolute requirement (MUST, MUST NOT) has neither a test nor a state in the list,
  when a test names a requirement that is not in the list, and when the list is malformed;
- fails when a scenario or behaviour of `behaviours.py` has no test;
- writes `docs/conformance.md`, or with `--check` fails when that is not what it would write. What does
  not work between the SDKs is in there, too, and what the public kits say.

A state is `documentation` (to be read in the note's place), `review` (a rule for those who change
the code) or `later` (the note says what it waits for). A test outweighs a state.
"""

import os
import pathlib
import re
import sys

import behaviours
import peers

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIST = ROOT / "docs" / "requirements.tsv"
OUTPUT = ROOT / "docs" / "conformance.md"
COLUMNS = ["id", "level", "side", "state", "note", "requirement"]
LEVELS = ["MUST", "MUST NOT", "SHOULD", "SHOULD NOT", "MAY", "implied"]
STATES = ["", "documentation", "review", "later"]
ID = re.compile(r"\bA2A-((?:\d+(?:\.\d+)*|A\.\d+|T)-\d\d)\b")
SKIPPED = {"target", "node_modules", ".git", ".venv", "venv", "docs"}
SHOWN = 3
# What stands before the name of a scenario.
MATRIX = "matrix/"


def main():
    rows = read_list()
    tests = find_tests(named)
    shown = find_tests(behaviours.ID.findall)
    problems = check(rows, tests) + behaviours.check(shown)
    text = render(rows, tests, shown)
    if "--check" in sys.argv[1:]:
        if not OUTPUT.exists() or OUTPUT.read_text() != text:
            problems.append(f"{name(OUTPUT)} is stale: run interop/requirements/check.py")
    else:
        OUTPUT.write_text(text)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


def read_list():
    lines = LIST.read_text().splitlines()
    assert lines[0].split("\t") == COLUMNS, f"{name(LIST)}: wrong columns"
    rows = []
    for line in lines[1:]:
        cells = line.split("\t")
        assert len(cells) == len(COLUMNS), f"{name(LIST)}: {line}"
        rows.append(dict(zip(COLUMNS, cells)))
    return rows


def find_tests(named):
    """The tests by what they name."""
    found = {}
    for path in sources():
        lines = path.read_text(errors="replace").splitlines()
        for number, line in enumerate(lines):
            comment = line.strip().startswith(("//", "#", "@scenario("))
            ids = named(line) if comment else []
            test = ids and (test_below(path, lines, number) or test_around(path, lines, number))
            for id in ids:
                if test:
                    found.setdefault(id, set()).add(test)
    return found


def sources():
    own = pathlib.Path(__file__).resolve()
    for folder, folders, files in os.walk(ROOT):
        folders[:] = sorted(set(folders) - SKIPPED)
        for file in sorted(files):
            path = pathlib.Path(folder, file)
            if path.suffix in (".rs", ".py") and path != own:
                yield path


def named(line):
    """The requirements that a comment names: `A2A-3.1.4-02`, and `A2A-3.1.4-01 to -05` for all of
    them."""
    ids = []
    for match in ID.finditer(line):
        section, _, first = match[1].rpartition("-")
        last = re.match(r" to -(\d\d)\b", line[match.end() :])
        numbers = range(int(first), int(last[1] if last else first) + 1)
        ids += [f"A2A-{section}-{number:02}" for number in numbers]
    return ids


def test_below(path, lines, number):
    """The test that a comment stands above."""
    is_test = "testkit" in path.parts
    if lines[number].startswith("@scenario("):
        return MATRIX + re.match(r"async def (\w+)", lines[number + 1])[1].removesuffix("_")
    for line in lines[number + 1 : number + 12]:
        line = line.strip()
        if path.suffix == ".py":
            match = re.match(r"(?:async )?def (test_\w+)", line)
            if match:
                return match[1]
            if line and not line.startswith(("#", "@")):
                return None
            continue
        match = re.match(r"(?:pub(?:\([^)]*\))? )?(?:async )?fn (\w+)", line)
        if match:
            return match[1] if is_test else None
        if re.match(r"#\[(?:tokio::)?test\b", line):
            is_test = True
        elif not line.startswith(("//", "#[", ")]")) and not re.match(r"\w+ = ", line):
            return None
    return None


def test_around(path, lines, number):
    """The test that a comment stands in."""
    if path.suffix != ".rs":
        return None
    for above in range(number, -1, -1):
        match = re.match(r"\s*(?:pub(?:\([^)]*\))? )?(?:async )?fn (\w+)", lines[above])
        if match:
            marked = any("test" in line and "#[" in line for line in lines[max(0, above - 4) : above])
            return match[1] if marked or "testkit" in path.parts else None
    return None


def check(rows, tests):
    problems = []
    ids = [row["id"] for row in rows]
    for row in rows:
        id = row["id"]
        if not ID.fullmatch(id) or ids.count(id) > 1:
            problems.append(f"{name(LIST)}: {id} is no id, or there twice")
        if row["level"] not in LEVELS or row["state"] not in STATES or not row["requirement"]:
            problems.append(f"{name(LIST)}: {id} is malformed")
        if row["state"] in ("later", "documentation") and not row["note"]:
            problems.append(f"{name(LIST)}: {id} needs a note")
        absolute = row["level"] in ("MUST", "MUST NOT")
        if absolute and id not in tests and not row["state"]:
            problems.append(f"{id} has no test: {row['requirement']}")
    for id in sorted(set(tests) - set(ids)):
        problems.append(f"{id} is not in {name(LIST)}; named by {', '.join(sorted(tests[id]))}")
    return problems


def render(rows, tests, shown):
    out = [
        "# Conformance",
        "",
        "Every requirement of A2A 1.0 that this project knows of, and what shows that it is met.",
        "Made by `interop/requirements/check.py` from `docs/requirements.tsv` and the comments above the tests;",
        "do not edit.",
        "",
        "- **tested**: by the tests named here, and perhaps by more of them. `matrix/NAME` is a scenario that",
        "  runs between us and each official SDK, both ways, over every binding (`interop/run`).",
        "- **documentation**: something to be told, and where it is.",
        "- **review**: a rule for whoever changes the code; no test can show it.",
        "- **later**: not there yet, and what it waits for.",
        "- **—**: no test of its own. Never a MUST.",
        "",
    ]
    out += summary(rows, tests)
    section = None
    for row in rows:
        own = row["id"].removeprefix("A2A-").rpartition("-")[0]
        if own != section:
            section = own
            title = "Topic pages" if own == "T" else f"§{own}"
            out += ["", f"## {title}", "", "| id | level | requirement | state |", "| --- | --- | --- | --- |"]
        cells = [row["id"], row["level"], row["requirement"], state(row, tests)]
        out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    out += behaviours.render(shown) + peers.render(ROOT)
    return "\n".join(out) + "\n"


def summary(rows, tests):
    kinds = ["tested", "documentation", "review", "later", "—"]
    out = ["| level | " + " | ".join(kinds) + " |", "| --- |" + " --- |" * len(kinds)]
    for level in LEVELS:
        own = [state(row, tests).split(":")[0] for row in rows if row["level"] == level]
        out.append(f"| {level} | " + " | ".join(str(own.count(kind)) for kind in kinds) + " |")
    return out


def state(row, tests):
    found = sorted(tests.get(row["id"], []))
    scenarios = [name for name in found if name.startswith(MATRIX)]
    names = [name for name in found if name not in scenarios]
    if found:
        shown = names[:SHOWN] + scenarios
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return "tested: " + ", ".join(f"`{name}`" for name in shown) + more
    return ": ".join(filter(None, [row["state"], row["note"]])) or "—"


def name(path):
    return path.relative_to(ROOT)


if __name__ == "__main__":
    sys.exit(main())
