"""Receipts (protocol F60): their form, their signature, and the file that keeps them."""

from __future__ import annotations

import json
import os
import re
from typing import IO, Any, Callable, Dict, List, Optional, Tuple

from .canonical import canonical_bytes, parse_json
from .ed25519 import verify
from .encoding import from_base64url, is_digest, sha256, to_base64url
from .errors import AgentError, ProtocolError
from .records import UUID4

Receipt = Dict[str, Any]

_TIME = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)\Z")
_LINE_START = b'{"receipt_id":'


def _is_identifier(value: Any) -> bool:
    return isinstance(value, str) and 1 <= len(value) <= 256


def _is_signature(value: Any) -> bool:
    try:
        return len(from_base64url(value, 64)) == 64
    except ProtocolError:
        return False


_SHAPE: Dict[str, Callable[[Any], bool]] = {
    "receipt_id": _is_identifier,
    "operation_id": lambda value: isinstance(value, str) and UUID4.match(value) is not None,
    "org_id": _is_identifier,
    "agent_id": _is_identifier,
    "seq_no": lambda value: isinstance(value, int) and not isinstance(value, bool) and 1 <= value < 2**53,
    "chain_hash": is_digest,
    "server_received_at": lambda value: isinstance(value, str) and _TIME.match(value) is not None,
    "service_kid": _is_identifier,
    "service_signature": _is_signature,
}


def parse_receipt(value: Any) -> Receipt:
    """:raises ProtocolError: ``SHAPE_INVALID``"""
    if not isinstance(value, dict) or set(value) != set(_SHAPE):
        raise ProtocolError("SHAPE_INVALID", "a receipt has exactly nine members")
    for name, holds in _SHAPE.items():
        if not holds(value[name]):
            raise ProtocolError("SHAPE_INVALID", f"receipt.{name} is not of the form that it needs")
    return value


def receipt_signed_bytes(receipt: Receipt) -> bytes:
    """The bytes that the service signed."""
    statement = {name: value for name, value in receipt.items() if name != "service_signature"}
    return canonical_bytes({**statement, "type": "countersign.receipt.v1"})


def verify_receipt(receipt: Receipt, public_key: bytes) -> bool:
    """Whether the receipt's signature is valid and by this key, whose kid it names."""
    signature = from_base64url(receipt["service_signature"], 64)
    named = receipt["service_kid"] == thumbprint(public_key)
    return named and verify(public_key, receipt_signed_bytes(receipt), signature)


def thumbprint(public_key: bytes) -> str:
    """The kid of a service key (RFC 7638)."""
    jwk = {"crv": "Ed25519", "kty": "OKP", "x": to_base64url(public_key)}
    return to_base64url(sha256(canonical_bytes(jwk)))


class ReceiptsFile:
    """The receipts that an agent holds, one a line, each on disk before ``submit`` returns."""

    def __init__(self, path: str) -> None:
        """:raises AgentError: ``RECEIPTS_UNUSABLE``"""
        self._path = path
        self._file: Optional[IO[bytes]] = None
        self._newest: Dict[Tuple[str, str], Receipt] = {}
        self._needs_line_break = False
        # A crash cut the last line short: it goes before the next one is written, if nobody wrote since.
        self._cut: Optional[Tuple[int, int]] = None
        try:
            with open(path, "rb") as file:
                data = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            raise AgentError("RECEIPTS_UNUSABLE", f"the receipts file {path} cannot be read") from error
        self._read(data)

    def _read(self, data: bytes) -> None:
        lines: List[bytes] = data.split(b"\n")
        last = lines.pop()
        for number, line in enumerate(lines, 1):
            if line != b"" and not self._remember(line):
                raise self._damaged(number)
        if last == b"":
            return
        if self._remember(last):
            self._needs_line_break = True
        elif last.startswith(_LINE_START) or _LINE_START.startswith(last):
            self._cut = (len(data) - len(last), len(data))
        else:
            raise self._damaged(len(lines) + 1)

    def _damaged(self, line: int) -> AgentError:
        return AgentError("RECEIPTS_UNUSABLE", f"line {line} of {self._path} is not a receipt")

    def _remember(self, line: bytes) -> bool:
        try:
            self._note(parse_receipt(parse_json(line.decode("utf-8"))))
            return True
        except (ProtocolError, UnicodeDecodeError):
            return False

    def newest(self, org_id: str, agent_id: str) -> Optional[Receipt]:
        return self._newest.get((org_id, agent_id))

    def append(self, receipt: Receipt) -> None:
        """Adds a receipt and makes it durable."""
        rest = {name: value for name, value in receipt.items() if name != "receipt_id"}
        line = json.dumps(
            {"receipt_id": receipt["receipt_id"], **rest}, ensure_ascii=False, separators=(",", ":")
        )
        try:
            if self._file is None:
                self._file = os.fdopen(os.open(self._path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600), "ab")
            if self._cut is not None and self._cut[1] == os.fstat(self._file.fileno()).st_size:
                self._file.truncate(self._cut[0])
            self._file.write((("\n" if self._needs_line_break else "") + line + "\n").encode("utf-8"))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise AgentError("RECEIPTS_UNUSABLE", f"the receipt could not be kept in {self._path}") from error
        self._needs_line_break = False
        self._cut = None
        self._note(receipt)

    def _note(self, receipt: Receipt) -> None:
        name = (receipt["org_id"], receipt["agent_id"])
        known = self._newest.get(name)
        if known is None or receipt["seq_no"] > known["seq_no"]:
            self._newest[name] = receipt

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = None
