"""Random messages, from the descriptor alone."""

from google.protobuf import struct_pb2, timestamp_pb2
from google.protobuf.descriptor import FieldDescriptor

TEXTS = [
    "",
    "plain",
    "if a<b && c>d",
    "\\u003c",
    'quotes " and \\ and / and \t\n\r\b\f',
    "\x00\x1f\x7f",
    "中文 ünïcödé \u2028\u2029",
    "\U0001f600 \U0010ffff",
    "null",
    "0",
]
NUMBERS = [0.0, 1.0, -1.0, 0.1, 1e-7, 1.5e300, 5e-324, 1e15, 1e16, 1e21, 2.0**53, -(2.0**53)]
# The first and the last second that have a text, and what is around a leap day and around 1970.
SECONDS = [-62135596800, 253402300799, 951782400, 1709164800, -1, 0, 1]


def message(rng, cls, full=False, depth=0):
    """A message; `full` sets every field that can be set, at its top."""
    made = cls()
    fill(rng, made, full, depth)
    return made


def fill(rng, made, full, depth):
    descriptor = made.DESCRIPTOR
    if descriptor.full_name == "google.protobuf.Timestamp":
        made.CopyFrom(timestamp(rng))
    elif descriptor.full_name == "google.protobuf.Struct":
        made.CopyFrom(struct(rng, 0))
    elif descriptor.full_name == "google.protobuf.Value":
        made.CopyFrom(value(rng, 0))
    else:
        for field in descriptor.fields:
            if full or rng.random() < 0.6 / (1 + depth * 0.3):
                set_field(rng, made, field, depth)


def set_field(rng, made, field, depth):
    if is_map(field):
        entry = field.message_type.fields_by_name["value"]
        for _ in range(rng.randrange(3)):
            key = text(rng)
            if entry.message_type:
                fill(rng, getattr(made, field.name)[key], False, depth + 1)
            else:
                getattr(made, field.name)[key] = scalar(rng, entry)
    elif field.is_repeated:
        for _ in range(rng.randrange(4)):
            if field.message_type:
                fill(rng, getattr(made, field.name).add(), False, depth + 1)
            else:
                getattr(made, field.name).append(scalar(rng, field))
    elif field.message_type:
        getattr(made, field.name).SetInParent()
        fill(rng, getattr(made, field.name), False, depth + 1)
    else:
        setattr(made, field.name, scalar(rng, field))


def is_map(field):
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def scalar(rng, field):
    if field.type == FieldDescriptor.TYPE_STRING:
        return text(rng)
    if field.type == FieldDescriptor.TYPE_BYTES:
        return rng.randbytes(rng.choice([0, 1, 2, 3, 4, 5, 100, 5000]))
    if field.type == FieldDescriptor.TYPE_BOOL:
        return rng.random() < 0.5
    if field.type == FieldDescriptor.TYPE_INT32:
        return rng.choice([0, 1, -1, 50, 2**31 - 1, -(2**31), rng.randrange(-1000, 1000)])
    if field.type == FieldDescriptor.TYPE_ENUM:
        # Now and then a number that only a newer protocol knows.
        known = [value.number for value in field.enum_type.values]
        return rng.choice(known * 3 + [99, -5])
    raise NotImplementedError(field.full_name)


def text(rng):
    if rng.random() < 0.5:
        return rng.choice(TEXTS)
    # Every character but the surrogates, which are not characters.
    points = [rng.randrange(0xD800) if rng.random() < 0.7 else rng.randrange(0xE000, 0x110000)
              for _ in range(rng.randrange(12))]
    return "".join(map(chr, points))


def timestamp(rng):
    """With milliseconds alone: what is finer is cut off when written, see tricky.py."""
    seconds = rng.choice(SECONDS + [rng.randrange(SECONDS[0], SECONDS[1])])
    return timestamp_pb2.Timestamp(seconds=seconds, nanos=rng.randrange(1000) * 1_000_000)


def struct(rng, depth):
    made = struct_pb2.Struct()
    for _ in range(rng.randrange(4)):
        made.fields[text(rng)].CopyFrom(value(rng, depth + 1))
    return made


def value(rng, depth):
    kind = rng.randrange(4 if depth > 4 else 6)
    if kind == 0:
        return struct_pb2.Value(null_value=struct_pb2.NULL_VALUE)
    if kind == 1:
        return struct_pb2.Value(number_value=number(rng))
    if kind == 2:
        return struct_pb2.Value(string_value=text(rng))
    if kind == 3:
        return struct_pb2.Value(bool_value=rng.random() < 0.5)
    if kind == 4:
        return struct_pb2.Value(struct_value=struct(rng, depth))
    made = struct_pb2.Value(list_value=struct_pb2.ListValue())
    for _ in range(rng.randrange(4)):
        made.list_value.values.add().CopyFrom(value(rng, depth + 1))
    return made


def number(rng):
    return rng.choice(NUMBERS + [float(rng.randrange(-(10**9), 10**9)), rng.gauss(0, 1e6)])
