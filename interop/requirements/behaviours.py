"""Which checks show the scenarios of interoperation (I) and the behaviours where peers or documents
differ (B). A test names them in a comment above it or in it, as it names requirements: `// B3, I14`."""

import re

ID = re.compile(r"(?<![\w-])([IB](?:1[0-4]|[1-9]))(?![\w-])")
SHOWN = 4

SCENARIOS = {
    "I1": "The same message over every binding of the card has the same result.",
    "I2": "The same failure over every binding has that binding's code and one ErrorInfo.",
    "I3": "A call without a version to an interface of 1.0 alone is refused as an unsupported version.",
    "I4": "Version 1.0 is served, 9.9 is refused.",
    "I5": "Version 1.0.1 is served: the patch takes no part.",
    "I6": "The name of the version's header is read in any case, also as metadata.",
    "I7": "Several extensions of one header are all seen; a required one that is left out is an error.",
    "I8": "A tenant in the message and one in the path are the same tenant.",
    "I9": "A client of gRPC alone calls the entry of gRPC, wherever it stands in the card.",
    "I10": "Of two entries of one binding, 0.3 and 1.0, the one is called that has the client's version.",
    "I11": "Events over JSON-RPC are whole responses, over HTTP+JSON they are bare.",
    "I12": "Filters and page size of a list in the query apply.",
    "I13": "An unknown field of a request changes nothing.",
    "I14": "A client that subscribes by GET first tries POST when there is no such route.",
}

BEHAVIOURS = {
    "B1": "Subscriptions over HTTP+JSON: both verbs are served; the client tries POST, then GET.",
    "B2": "When a stream ends: after a message, a terminal event or INPUT_REQUIRED, a subscription at the end alone.",
    "B3": "What a webhook is sent, when it is sent again, and when it is given up.",
    "B4": "`historyLength`: unset is all, 0 is none, the same in every operation.",
    "B5": "Pages of lists: opaque tokens, sizes from 1 to 100, newest first.",
    "B6": "A message to a finished task is an unsupported operation.",
    "B7": "Which versions are served, and that none means 0.3.",
    "B8": "Content types: which are taken, and which one an answer has.",
    "B9": "A message with a task id alone belongs to the context of that task.",
    "B10": "A context id that is not the task's is refused, also when the task has finished.",
    "B11": "An append to an artifact that is not there begins it.",
    "B12": "Somebody else's task is not found, in every operation.",
    "B13": "The extended card is for known callers.",
    "B14": "A message that is sent again finds its task.",
}


def check(found):
    """What has no check."""
    return [f"{id} has no test: {text}" for id, text in {**SCENARIOS, **BEHAVIOURS}.items() if not found.get(id)]


def render(found):
    """The part of `docs/conformance.md` about them."""
    return [
        *table("Scenarios of interoperation", SCENARIOS, found),
        *table("Where peers or documents differ", BEHAVIOURS, found),
    ]


def table(title, texts, found):
    out = ["", f"## {title}", "", "| id | what holds | shown by |", "| --- | --- | --- |"]
    for id, text in texts.items():
        names = sorted(found.get(id, []))
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        out.append(f"| {id} | {text} | {', '.join(f'`{name}`' for name in names[:SHOWN])}{more} |")
    return out
