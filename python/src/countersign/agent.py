"""An agent that has its operations countersigned."""

from __future__ import annotations

import threading
import time
import uuid
from collections import OrderedDict
from typing import Any, Collection, Dict, List, NamedTuple, Optional, Sequence, Union
from urllib.parse import quote

from .client import ServiceClient, addresses_in
from .decisions import CheckedDecision, DecisionTerms, Patience, check_decision, when_decided
from .errors import AgentError, ProtocolError
from .issuer import IssuerKeys, ServiceIdentity, can_prove, plain_address
from .kept_checkpoint import KeptCheckpoint
from .receipts import Receipt, ReceiptsFile, parse_receipt
from .records import Operation, RecordSigner, SignedRecord
from .session import Session
from .session_options import Question, SessionOptions
from .sinks import AgentSink

#: Of how many operations without an answer the signed forms are kept.
_MAX_UNANSWERED = 100

#: How often one operation is signed again because the chain had moved on, or its time had passed.
_MAX_SIGNINGS = 8


class _Head(NamedTuple):
    chain_hash: Optional[str]
    seq_no: int


class Agent:
    """Signs each operation, links it to the one before, sends it until there is an answer, and keeps the receipt.

    It may be used from several threads; operations are submitted one after the other.
    """

    def __init__(
        self,
        *,
        service_url: str,
        token: str,
        org_id: str,
        agent_id: str,
        kid: str,
        private_key: Union[bytes, str],
        receipts_file: Optional[str] = None,
        service_kid: Optional[str] = None,
        prove_service: bool = True,
        ttl_ms: int = 300_000,
        salted: bool = True,
        retry_for: float = 60.0,
    ) -> None:
        """
        :param service_url: such as ``http://127.0.0.1:8787``; of several nodes of one ledger all addresses, with commas between
        :param retry_for: how long to go on trying while the service is away, in seconds
        :raises AgentError: ``KEY_INVALID``, ``RECEIPTS_UNUSABLE``
        """
        self.org_id = org_id
        self.agent_id = agent_id
        url = ",".join(plain_address(one, service_kid) for one in addresses_in(service_url))
        # Keys are public: a token has no business there.
        self._issuer = IssuerKeys(ServiceClient(url, retry_for=retry_for), service_kid)
        identities: Dict[str, ServiceIdentity] = {}

        def identity(one: str) -> Optional[ServiceIdentity]:
            if service_kid is None or not prove_service or not can_prove(one):
                return None
            if one not in identities:
                identities[one] = ServiceIdentity(ServiceClient(one, retry_for=0), self._issuer, one, service_kid)
            return identities[one]

        self._kept: Optional[KeptCheckpoint] = None
        if receipts_file is not None:
            once = ServiceClient(url, token, retry_for=0, identity=identity)
            self._kept = KeptCheckpoint(org_id, receipts_file, once, self._issuer)
        heard = None if self._kept is None else self._kept.heard
        self._client = ServiceClient(url, token, retry_for=retry_for, identity=identity, heard=heard)
        self._signer = RecordSigner(
            org_id=org_id, agent_id=agent_id, kid=kid, private_key=private_key, ttl_ms=ttl_ms, salted=salted
        )
        self._receipts = None if receipts_file is None else ReceiptsFile(receipts_file)
        self._unanswered: "OrderedDict[str, List[SignedRecord]]" = OrderedDict()
        self._head: Optional[_Head] = None
        self._lock = threading.Lock()

    def session(self, **options: Any) -> Session:
        """A session that records what this agent does; for its options see :class:`countersign.SessionOptions`."""
        chosen = SessionOptions(**options)
        return Session(AgentSink(f"{self.org_id}/{self.agent_id}", self.submit, chosen.capture), chosen)

    def submit(self, operation: Operation) -> Receipt:
        """Has an operation countersigned.

        :returns: the receipt: checked, and on disk where a receipts file was given
        :raises AgentError: with the service's code where it refused, or with one of this library
        :raises ProtocolError: ``NOT_CANONICAL``, ``SHAPE_INVALID`` for an operation that has no valid form
        """
        with self._lock:
            return self._submit(operation)

    def wait_for_decision(
        self,
        question: Question,
        *,
        timeout: float = 600.0,
        interval: float = 2.0,
        stop: Optional[threading.Event] = None,
        deciders: Optional[Collection[str]] = None,
    ) -> CheckedDecision:
        """Waits until a person has decided on a question that this agent asked (``session.ask``), and checks the decision.

        The person's signature is checked, the receipt, and that exactly what was asked is approved. Give the question to
        ``session.call`` then.

        :param timeout: how long to wait in all, in seconds
        :param interval: how long between two questions to the service, in seconds: at least 0.25 and at most 60
        :param stop: ends the waiting once it is set; looked at between two requests
        :param deciders: thumbprints (RFC 7638) of the keys whose decisions count; without them, that the key is a person's is the
            service's word
        :returns: the decision, which permits the action
        :raises AgentError: ``DECISION_TIMED_OUT``, ``DECISION_UNPROVEN``, ``QUESTION_CLOSED``, ``ANSWER_INVALID``,
            ``SERVICE_UNAVAILABLE``, or the service's code
        :raises DecisionError: ``DECISION_REFUSED``, ``DECIDED_ON_OTHER_THAN_ASKED``
        :raises concurrent.futures.CancelledError: where it was stopped
        """
        path = f"/v1/agents/{quote(self.agent_id, safe='')}/decisions/{quote(question.operation_id, safe='')}"
        patience = Patience(question.operation_id, timeout, stop)
        ask = lambda: self._client.get(path, pause=patience.pause, timeout=patience.remaining)  # noqa: E731
        answer = when_decided(question, interval, patience, ask)
        return check_decision(answer, question, DecisionTerms(self.org_id, self.agent_id, deciders, self._issuer.check))

    def close(self) -> None:
        """Waits for what is being submitted and closes the receipts file."""
        with self._lock:
            if self._receipts is not None:
                self._receipts.close()

    def __enter__(self) -> "Agent":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _submit(self, operation: Operation) -> Receipt:
        if self._kept is not None:
            self._kept.refuse_if_proven()
        operation_id = operation.operation_id or str(uuid.uuid4())
        earlier = list(self._unanswered.get(operation_id, []))
        signings = 0
        while True:
            signings += 1
            if self._head is None:
                self._head = self._read_head()
            signed = self._signer.sign(operation, operation_id, self._head.chain_hash)
            sent_at = time.monotonic()
            try:
                return self._send(signed)
            except AgentError as error:
                if error.code == "SERVICE_UNAVAILABLE":
                    self._remember(operation_id, [*earlier, signed])
                if error.code == "REPLAY_DETECTED":
                    return self._recover(operation, operation_id, earlier, error)
                # A record that was refused left no trace: the operation may be signed again under its own id.
                took = time.monotonic() - sent_at
                outdated = error.code == "TTL_EXPIRED" and took > self._signer.ttl_ms / 2000
                if not (error.code == "PREV_HASH_MISMATCH" or outdated) or signings >= _MAX_SIGNINGS:
                    raise
                self._head = None
                earlier.append(signed)

    def _remember(self, operation_id: str, forms: List[SignedRecord]) -> None:
        if len(self._unanswered) >= _MAX_UNANSWERED and operation_id not in self._unanswered:
            self._unanswered.popitem(last=False)
        self._unanswered[operation_id] = forms[-_MAX_SIGNINGS:]

    def _send(self, signed: SignedRecord) -> Receipt:
        body = self._client.post("/v1/operations", signed.record)
        return self._keep(body, signed.record["operation_id"], signed.chain_hash)

    def _read_head(self) -> _Head:
        body = self._client.get(f"/v1/agents/{quote(self.agent_id, safe='')}/head")
        if not isinstance(body, dict) or "chain_hash" not in body or "seq_no" not in body:
            raise AgentError("ANSWER_INVALID", "the service's answer is not a chain head")
        seq_no = body["seq_no"] if isinstance(body["seq_no"], int) else 0
        head = _Head(body["chain_hash"] if isinstance(body["chain_hash"], str) else None, seq_no)
        kept = None if self._receipts is None else self._receipts.newest(self.org_id, self.agent_id)
        if kept is not None:
            lost = head.seq_no < kept["seq_no"]
            if lost or (head.seq_no == kept["seq_no"] and head.chain_hash != kept["chain_hash"]):
                if self._kept is not None:
                    self._kept.lost(kept)
                message = f"the service gave a receipt for sequence number {kept['seq_no']}, "
                raise AgentError("HISTORY_LOST", f"{message}but its ledger of this agent ends at {head.seq_no}")
        return head

    def _keep(self, body: Any, operation_id: str, chain_hash: str) -> Receipt:
        try:
            receipt = parse_receipt(body)
        except ProtocolError as error:
            raise AgentError("ANSWER_INVALID", f"the service's answer is not a receipt: {error}") from error
        expected = {
            "operation_id": operation_id,
            "org_id": self.org_id,
            "agent_id": self.agent_id,
            "chain_hash": chain_hash,
        }
        if any(receipt[name] != value for name, value in expected.items()):
            raise AgentError("RECEIPT_INVALID", "the receipt is not for the record that was sent")
        self._issuer.check(receipt)
        if self._receipts is not None:
            self._receipts.append(receipt)
        self._unanswered.pop(operation_id, None)
        self._head = _Head(receipt["chain_hash"], receipt["seq_no"])
        if self._kept is not None and self._receipts is not None:
            self._kept.check(self._receipts.newest(self.org_id, self.agent_id))
        return receipt

    def _recover(
        self, operation: Operation, operation_id: str, earlier: Sequence[SignedRecord], refusal: AgentError
    ) -> Receipt:
        """The receipt of this very operation, accepted in an earlier form; anything else under its id is refused."""
        try:
            body = self._client.get(f"/v1/operations/{operation_id}")
        except AgentError as error:
            # A token that only submits reads no operations.
            if error.code != "FORBIDDEN":
                raise
            return self._send_again(earlier, refusal)
        if not isinstance(body, dict) or not isinstance(body.get("eor"), dict):
            raise AgentError("ANSWER_INVALID", "the service's answer is not an operation")
        try:
            found = self._signer.recognise(body["eor"], body.get("disclosures") or {}, operation)
        except (ProtocolError, KeyError, TypeError, AttributeError) as error:
            raise AgentError("ANSWER_INVALID", "the service's answer is not an operation") from error
        if found is None:
            raise refusal
        return self._keep(body.get("ear"), operation_id, found)

    def _send_again(self, earlier: Sequence[SignedRecord], refusal: AgentError) -> Receipt:
        """The service answers the very record that it accepted with its receipt, any other form with a refusal."""
        for signed in earlier:
            try:
                return self._send(signed)
            except AgentError as error:
                if not error.refused:
                    raise
        raise refusal


