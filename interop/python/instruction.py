"""Instructions of the interop kit (protobuf package `itk`), written byte by byte."""

from a2a.types import a2a_pb2 as pb


def say(text, *, hold=False):
    """Gives a text, and perhaps holds the task."""
    return _field(2, _field(1, text) + (_field(2, 1) if hold else b''))


def steps(*instructions):
    """One after the other; the results are put together."""
    return _field(3, b''.join(_field(1, each) for each in instructions) + _field(2, 1))


def call(base, transport, instruction, *, streaming=False, push=None, resubscribe=False):
    """Has another agent follow an instruction."""
    fields = _field(1, transport) + _field(2, base) + _field(3, instruction) + _field(4, int(streaming))
    if push:
        return _field(1, fields + _field(6, _field(1, push)))
    return _field(1, fields + _field(7 if resubscribe else 5, b''))


def part(instruction):
    """The part that carries an instruction."""
    return pb.Part(raw=instruction, media_type='application/x-protobuf', filename='instruction.bin')


def _field(number, value):
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    value = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(value)) + value


def _varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])
