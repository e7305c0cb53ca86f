"""Strict JSON (I-JSON, RFC 7493) and its canonical form (JCS, RFC 8785)."""

from __future__ import annotations

import json
import math
from typing import Any, Dict, List, Tuple

from .errors import ProtocolError

#: How deep a value that is hashed may nest.
MAX_DEPTH = 256

#: How much deeper the documents may nest that carry such values.
ENVELOPE_DEPTH = 8


def canonicalize(value: Any) -> str:
    """The canonical form of a JSON value. Integers are the doubles that they are read as.

    :raises ProtocolError: ``NOT_CANONICAL`` where the value is not I-JSON, or nests too deep
    """
    parts: List[str] = []
    _write(value, 0, parts)
    return "".join(parts)


def canonical_bytes(value: Any) -> bytes:
    """JCS(x) of the protocol: the UTF-8 bytes of the canonical form."""
    return canonicalize(value).encode("utf-8")


def parse_json(text: str) -> Any:
    """Parses I-JSON: no duplicate members, lone surrogates, numbers beyond a double, or excessive nesting.

    :raises ProtocolError: ``JSON_INVALID``
    """
    try:
        value = json.loads(text, object_pairs_hook=_members, parse_constant=_refuse_constant, parse_int=_integer)
    except (ValueError, RecursionError) as error:
        if isinstance(error, ProtocolError):
            raise
        raise ProtocolError("JSON_INVALID", str(error)) from error
    _check(value, 0)
    return value


def _not_canonical(message: str) -> ProtocolError:
    return ProtocolError("NOT_CANONICAL", message)


def _string(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise _not_canonical("a string holds a lone surrogate") from error
    return json.dumps(text, ensure_ascii=False)


def _number(value: float) -> str:
    """ECMAScript's Number::toString, from the shortest digits that read as the same double, which repr gives."""
    if not math.isfinite(value):
        raise _not_canonical("a number is not finite")
    if value == 0:
        return "0"
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    written = (whole + fraction).rstrip("0")
    digits = written.lstrip("0")
    # Where the decimal point stands among the digits: before them at 0, behind the first at 1.
    point = len(whole) + int(exponent or 0) - (len(written) - len(digits))
    count = len(digits)
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    shown = digits if count == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{sign}{shown}e{'+' if point > 0 else '-'}{abs(point - 1)}"


def _write(value: Any, depth: int, parts: List[str]) -> None:
    if value is None:
        parts.append("null")
    elif value is True or value is False:
        parts.append("true" if value else "false")
    elif isinstance(value, str):
        parts.append(_string(value))
    elif isinstance(value, (int, float)):
        try:
            parts.append(_number(float(value)))
        except OverflowError as error:
            raise _not_canonical("a number is too large for a double") from error
    elif isinstance(value, (dict, list, tuple)):
        if depth >= MAX_DEPTH:
            raise _not_canonical(f"the value nests deeper than {MAX_DEPTH} levels")
        _write_nested(value, depth, parts)
    else:
        raise _not_canonical(f"a {type(value).__name__} has no JSON form")


def _write_nested(value: Any, depth: int, parts: List[str]) -> None:
    if not isinstance(value, dict):
        parts.append("[")
        for index, item in enumerate(value):
            if index > 0:
                parts.append(",")
            _write(item, depth + 1, parts)
        parts.append("]")
        return
    if not all(isinstance(name, str) for name in value):
        raise _not_canonical("the name of a member is no text")
    parts.append("{")
    # By UTF-16 code units, of which the big-endian bytes stand in the same order. Lone surrogates are refused when written.
    for index, name in enumerate(sorted(value, key=lambda text: text.encode("utf-16-be", "surrogatepass"))):
        parts.append(("," if index > 0 else "") + _string(name) + ":")
        _write(value[name], depth + 1, parts)
    parts.append("}")


def _members(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ProtocolError("JSON_INVALID", "an object holds the same member twice")
    return members


def _refuse_constant(name: str) -> Any:
    raise ProtocolError("JSON_INVALID", f"{name} is no JSON")


def _integer(digits: str) -> Any:
    # What a double holds exactly stays an int; anything else is the double that every other reader sees.
    if len(digits) <= 16:
        return int(digits)
    return float(digits)


def _check(value: Any, depth: int) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise ProtocolError("JSON_INVALID", "a number is too large for a double")
    if isinstance(value, str):
        _check_text(value)
    elif isinstance(value, (dict, list)):
        if depth >= MAX_DEPTH + ENVELOPE_DEPTH:
            raise ProtocolError("JSON_INVALID", "the value nests too deep")
        if isinstance(value, dict):
            for name in value:
                _check_text(name)
        for item in value.values() if isinstance(value, dict) else value:
            _check(item, depth + 1)


def _check_text(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ProtocolError("JSON_INVALID", "a text holds a lone surrogate") from error
