"""Compares our proto with the one inside the official Python package.

    pip install 'a2a-sdk'
    python interop/descriptor/check.py

Messages, fields, numbers, types, labels, enums, the service, and the options of methods, fields and
enum values have to be the same. File options, JSON names and comments do not count.
Exit code 0: no difference. 1: there are some, one a line.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from a2a.types import a2a_pb2
from google.protobuf import descriptor_pb2

ROOT = Path(__file__).resolve().parents[2]
FIELD = descriptor_pb2.FieldDescriptorProto


def our_file():
    """Our file, compiled by the generator, without its comments."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "descriptor.bin"
        command = ["cargo", "run", "--quiet", "-p", "a2a-codegen", "--", "--descriptor", str(path)]
        subprocess.run(command, cwd=ROOT, check=True)
        files = descriptor_pb2.FileDescriptorSet.FromString(path.read_bytes())
    return next(file for file in files.file if file.package == "lf.a2a.v1")


def their_file():
    file = descriptor_pb2.FileDescriptorProto()
    a2a_pb2.DESCRIPTOR.CopyToProto(file)
    return file


def options(item):
    """The options as text; extensions are known here, because a2a_pb2 imports their files."""
    known = type(item.options).FromString(item.options.SerializeToString())
    return " ".join(str(known).split())


def facts(file):
    """Everything that counts, as a flat table."""
    found = {"syntax": file.syntax, "package": file.package}
    found["imports"] = sorted(file.dependency)
    for enum in file.enum_type:
        enum_facts(found, enum.name, enum)
    for message in file.message_type:
        message_facts(found, message.name, message)
    for service in file.service:
        found[f"service {service.name}"] = options(service)
        for number, method in enumerate(service.method):
            name = f"rpc {service.name}.{method.name}"
            found[name] = (
                number,
                method.input_type,
                method.output_type,
                method.client_streaming,
                method.server_streaming,
                options(method),
            )
    return found


def enum_facts(found, name, enum):
    found[f"enum {name}"] = options(enum)
    for value in enum.value:
        found[f"enum value {name}.{value.name}"] = (value.number, options(value))


def message_facts(found, name, message):
    found[f"message {name}"] = (
        options(message),
        [oneof.name for oneof in message.oneof_decl],
        [(r.start, r.end) for r in message.reserved_range],
        list(message.reserved_name),
        [(r.start, r.end) for r in message.extension_range],
    )
    for position, field in enumerate(message.field):
        oneof = None
        if field.HasField("oneof_index"):
            oneof = message.oneof_decl[field.oneof_index].name
        found[f"field {name}.{field.name}"] = (
            position,
            field.number,
            FIELD.Type.Name(field.type),
            FIELD.Label.Name(field.label),
            field.type_name,
            field.default_value,
            field.proto3_optional,
            oneof,
            options(field),
        )
    for nested in message.nested_type:
        message_facts(found, f"{name}.{nested.name}", nested)
    for nested in message.enum_type:
        enum_facts(found, f"{name}.{nested.name}", nested)


def main():
    ours, theirs = our_file(), their_file()
    our_facts, their_facts = facts(ours), facts(theirs)
    differences = 0
    for name in sorted(our_facts.keys() | their_facts.keys()):
        mine, other = our_facts.get(name, "absent"), their_facts.get(name, "absent")
        if mine != other:
            differences += 1
            print(f"{name}\n  ours:   {mine}\n  theirs: {other}")
    for side, file in (("ours", ours), ("theirs", theirs)):
        rpcs = sum(len(service.method) for service in file.service)
        fields = sum(len(message.field) for message in file.message_type)
        print(
            f"{side}: {rpcs} RPCs, {len(file.message_type)} messages, {fields} fields, "
            f"{len(file.enum_type)} enums"
        )
    print(f"{differences} differences in {len(their_facts)} facts")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
