"""The newest checkpoint of the service's log, kept next to the receipts (protocol F84 to F90)."""

from __future__ import annotations

import base64
import binascii
import os
import re
from typing import Any, Dict, List, NamedTuple, Optional, Tuple
from urllib.parse import quote, urlencode

from .canonical import canonical_bytes
from .client import ServiceClient
from .ed25519 import verify
from .encoding import format_digest, sha256
from .errors import AgentError, ProtocolError
from .issuer import IssuerKeys
from .receipts import Receipt, receipt_signed_bytes

#: What is refused below these is not the exchange itself: the next answer makes up for it.
_GRAVE = ("ANSWER_INVALID", "SERVICE_UNKNOWN")
_SEEN = re.compile(r"(?:.*\n){3}seen ([0-9]+) (\S+)\nlast ([0-9]+)\n(?:restored \S+\n)?\Z")
_RESTORED = re.compile(r"\\nrestored ([^\\]+)\\n")


class _Note(NamedTuple):
    origin: str
    size: int
    root: bytes
    text: str
    lines: List[str]

    @property
    def digest(self) -> str:
        return format_digest(sha256(self.text.encode("utf-8")))


def _base64(text: str, length: Optional[int] = None) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if base64.b64encode(data).decode("ascii") != text or (length is not None and len(data) != length):
        raise ProtocolError("ENCODING_INVALID", "expected base64 with padding")
    return data


def _size(text: str) -> int:
    if not re.match(r"[1-9][0-9]{0,15}\Z", text):
        raise ProtocolError("SHAPE_INVALID", "the size of a checkpoint is not an integer from 1")
    return int(text)


def parse_note(text: str) -> _Note:
    """:raises ProtocolError: where the text is no checkpoint"""
    head, divided, tail = text.rpartition("\n\n")
    parts = head.split("\n")
    if not divided or len(parts) < 3 or "" in parts or not tail.endswith("\n"):
        raise ProtocolError("SHAPE_INVALID", "a checkpoint is a text, an empty line, and signature lines")
    return _Note(parts[0], _size(parts[1]), _base64(parts[2], 32), f"{head}\n", tail[:-1].split("\n"))


def _proof(text: str) -> Tuple[Optional[int], List[bytes], _Note]:
    if not text.startswith("old "):
        return None, [], parse_note(text)
    way, _, note = text.partition("\n\n")
    first, *hashes = way.split("\n")
    return _size(first[len("old ") :]), [_base64(line, 32) for line in hashes], parse_note(note)


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right)


def consistency_roots(first_size: int, second_size: int, first_root: bytes, path: List[bytes]) -> Optional[Tuple[bytes, bytes]]:
    """The two roots that a path leads to (RFC 9162, section 2.1.4.2); None where it has another length."""
    if first_size == second_size:
        return None if path else (first_root, first_root)
    if first_size > second_size or first_size < 1:
        return None
    hashes = [first_root, *path] if first_size & (first_size - 1) == 0 else list(path)
    if len(hashes) < 2:
        return None
    index, last = first_size - 1, second_size - 1
    while index & 1:
        index, last = index >> 1, last >> 1
    first = second = hashes[0]
    for sibling in hashes[1:]:
        if last == 0:
            return None
        if index & 1 or index == last:
            first, second = _node(sibling, first), _node(sibling, second)
            while index and not index & 1:
                index, last = index >> 1, last >> 1
        else:
            second = _node(second, sibling)
        index, last = index >> 1, last >> 1
    return (first, second) if last == 0 else None


def _origin(org_id: str) -> str:
    return "countersign.v1/" + quote(org_id, safe="")


class _Signed(NamedTuple):
    """A statement as a proof of equivocation has it (protocol V143), and what is signed of it."""

    statement: Dict[str, Any]
    signed_bytes: bytes
    note: Optional[_Note] = None
    way: Tuple[Optional[int], List[bytes]] = (None, [])

    @property
    def number(self) -> int:
        return self.note.size if self.note is not None else self.statement["receipt"]["seq_no"]

    def roots(self) -> Dict[int, bytes]:
        """The roots of the log that it states, by size."""
        if self.note is None:
            return {}
        stated = {self.note.size: self.note.root}
        old, path = self.way
        if old is not None and old < self.note.size and old & (old - 1) != 0:
            found = consistency_roots(old, self.note.size, b"", path)
            if found is not None and found[1] == self.note.root:
                stated[old] = found[0]
        return stated


def _contradiction(one: _Signed, other: _Signed) -> Optional[Tuple[str, int]]:
    """Kind and number of two statements of which one can be true (protocol V107); None where both can be."""
    theirs = other.roots()
    for size, root in sorted(one.roots().items()):
        if size in theirs and theirs[size] != root:
            return "checkpoint", size
    seen = None if other.note is None else _SEEN.match(other.note.text)
    if seen is None or int(seen.group(3)) >= one.number:
        return None
    try:
        shown = format_digest(_base64(seen.group(2), 32))
    except ProtocolError:
        return None
    return ("set_back", one.number) if shown == format_digest(sha256(one.signed_bytes)) else None


class KeptCheckpoint:
    """Each answer to a submission says how large the log is, and what has grown has to continue what is kept.

    Two statements that contradict each other are kept as a proof, and nothing is submitted as long as it is there.
    """

    def __init__(self, org_id: str, receipts_file: str, client: ServiceClient, issuer: IssuerKeys) -> None:
        """:param client: does not try again"""
        self._org_id = org_id
        self._path = f"{receipts_file}.checkpoint"
        self._proof_path = f"{receipts_file}.fork.json"
        self._client = client
        self._issuer = issuer
        self._heard: Optional[int] = None
        self._checked: Optional[int] = None

    def heard(self, size: int) -> None:
        """An answer says how many records are sealed."""
        self._heard = size

    def refuse_if_proven(self) -> None:
        """:raises AgentError: ``HISTORY_LOST``, ``HISTORY_FORKED`` where a proof is kept"""
        if os.path.exists(self._proof_path):
            with open(self._proof_path, encoding="utf-8") as file:
                raise self._proven(file.read())

    def check(self, newest: Optional[Receipt]) -> None:
        """Holds what the last answer said against what is kept; to be called once its receipt is.

        :raises AgentError: ``HISTORY_LOST``, ``HISTORY_FORKED``, ``ANSWER_INVALID``, ``RECEIPTS_UNUSABLE``
        """
        size = self._heard
        if not size or size == self._checked:
            return
        kept = self._read()
        if kept is not None and size == kept.size:
            return
        self._exchange(kept, newest if kept is not None and size < kept.size else None)

    def lost(self, newest: Receipt) -> None:
        """The service's ledger lacks this receipt: it is shown that, and has to say where its ledger ends."""
        self._exchange(self._read(), newest)

    def _read(self) -> Optional[_Note]:
        try:
            with open(self._path, "rb") as file:
                kept = parse_note(file.read().decode("utf-8"))
            # Of another organization whose receipts are kept in the same file.
            return kept if kept.origin == _origin(self._org_id) else None
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError, ProtocolError) as error:
            message = f"{self._path} is not a checkpoint that can be read"
            raise AgentError("RECEIPTS_UNUSABLE", message) from error

    def _exchange(self, kept: Optional[_Note], newest: Optional[Receipt]) -> None:
        said = self._ask(kept, newest)
        if said is None:
            return
        text, keys = said
        try:
            old, path, note = _proof(text)
        except ProtocolError as error:
            raise AgentError("ANSWER_INVALID", f"the service's answer is not a checkpoint: {error}") from error
        plain = self._signed(note, keys)
        if plain is None:
            raise AgentError("ANSWER_INVALID", "the checkpoint in the answer is not signed by the service key")
        before = None if kept is None else self._signed(kept, keys)
        shown = None if newest is None else _Signed({"receipt": newest}, receipt_signed_bytes(newest))
        with_way = plain if old is None else self._with_way(plain, old, path)
        for one in (shown, before):
            for other in (plain, with_way):
                found = None if one is None else _contradiction(one, other)
                if one is not None and found is not None:
                    self._prove(found, (one, other), keys)
        if kept is not None and note.size >= kept.size:
            roots = consistency_roots(kept.size, note.size, kept.root, path) if old == kept.size else None
            if roots != (kept.root, note.root):
                message = f"the service does not show that its log begins with the checkpoint {self._path}"
                raise AgentError("HISTORY_FORKED", message)
        self._checked = self._heard
        # Of a size that is a power of two a consistency proof does not hold the root: another log would be found, and not proven.
        if (kept is None or note.size > kept.size) and note.size & (note.size - 1) != 0:
            self._write(self._path, plain.statement["checkpoint"])

    def _ask(self, kept: Optional[_Note], newest: Optional[Receipt]) -> Optional[Tuple[str, List[Dict[str, Any]]]]:
        asked: Dict[str, Any] = {} if kept is None else {"from": kept.size}
        if newest is not None:
            shows_note = kept is not None and kept.size > newest["seq_no"]
            asked["seen_no"] = kept.size if kept is not None and shows_note else newest["seq_no"]
            of_receipt = format_digest(sha256(receipt_signed_bytes(newest)))
            asked["seen"] = kept.digest if kept is not None and shows_note else of_receipt
        try:
            body = self._client.get(f"/v1/ledger/exchange?{urlencode(asked)}")
        except AgentError as error:
            if error.code in _GRAVE:
                raise
            return None
        text = body.get("checkpoint") if isinstance(body, dict) else None
        keys = body.get("service_keys") if isinstance(body, dict) else None
        if not isinstance(text, str) or not isinstance(keys, list) or not all(isinstance(key, dict) for key in keys):
            raise AgentError("ANSWER_INVALID", "the service's answer is not a checkpoint")
        return text, keys

    def _signed(self, note: _Note, keys: List[Dict[str, Any]]) -> Optional[_Signed]:
        """The note with its signer's line (protocol F88); None unless a trusted key of the service signed it."""
        if note.origin != _origin(self._org_id):
            return None
        message = note.text.encode("utf-8")
        for kid in [key.get("kid") for key in keys]:
            try:
                public_key = self._issuer.key_for(str(kid))
            except AgentError as error:
                # Another one than the pinned key, or one that the service does not publish.
                if error.code != "RECEIPT_INVALID":
                    raise
                continue
            key_id = sha256(note.origin.encode("utf-8") + b"\n\x01" + public_key)[:4]
            for line in note.lines:
                name, _, signed = line[2:].partition(" ")
                if line[:2] != "— " or name != note.origin:
                    continue
                data = _base64(signed)
                if data[:4] == key_id and verify(public_key, message, data[4:]):
                    return _Signed({"checkpoint": f"{note.text}\n{line}\n", "service_kid": kid}, message, note)
        return None

    def _with_way(self, plain: _Signed, old: int, path: List[bytes]) -> _Signed:
        lines = [f"old {old}", *(base64.b64encode(one).decode("ascii") for one in path), "", plain.statement["checkpoint"]]
        return plain._replace(statement={**plain.statement, "checkpoint": "\n".join(lines)}, way=(old, path))

    def _prove(self, found: Tuple[str, int], statements: Tuple[_Signed, _Signed], keys: List[Dict[str, Any]]) -> None:
        kind, number = found
        proof = {
            "type": "countersign.equivocation-proof.v1",
            "org_id": self._org_id,
            "kind": kind,
            "number": number,
            "statements": [one.statement for one in sorted(statements, key=lambda one: sha256(one.signed_bytes))],
            "service_keys": keys,
        }
        text = canonical_bytes(proof).decode("utf-8")
        self._write(self._proof_path, text)
        raise self._proven(text)

    def _proven(self, proof: str) -> AgentError:
        restored = _RESTORED.search(proof)
        is_set_back = '"kind":"set_back"' in proof
        what = "the service's ledger ends before what it signed" if is_set_back else "the service signed two pasts of its log"
        said = "" if restored is None else f"; it says that it was restored or set back at {restored.group(1)}"
        message = f"{what}{said}; nothing is submitted while the proof is there: {self._proof_path}"
        return AgentError("HISTORY_LOST" if is_set_back else "HISTORY_FORKED", message)

    def _write(self, path: str, text: str) -> None:
        """Whole or not at all, and for this user alone."""
        temporary = f"{path}.part"
        try:
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        except OSError as error:
            raise AgentError("RECEIPTS_UNUSABLE", f"{path} could not be written") from error
