"""Compares our ProtoJSON with Google's own implementation, on values, not on text.

    pip install 'a2a-sdk'
    python interop/protojson/check.py [--seed N] [--messages N]

Three parts, all against `cargo run -p a2a-types --example protojson`:

* random messages of every type of the proto: Python -> JSON -> Rust -> JSON and binary -> Python,
  and Python -> binary -> Rust -> JSON and binary -> Python, each time the same message;
* tricky texts (tricky.py): both accept one and read the same message, or both refuse it;
* wanted deviations, in the same file with the reason: there we must differ exactly as it says.

Exit code 0: as expected. 1: not.
"""

import argparse
import base64
import json
import random
import subprocess
import sys
from pathlib import Path

from a2a.types import a2a_pb2
from google.protobuf import json_format

import generate
import tricky

ROOT = Path(__file__).resolve().parents[2]
COMMAND = ["cargo", "run", "--quiet", "-p", "a2a-types", "--example", "protojson"]
MESSAGES = [
    getattr(a2a_pb2, name) for name in a2a_pb2.DESCRIPTOR.message_types_by_name
]


def ask(questions):
    """Sends all questions to the Rust side and returns its answers."""
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    done = subprocess.run(COMMAND, cwd=ROOT, input=lines, capture_output=True, text=True, check=True)
    answers = [json.loads(line) for line in done.stdout.split("\n") if line]
    assert len(answers) == len(questions), done.stderr
    return answers


def read(cls, text):
    """What Python makes of the text; an exception's text when it refuses."""
    message = cls()
    try:
        json_format.Parse(text, message, ignore_unknown_fields=True)
    except json_format.ParseError as error:
        return None, str(error)
    return message, None


def canonical(message):
    """A message as bytes that are the same for the same value."""
    return message.SerializeToString(deterministic=True)


def compare_answer(cls, expected, answer):
    """Why an answer is not the expected message, or None."""
    if "error" in answer:
        return f"refused: {answer['error']}"
    back, error = read(cls, answer["json"])
    if error:
        return f"Python refuses our JSON: {error}\n    {answer['json']}"
    if canonical(back) != canonical(expected):
        return f"our JSON is another message: {answer['json']}"
    binary = cls.FromString(base64.b64decode(answer["binary"]))
    if canonical(binary) != canonical(expected):
        return "our binary is another message"
    return None


def check_random(rng, count):
    """Random messages of every type, in both forms."""
    cases, questions = [], []
    for cls in MESSAGES:
        for index in range(count):
            message = generate.message(rng, cls, full=index == 0)
            for name, form in forms(rng, message):
                cases.append((cls, name, message))
                questions.append({"type": cls.DESCRIPTOR.name} | form)
    failures = []
    for (cls, name, message), answer in zip(cases, ask(questions)):
        problem = compare_answer(cls, message, answer)
        if problem:
            failures.append(f"{cls.DESCRIPTOR.name} from {name}: {problem}\n    {message!r}")
    return len(cases), failures


def forms(rng, message):
    """The ways in which Python can say a message."""
    yield "JSON", {"json": json_format.MessageToJson(message, indent=None)}
    keep, all_fields, numbers = rng.random() < 0.5, rng.random() < 0.5, rng.random() < 0.5
    text = json_format.MessageToJson(
        message,
        preserving_proto_field_name=keep,
        always_print_fields_with_no_presence=all_fields,
        use_integers_for_enums=numbers,
        ensure_ascii=False,
        indent=1,
    )
    yield "other JSON", {"json": text}
    yield "binary", {"binary": base64.b64encode(message.SerializeToString()).decode()}


def check_texts(cases):
    """Texts on which both sides must agree."""
    failures = []
    for (name, text), answer in zip(cases, ask([question(case) for case in cases])):
        cls = getattr(a2a_pb2, name)
        expected, refusal = read(cls, text)
        if refusal is None:
            problem = compare_answer(cls, expected, answer)
        else:
            problem = None if "error" in answer else f"Python refuses it: {refusal}"
        if problem:
            failures.append(f"{name} {text}: {problem}")
    return failures


def check_deviations(cases):
    """Texts on which we differ: `ours` is the JSON that we write, or None when we refuse."""
    failures = []
    answers = ask([question(case) for case in cases])
    for (name, text, ours, reason), answer in zip(cases, answers):
        got = answer.get("json")
        if got != ours:
            got = got or answer["error"]
            failures.append(f"{name} {text}: {got} instead of {ours} ({reason})")
        if tree(ours) == tree(rewritten(getattr(a2a_pb2, name), text)):
            failures.append(f"{name} {text}: no deviation any more ({reason})")
    return failures


def rewritten(cls, text):
    """What Python makes of the text, as JSON; None when it refuses."""
    message, refusal = read(cls, text)
    if refusal:
        return None
    try:
        return json_format.MessageToJson(message, indent=None)
    except json_format.SerializeToJsonError:
        return '"read, but cannot be written"'


def tree(text):
    """JSON with its numbers as they are spelled; None for a refusal."""
    return text and json.loads(text, parse_int=str, parse_float=str)


def question(case):
    return {"type": case[0], "json": case[1]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--messages", type=int, default=8, help="random messages of each type")
    arguments = parser.parse_args()
    count, failures = check_random(random.Random(arguments.seed), arguments.messages)
    texts, deviations = tricky.agreed(), tricky.deviations()
    failures += check_texts(texts)
    failures += check_deviations(deviations)
    for failure in failures:
        print(failure)
    print(
        f"{count} random inputs over {len(MESSAGES)} types, {len(texts)} tricky texts, "
        f"{len(deviations)} wanted deviations: {len(failures)} failures"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
