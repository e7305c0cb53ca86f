"""Operation records (protocol F30): salted payloads, signatures, chain hashes."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from .canonical import canonical_bytes, canonicalize
from .ed25519 import public_key_of, sign, verify
from .encoding import format_digest, from_base64url, is_digest, now, sha256, to_base64url
from .errors import ProtocolError
from .keys import read_seed

SALT_BYTES = 16
MAX_DISCLOSURES = 256
_RESERVED = ("_sd", "profile")
UUID4 = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}\Z")
_AGENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}\Z")
_TYPE = re.compile(r"(?=.{1,128}\Z)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*\Z")
_SALTED_DIGEST = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]\Z")
#: The members that an agent signs.
CORE = (
    "op_version operation_id org_id agent_id issued_at ttl_ms nonce operation_type subject action payload_hash "
    "prev_chain_hash agent_pubkey_kid"
).split()

Payload = Mapping[str, Any]
Disclosure = Sequence[Any]
#: The members of a salted payload that are shown, ``[salt, value]`` each under its name.
Disclosures = Mapping[str, Disclosure]


@dataclass(frozen=True)
class Operation:
    """What an agent did."""

    #: Dotted name, such as invoice.create
    operation_type: str
    subject: str
    action: str
    payload: Payload
    #: UUID of version 4; made where it is left out.
    operation_id: Optional[str] = None


@dataclass(frozen=True)
class SignedRecord:
    """An operation in one of the forms that it was signed in."""

    #: The body of ``POST /v1/operations``.
    record: Dict[str, Any]
    chain_hash: str


def payload_hash(payload: Payload) -> str:
    return format_digest(sha256(canonical_bytes(payload)))


def signed_bytes(record: Mapping[str, Any]) -> bytes:
    """The bytes that an agent signs: JCS of the 13 core members."""
    return canonical_bytes({name: record[name] for name in CORE})


def chain_hash(message: bytes, signature: bytes) -> str:
    return format_digest(sha256(message + signature))


def disclosure_digest(disclosure: Disclosure) -> str:
    return to_base64url(sha256(to_base64url(canonical_bytes(list(disclosure))).encode("ascii")))


def is_salted(payload: Any) -> bool:
    """Whether a payload is salted in form; any other is plain."""
    if not isinstance(payload, dict) or not set(payload) <= {"_sd", "profile"}:
        return False
    digests = payload.get("_sd")
    if not isinstance(digests, dict) or not 1 <= len(digests) <= MAX_DISCLOSURES:
        return False
    profile = payload.get("profile", "-")
    if not isinstance(profile, str) or not 1 <= len(profile) <= 128:
        return False
    if not all(isinstance(digest, str) and _SALTED_DIGEST.match(digest) for digest in digests.values()):
        return False
    return all(_is_name(name) for name in digests)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and 1 <= len(name) <= 256 and name not in _RESERVED


def salt_payload(
    payload: Payload, draw: Callable[[], bytes] = lambda: os.urandom(SALT_BYTES)
) -> Optional[Tuple[Dict[str, Any], Dict[str, Disclosure]]]:
    """Salted digests in the place of a payload's members, and the members; None where it has no such form.

    The members' names stay readable.
    """
    names = [name for name in payload if name != "profile"]
    profile = payload.get("profile")
    if "profile" in payload and not (isinstance(profile, str) and 1 <= len(profile) <= 128):
        return None
    if not 1 <= len(names) <= MAX_DISCLOSURES:
        return None
    if not all(_is_name(name) for name in names):
        return None
    drawn: Dict[str, Disclosure] = {name: [to_base64url(draw()), payload[name]] for name in names}
    digests = {name: disclosure_digest(disclosure) for name, disclosure in drawn.items()}
    return ({"_sd": digests} if profile is None else {"profile": profile, "_sd": digests}), drawn


def shown_payload(payload: Dict[str, Any], disclosures: Disclosures) -> Dict[str, Any]:
    """What a reader sees as the payload.

    :raises ProtocolError: ``SHAPE_INVALID`` where the disclosures are not the payload's
    """
    if not is_salted(payload):
        if len(disclosures) > 0:
            raise ProtocolError("SHAPE_INVALID", "a plain payload has no disclosures")
        return payload
    members = {name: value for name, value in payload.items() if name == "profile"}
    for name, disclosure in disclosures.items():
        if not isinstance(disclosure, (list, tuple)) or len(disclosure) != 2 or not isinstance(disclosure[0], str):
            raise ProtocolError("SHAPE_INVALID", "a disclosure is a salt and a value")
        if payload["_sd"].get(name) != disclosure_digest(disclosure):
            raise ProtocolError("SHAPE_INVALID", "the disclosures are not those of the payload")
        members[name] = disclosure[1]
    return members


class RecordSigner:
    """Signs the operations of one agent. Sends nothing and remembers nothing."""

    def __init__(
        self,
        *,
        org_id: str,
        agent_id: str,
        kid: str,
        private_key: Union[bytes, str],
        ttl_ms: int = 300_000,
        salted: bool = True,
    ) -> None:
        """:raises AgentError: ``KEY_INVALID``"""
        self._seed = read_seed(private_key)
        self._public_key = public_key_of(self._seed)
        self._names = {"org_id": org_id, "agent_id": agent_id, "agent_pubkey_kid": kid}
        self._salted = salted
        self.ttl_ms = ttl_ms

    def sign(self, operation: Operation, operation_id: str, prev_chain_hash: Optional[str]) -> SignedRecord:
        """Signs an operation as of now, with a new nonce.

        :raises ProtocolError: ``NOT_CANONICAL``, ``SHAPE_INVALID`` for an operation that has no valid form
        """
        salted = salt_payload(operation.payload) if self._salted else None
        payload = dict(operation.payload) if salted is None else salted[0]
        core: Dict[str, Any] = {
            "op_version": 1,
            "operation_id": operation_id,
            **self._names,
            "issued_at": now(),
            "ttl_ms": self.ttl_ms,
            "nonce": to_base64url(os.urandom(16)),
            "operation_type": operation.operation_type,
            "subject": operation.subject,
            "action": operation.action,
            "payload_hash": payload_hash(payload),
            "prev_chain_hash": prev_chain_hash,
        }
        _check_core(core)
        message = signed_bytes(core)
        signature = sign(self._seed, message)
        record = {**core, "payload": payload, "signature": to_base64url(signature)}
        if salted is not None:
            record["disclosures"] = salted[1]
        return SignedRecord(record, chain_hash(message, signature))

    def recognise(
        self, record: Dict[str, Any], disclosures: Disclosures, operation: Operation
    ) -> Optional[str]:
        """The chain hash of a stored record, if it is this very operation, signed with this key; else None."""
        message = signed_bytes(record)
        signature = from_base64url(record["signature"], 64)
        same = all(
            record[name] == getattr(operation, name) for name in ("operation_type", "subject", "action")
        ) and self._has_payload(record, disclosures, operation)
        return chain_hash(message, signature) if same and verify(self._public_key, message, signature) else None

    @staticmethod
    def _has_payload(record: Dict[str, Any], disclosures: Disclosures, operation: Operation) -> bool:
        payload = record.get("payload")
        if not isinstance(payload, dict) or not is_salted(payload):
            return bool(record["payload_hash"] == payload_hash(operation.payload))
        if record["payload_hash"] != payload_hash(payload):
            return False
        try:
            return canonicalize(shown_payload(payload, disclosures)) == canonicalize(operation.payload)
        except ProtocolError:
            return False


def _check_core(core: Mapping[str, Any]) -> None:
    def text(low: int, high: int) -> Callable[[Any], bool]:
        return lambda value: isinstance(value, str) and low <= len(value) <= high

    def matches(pattern: "re.Pattern[str]") -> Callable[[Any], bool]:
        return lambda value: isinstance(value, str) and pattern.match(value) is not None

    rules: Dict[str, Callable[[Any], bool]] = {
        "operation_id": matches(UUID4),
        "org_id": text(1, 256),
        "agent_id": matches(_AGENT),
        "ttl_ms": lambda value: isinstance(value, int) and 1 <= value <= 86_400_000,
        "operation_type": matches(_TYPE),
        "subject": text(1, 512),
        "action": text(1, 128),
        "prev_chain_hash": lambda value: value is None or is_digest(value),
        "agent_pubkey_kid": text(1, 256),
    }
    for name, holds in rules.items():
        if not holds(core[name]):
            raise ProtocolError("SHAPE_INVALID", f"{name} is not of the form that a record needs")
