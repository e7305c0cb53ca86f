"""What becomes of the values that a caller hands in: JSON, with a salt, and cut where it is too long."""

from __future__ import annotations

import asyncio
import base64
import concurrent.futures
import dataclasses
import json
import math
import os
from typing import Any, Dict, Optional, Tuple

from .canonical import canonical_bytes
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
    if not shown:
        return {"salt": salt, "digest": digest_of(salt, value), "bytes": size}
    if size <= max_bytes:
        return {"salt": salt, "value": value}
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    part = _cut_to(text, max_bytes)
    return {"salt": salt, "value": part, "digest": digest_of(salt, value), "bytes": size, "truncated": True}


def _cut_to(text: str, max_bytes: int) -> str:
    part = text[:max_bytes]
    while True:
        size = len(canonical_bytes(part))
        if size <= max_bytes:
            return part
        part = part[: len(part) * max_bytes // size - 1]


def plain_json(value: Any) -> Any:
    """Any value as JSON that has a canonical form. What JSON cannot say becomes a text. Never raises."""
    return _convert(value, ())


def _convert(value: Any, outer: Tuple[int, ...]) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return sound(str(value))
    if isinstance(value, int):
        # A double would not hold it.
        return int(value) if abs(value) < 2**53 else str(int(value))
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
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
