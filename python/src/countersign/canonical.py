"""Strict JSON (I-JSON, RFC 7493) and its canonical form (JCS, RFC 8785)."""

from __future__ import annotations

import json
import math
from decimal import Decimal, InvalidOperation
from typing import Any, Dict, List, Tuple, Union

from .errors import ProtocolError

#: How deep a value that is hashed may nest.
MAX_DEPTH = 256

#: How much deeper the documents may nest that carry such values.
ENVELOPE_DEPTH = 8


def canonicalize(value: Any) -> str:
    """The canonical form of a JSON value.

    :raises ProtocolError: ``NOT_CANONICAL`` where the value is not I-JSON (a double does not keep an integer, say), or nests too
        deep
    """
    parts: List[str] = []
    _write(value, 0, parts)
    return "".join(parts)


def canonical_bytes(value: Any) -> bytes:
    """JCS(x) of the protocol: the UTF-8 bytes of the canonical form."""
    return canonicalize(value).encode("utf-8")


def parse_json(text: str) -> Any:
    """Parses I-JSON: no duplicate members, lone surrogates, numbers that a double does not keep, or excessive nesting.

    :raises ProtocolError: ``JSON_INVALID``
    """
    try:
        value = json.loads(
            text, object_pairs_hook=_members, parse_constant=_refuse_constant, parse_int=_number_of, parse_float=_number_of
        )
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
        raise _not_canonical("a number is not finite: it has to be given as a text")
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
        if isinstance(value, int) and not is_exact(value):
            raise _not_canonical("a double does not keep an integer: it has to be given as a text")
        parts.append(_number(float(value)))
    elif isinstance(value, (dict, list, tuple)):
        if depth >= MAX_DEPTH:
            raise _not_canonical(f"the value nests deeper than {MAX_DEPTH} levels")
        _write_nested(value, depth, parts)
    else:
        raise _not_canonical(f"a {type(value).__name__} has no JSON form: it has to be given as a text or a number")


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


def is_exact(number: Union[int, str, Decimal]) -> bool:
    """Whether a double keeps a number (protocol F5): the shortest decimal that reads as the double has its value."""
    if isinstance(number, int) and abs(number) < 2**53:
        return True
    try:
        double = float(number)
        return math.isfinite(double) and Decimal(number) == Decimal(repr(double))
    except (OverflowError, ValueError, InvalidOperation):
        # Larger than any double; or an exponent of more digits than a decimal has, which only zero survives.
        return isinstance(number, str) and not number.lower().partition("e")[0].strip("-0.")


def _number_of(text: str) -> Any:
    if (len(text) > 15 or "e" in text or "E" in text) and not is_exact(text):
        raise ProtocolError("JSON_INVALID", f"{text[:40]} is a number that a double does not keep")
    return float(text) if not text.lstrip("-").isdigit() or len(text) > 16 else int(text)


def _check(value: Any, depth: int) -> None:
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
