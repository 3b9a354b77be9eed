"""What does not work between us and others: cells of the matrix, and what the protocol's public kits
say about the conformance agent."""

import tomllib

CELLS = "interop/matrix/expected.toml"
TCK = "interop/tck/results.toml"
ITK = "interop/itk/results.toml"


def render(root):
    """The part of `docs/conformance.md` about others."""
    out = []
    for part, path in ((matrix, CELLS), (compatibility, TCK), (integration, ITK)):
        out += part(tomllib.loads((root / path).read_text()))
    return out


def matrix(expected):
    """The cells that do not work, those of several bindings together."""
    groups = {}
    for cell in expected.get("cell", []):
        own = cell["peer"], cell["side"], cell["scenario"], cell["reason"], cell["see"]
        groups.setdefault(own, []).append(cell["binding"])
    out = [
        "",
        "## Between the SDKs",
        "",
        f"Every scenario of `interop/run` works over every binding, but for these cells (`{CELLS}`);",
        "a cell that begins to work is a failure until it is taken out. Not every mirror of Maven Central has the",
        "Java SDK: where it is not, a run of all peers does without, and says so.",
        "",
        "| peer | as | scenario | bindings | why not |",
        "| --- | --- | --- | --- | --- |",
    ]
    for (peer, side, scenario, reason, see), bindings in sorted(groups.items()):
        why = f"[{escaped(reason)}]({see})"
        out.append(f"| {peer} | {side} | `{scenario}` | {', '.join(sorted(bindings))} | {why} |")
    return out


def compatibility(results):
    """What did not pass, test by test."""
    out = [
        "",
        "## Compatibility kit",
        "",
        f"`a2aproject/a2a-tck`, branch `1.0-dev`, commit `{results['commit']}`, run by `interop/tck/run` and recorded",
        f"in `{TCK}`. What fails is what `interop/tck/expected.toml` expects.",
        "",
        "| run | passed | failed | skipped |",
        "| --- | --- | --- | --- |",
    ]
    rows = {}
    for run in results["runs"]:
        counts = [str(run.get(outcome, 0)) for outcome in ("passed", "failed", "skipped")]
        out.append("| " + " | ".join([f"`{run['name']}`", *counts]) + " |")
        for other in run.get("others", []):
            for test in other["tests"]:
                rows.setdefault((other["outcome"], other["reason"], test), []).append(run["name"])
    out += ["", "| test | outcome | runs | reason |", "| --- | --- | --- | --- |"]
    for (outcome, reason, test), runs in sorted(rows.items()):
        out.append(f"| `{test}` | {outcome} | {', '.join(runs)} | {escaped(reason)} |")
    return out


def integration(results):
    """All scenarios: there are few."""
    outcomes = results["results"]
    failed = [name for name, outcome in outcomes.items() if outcome != "passed"]
    passed = [name for name in outcomes if name not in failed]
    return [
        "",
        "## Integration kit",
        "",
        f"`a2aproject/a2a-itk`, commit `{results['commit']}`, with its Python, JavaScript and Go agents, run by",
        f"`interop/itk/run` and recorded in `{ITK}`: {len(passed)} scenarios passed, {len(failed)} failed.",
        "",
        *(f"- failed: `{name}`" for name in failed),
        "- passed: " + ", ".join(f"`{name}`" for name in passed),
    ]


def escaped(text):
    return text.replace("|", "\\|")
