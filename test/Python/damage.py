"""Damage to files, as a generator draws it: bytes, texts, JSON, and messages of protobuf."""

import json
import struct

NUMBERS = [0, 1, 2, 3, -1, 4, 8, 31, 64, 65, 128, 2**31 - 1, 2**31, 2**32, 2**63 - 1, -(2**63)]
FLOATS = [0.0, -0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), 1e-45, 3.4e38, 1e300]


def change_bytes(content, rng):
    """A few bytes or words changed, a part taken out or put in, or the end cut off."""
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 4])):
        at, kind = rng.randrange(len(changed) or 1), rng.randrange(8)
        if kind < 2:
            changed[at : at + 1] = rng.randbytes(1)
        elif kind == 2:
            del changed[at : at + rng.randrange(1, 20)]
        elif kind == 3:
            start = rng.randrange(len(changed) or 1)
            changed[at:at] = changed[start : start + rng.randrange(1, 20)]
        elif kind == 4 and rng.random() < 0.2:
            del changed[at:]
        elif len(changed) >= 8:
            at &= ~3
            at = min(at, len(changed) - 4)
            (word,) = struct.unpack_from("<i", changed, at)
            word = rng.choice([word + rng.randrange(-8, 9), rng.choice(NUMBERS)])
            struct.pack_into("<I", changed, at, word & 0xFFFFFFFF)
    return bytes(changed)


def change_text(text, rng):
    """Cut or doubled, and with an end that some reader may stumble on."""
    ends = ["", "\n", "\0", "\x7f", "é", "'", '"', "*/", "</p>", "\ud800", "a" * 300]
    start = text[: rng.randrange(len(text) + 1)] if rng.random() < 0.5 else text + text
    return start + rng.choice(ends)


def change_json(value, rng):
    """The value with one thing within changed; texts and numbers of it may meet elsewhere."""
    places = []  # (container, key)

    def walk(node):
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, child in list(items):
            places.append((node, key))
            if isinstance(child, (dict, list)):
                walk(child)

    value = json.loads(json.dumps(value))
    walk([value] if not isinstance(value, (dict, list)) else value)
    for _ in range(rng.choice([1, 1, 2, 3])):
        if not places:
            break
        container, key = rng.choice(places)
        try:
            old, other = container[key], rng.choice(places)
            kind = rng.randrange(6)
            if kind == 0:
                del container[key]
            elif kind == 1 and isinstance(container, list):
                container.insert(key, old)
            elif kind == 1:
                container[change_text(key, rng)] = old
            elif kind == 2:
                container[key] = json.loads(json.dumps(other[0][other[1]]))
            elif kind == 3 and isinstance(old, str):
                container[key] = change_text(old, rng)
            else:
                container[key] = rng.choice(
                    [*NUMBERS, *FLOATS, None, True, [], {}, "", [[]], 2**80]
                )
        except (KeyError, IndexError):  # what is no longer there
            continue
    return value


def change_json_text(content, rng):
    if rng.random() < 0.3:
        return change_bytes(content, rng)
    changed = change_json(json.loads(content), rng)
    text = json.dumps(changed, ensure_ascii=rng.random() < 0.5)
    return text.encode(errors="surrogatepass")


def change_message(message, rng):
    """A protobuf, in place: fields of any message within it."""
    messages = [message]
    for one in messages:
        for field, value in one.ListFields():
            if field.type == field.TYPE_MESSAGE:
                messages += value if field.is_repeated else [value]
    for _ in range(rng.choice([1, 1, 2, 3])):
        one = rng.choice(messages)
        fields = [field for field, _ in one.ListFields()]
        if rng.random() < 0.2:
            fields = list(one.DESCRIPTOR.fields)
        if fields:
            _change_field(one, rng.choice(fields), rng)


def _change_field(message, field, rng):
    if field.is_repeated:
        values = getattr(message, field.name)
        kind = rng.randrange(4)
        if values and kind == 0:
            del values[rng.randrange(len(values))]
            return
        if field.type == field.TYPE_MESSAGE:
            if values:
                values.add().CopyFrom(rng.choice(values))
            else:
                values.add()
            return
        if values and kind > 1:
            values[rng.randrange(len(values))] = _change_value(field, rng.choice(values), rng)
        else:
            values.append(_change_value(field, rng.choice(values) if values else None, rng))
    elif rng.random() < 0.2:
        message.ClearField(field.name)
    elif field.type == field.TYPE_MESSAGE:
        getattr(message, field.name).SetInParent()
    else:
        value = _change_value(field, getattr(message, field.name), rng)
        setattr(message, field.name, value)


def _change_value(field, value, rng):
    if field.cpp_type in (field.CPPTYPE_FLOAT, field.CPPTYPE_DOUBLE):
        return rng.choice(FLOATS)
    if field.type == field.TYPE_BYTES:
        return change_bytes(value or b"x", rng)
    if field.type == field.TYPE_STRING:
        return change_text(value or "x", rng).encode(errors="replace").decode()
    if field.type == field.TYPE_ENUM:
        return rng.choice(field.enum_type.values).number
    size = 2 ** (32 if field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_UINT32) else 64)
    number = rng.choice([*NUMBERS, (value or 0) + rng.randrange(-3, 4)]) % size
    is_signed = field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_INT64)
    return number - size if is_signed and number >= size // 2 else number
