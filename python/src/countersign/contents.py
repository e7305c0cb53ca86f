"""What becomes of the values that a caller hands in: JSON, with a salt, and cut where it is too long."""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import dataclasses
import json
import math
import os
import re
import uuid
from decimal import Decimal
from typing import Any, Dict, Iterator, List, Optional, Tuple, Union

from .canonical import canonical_bytes, is_exact
from .encoding import format_digest, sha256, to_base64url

#: A longer value is cut, and its digest tells the whole of it.
MAX_CONTENT_BYTES = 65_536
#: What everything told in one record may have together.
MAX_TOLD_BYTES = 160_000
_MAX_DEPTH = 64


def clip(text: str, characters: int) -> str:
    """The first characters of a text, well-formed; ``-`` where it is empty."""
    return sound(text)[:characters] or "-"


def clip_name(text: str) -> str:
    return clip(text, 256)


def sound(text: str) -> str:
    """The text with lone surrogates replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def draw_salt() -> str:
    return to_base64url(os.urandom(16))


def digest_of(salt: str, value: Any) -> str:
    """The digest by which the profile names a value."""
    return format_digest(sha256(canonical_bytes([salt, value])))


def content_of(value: Any, salt: str, shown: bool = True, max_bytes: int = MAX_CONTENT_BYTES) -> Dict[str, Any]:
    """A value as the profile states it, with its salt; the digest alone where it is not to be shown."""
    size = len(canonical_bytes(value))
    if shown and size <= max_bytes:
        return {"salt": salt, "value": value}
    content: Dict[str, Any] = _WithNumbers() if any(_numbers_in(value, "")) else {}
    content.update({"salt": salt, "digest": digest_of(salt, value), "bytes": size})
    if not shown:
        return content
    text = str(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    part = _cut_to(text, max_bytes)
    content.update({"value": part, "truncated": True})
    return content


def _cut_to(text: str, max_bytes: int) -> str:
    part = text[:max_bytes]
    while True:
        size = len(canonical_bytes(part))
        if size <= max_bytes:
            return part
        part = part[: len(part) * max_bytes // size - 1]


class _WithNumbers(Dict[str, Any]):
    """A content that does not show its whole value, in which such numbers are texts: it is marked itself."""


class ExactNumber(str):
    """A number that a double does not keep, NaN or an infinity. It is signed as this text, and marked as a number."""


def number_marks(payload: Dict[str, Any]) -> List[Dict[str, str]]:
    """``redactions`` of a payload: where a text replaces a number that a double does not keep, or the member that holds many."""
    places = [at if len(at) <= 1024 else "/" + at.split("/")[1] for at in _numbers_in(payload, "")]
    if len(places) > 256:
        places = ["/" + at.split("/")[1] for at in places]
    return [{"at": at, "type": "number"} for at in dict.fromkeys(places)]


def _numbers_in(value: Any, at: str) -> Iterator[str]:
    if isinstance(value, (ExactNumber, _WithNumbers)):
        yield at
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from _numbers_in(member, f"{at}/{name.replace('~', '~0').replace('/', '~1')}")
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _numbers_in(item, f"{at}/{index}")


def exact_json_text(value: Any) -> str:
    """JSON with all digits of its numbers, as a recorder reads it; NaN and infinities as words."""
    key = str(uuid.uuid4())

    def spelled(inner: Any) -> Any:
        if isinstance(inner, ExactNumber):
            return key + inner
        if isinstance(inner, dict):
            return {name: spelled(member) for name, member in inner.items()}
        return [spelled(item) for item in inner] if isinstance(inner, (list, tuple)) else inner

    return re.sub(f'"{key}([^"]*)"', r"\1", json.dumps(spelled(value), ensure_ascii=False))


def plain_json(value: Any) -> Any:
    """Any value as JSON that has a canonical form. What JSON cannot say becomes a text. Never raises."""
    return _convert(value, ())


def _convert(value: Any, outer: Tuple[int, ...]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return sound(str(value))
    if isinstance(value, (int, float, Decimal)):
        return _convert_number(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode("ascii")
    if id(value) in outer:
        return "[circular]"
    if len(outer) >= _MAX_DEPTH:
        return "[nested too deep]"
    try:
        return _convert_object(value, (*outer, id(value)))
    except Exception as error:  # The action itself must not fail of a value that cannot be read.
        return f"[unreadable: {sound(str(error))}]"


def _convert_number(value: Union[int, float, Decimal]) -> Union[int, float, str]:
    if isinstance(value, int):
        try:
            return int(value) if is_exact(value) else ExactNumber(int(value))
        except ValueError:  # More digits than Python writes.
            return hex(value)
    isnan, isinf = (value.is_nan(), value.is_infinite()) if isinstance(value, Decimal) else (value != value, math.isinf(value))
    if isnan or isinf:
        return ExactNumber("NaN" if isnan else "Infinity" if value > 0 else "-Infinity")
    return float(value) if isinstance(value, float) or is_exact(value) else ExactNumber(value)


def _convert_object(value: Any, outer: Tuple[int, ...]) -> Any:
    if isinstance(value, dict):
        return {sound(str(name)): _convert(member, outer) for name, member in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_convert(item, outer) for item in value]
    if isinstance(value, BaseException):
        return {"name": type(value).__name__, "message": sound(str(value))}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        members = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
        return _convert(members, outer)
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return _convert(dump(), outer)
    return sound(str(value))


def input_of(args: Tuple[Any, ...], kwargs: Dict[str, Any]) -> Any:
    """The arguments of a function as one value: the only one, all of them, or those with names besides."""
    if kwargs:
        return {"args": list(args), **kwargs} if args else dict(kwargs)
    return args[0] if len(args) == 1 else list(args)


def error_of(error: Any) -> Dict[str, str]:
    """How an error reads in a record."""
    if isinstance(error, BaseException):
        return {"type": clip_name(type(error).__name__), "message": clip(str(error), 8192)}
    return {"message": clip(str(error), 8192)}


def status_of(error: Optional[BaseException]) -> str:
    """What an error says of how the action ended."""
    if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt, concurrent.futures.CancelledError)):
        return "cancelled"
    timeouts = (TimeoutError, asyncio.TimeoutError, concurrent.futures.TimeoutError)
    return "timeout" if isinstance(error, timeouts) else "error"
