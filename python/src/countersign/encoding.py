"""Digests, base64url and times, as the protocol writes them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from datetime import datetime, timezone
from typing import Any, Optional

from .errors import ProtocolError

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_BASE64URL = re.compile(r"[A-Za-z0-9_-]*\Z")


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def format_digest(digest: bytes) -> str:
    return f"sha256:{digest.hex()}"


def is_digest(value: Any) -> bool:
    return isinstance(value, str) and _DIGEST.match(value) is not None


def to_base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text: Any, length: Optional[int] = None) -> bytes:
    """Strict: no padding, no stray characters, no bits behind the last byte.

    :raises ProtocolError: ``ENCODING_INVALID``
    """
    if isinstance(text, str) and _BASE64URL.match(text):
        try:
            data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except (binascii.Error, ValueError):
            data = b""
        if to_base64url(data) == text and (length is None or len(data) == length):
            return data
    raise ProtocolError("ENCODING_INVALID", "expected base64url without padding")


def now() -> str:
    """The time as the protocol writes it: UTC with milliseconds."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
