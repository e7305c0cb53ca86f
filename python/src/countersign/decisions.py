"""A person's decision on a question of an agent: waiting for it, and checking it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError
from dataclasses import dataclass
from typing import Any, Callable, Collection, Dict, Mapping, NamedTuple, Optional

from .contents import digest_of
from .ed25519 import verify
from .encoding import from_base64url
from .errors import AgentError, ProtocolError
from .receipts import Receipt, parse_receipt, thumbprint
from .records import CORE, chain_hash, payload_hash, shown_payload, signed_bytes
from .session_options import Question
from .sinks import PROFILE

_LEAST_INTERVAL = 0.25
_MOST_INTERVAL = 60.0


@dataclass(frozen=True)
class CheckedDecision:
    """A person's decision whose record and receipt were checked."""

    outcome: str
    #: Who decided, by the record itself: the address of an account.
    by: str
    justification: Optional[str]
    #: The record of the decision, for the ``cause`` of what is done upon it.
    operation_id: str
    #: The name of the key that signed it (RFC 7638): of a person's browser.
    key_thumbprint: str
    record: Dict[str, Any]
    disclosures: Dict[str, Any]
    receipt: Receipt


class DecisionError(AgentError):
    """A decision was made, and it does not let the action be carried out.

    ``code`` is ``DECISION_REFUSED`` or ``DECIDED_ON_OTHER_THAN_ASKED``.
    """

    def __init__(self, code: str, message: str, decision: CheckedDecision) -> None:
        super().__init__(code, message)
        self.decision = decision


class DecisionTerms(NamedTuple):
    """Who asked, and whose decisions count."""

    org_id: str
    agent_id: str
    #: Thumbprints of keys; where they are given, a decision by any other key does not count.
    deciders: Optional[Collection[str]]
    #: Raises AgentError ``RECEIPT_INVALID``.
    check_receipt: Callable[[Receipt], None]


class Patience:
    """How long somebody waits for one question to be decided."""

    def __init__(self, operation_id: str, timeout: float, stop: Optional[threading.Event]) -> None:
        """:param timeout: in seconds"""
        self._operation_id = operation_id
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._stop = threading.Event() if stop is None else stop

    @property
    def remaining(self) -> float:
        """In seconds; never less than a request needs to be made at all."""
        return max(0.01, self._deadline - time.monotonic())

    def pause(self, seconds: float) -> None:
        """:raises AgentError: ``DECISION_TIMED_OUT``
        :raises CancelledError: where the waiting was stopped
        """
        ends = time.monotonic() + seconds >= self._deadline
        if self._stop.wait(min(seconds, max(0.0, self._deadline - time.monotonic()))):
            raise CancelledError("the waiting for a decision was stopped")
        if ends:
            message = f"nobody decided on the question {self._operation_id} within {self._timeout:g} seconds"
            raise AgentError("DECISION_TIMED_OUT", message)


def when_decided(question: Question, interval: float, patience: Patience, ask: Callable[[], Any]) -> Any:
    """Asks until a question is decided.

    :param ask: asks the service once
    :returns: what the service answers as the decision; it is not known to be one
    :raises AgentError: ``DECISION_TIMED_OUT``, ``QUESTION_CLOSED``, ``ANSWER_INVALID``
    """
    pause = min(max(interval, _LEAST_INTERVAL), _MOST_INTERVAL)
    patience.pause(0)
    while True:
        answer = _members(ask())
        state = answer.get("state")
        if state == "decided":
            return answer.get("decision")
        if state == "closed":
            why = "the agent asked again, carried the action out or gave it up before anybody decided"
            raise AgentError("QUESTION_CLOSED", f"the question {question.operation_id} is closed: {why}")
        if state != "waiting":
            raise AgentError("ANSWER_INVALID", "the service's answer is not the state of a question")
        patience.pause(pause)


def check_decision(answer: Any, question: Question, terms: DecisionTerms) -> CheckedDecision:
    """Checks what a service answers as the decision on a question.

    What is signed is the record, by the person's key, and by the service that it took this record from the person's own agent; whose key
    it is, is the service's word unless ``deciders`` says so.

    :raises AgentError: ``ANSWER_INVALID``, ``DECISION_UNPROVEN``
    :raises DecisionError: ``DECISION_REFUSED``, ``DECIDED_ON_OTHER_THAN_ASKED``
    """
    operation = _members(_members(answer).get("operation"))
    record, disclosures = _members(operation.get("eor")), operation.get("disclosures") or {}
    try:
        public_key = from_base64url(_members(_members(_members(answer).get("decider")).get("key")).get("public_key"), 32)
        receipt = parse_receipt(operation.get("ear"))
        if not set(CORE) <= set(record) or not isinstance(disclosures, dict):
            raise ProtocolError("SHAPE_INVALID", "the record has not the members of one")
        message = signed_bytes(record)
        signature = from_base64url(record.get("signature"), 64)
    except ProtocolError as error:
        raise AgentError("ANSWER_INVALID", f"the service's answer is not a decision: {error}") from error
    if not verify(public_key, message, signature):
        raise _unproven("its signature does not verify")
    names = ("operation_id", "agent_id", "org_id")
    if receipt["chain_hash"] != chain_hash(message, signature) or any(receipt[name] != record[name] for name in names):
        raise _unproven("its receipt is for another record")
    try:
        terms.check_receipt(receipt)
    except AgentError as error:
        if error.code != "RECEIPT_INVALID":
            raise
        raise _unproven(str(error)) from error
    if record["org_id"] != terms.org_id:
        raise _unproven("it was made in another organization")
    if record["agent_id"] == terms.agent_id:
        raise _unproven("the agent that asked signed it itself")
    key_thumbprint = thumbprint(public_key)
    if terms.deciders is not None and key_thumbprint not in terms.deciders:
        raise _unproven(f"the key {key_thumbprint} is not one of those that may decide")
    payload = _payload(record, disclosures)
    decision = _members(payload.get("decision"))
    checked = CheckedDecision(
        outcome=_text(decision.get("outcome")) or "",
        by=_text(_members(decision.get("by")).get("id")) or "",
        justification=_text(decision.get("justification")),
        operation_id=record["operation_id"],
        key_thumbprint=key_thumbprint,
        record=dict(record),
        disclosures=disclosures,
        receipt=receipt,
    )
    _need_permission(payload, decision, question, checked)
    return checked


def _payload(record: Mapping[str, Any], disclosures: Dict[str, Any]) -> Mapping[str, Any]:
    """The payload as its reader sees it."""
    payload = record.get("payload")
    try:
        if not isinstance(payload, dict) or payload_hash(payload) != record["payload_hash"]:
            raise _unproven("its payload is not the one that was signed")
        return shown_payload(payload, disclosures)
    except ProtocolError as error:
        raise _unproven("the members of its payload are not those that were signed") from error


def _need_permission(
    payload: Mapping[str, Any], decision: Mapping[str, Any], question: Question, checked: CheckedDecision
) -> None:
    def other(what: str) -> DecisionError:
        return DecisionError("DECIDED_ON_OTHER_THAN_ASKED", f"the decision is about {what}", checked)

    action = question.action
    expected = {"profile": PROFILE, "phase": "decided", "action_id": action.action_id}
    same = all(payload.get(name) == value for name, value in expected.items())
    if not same or decision.get("of") != question.operation_id:
        raise other("another question")
    if checked.outcome in ("denied", "expired"):
        why = "" if checked.justification is None else f": {checked.justification}"
        raise DecisionError("DECISION_REFUSED", f"{checked.outcome} by {checked.by}{why}", checked)
    if question.presented_digest is not None and decision.get("presented_digest") != question.presented_digest:
        raise other("something else than was presented")
    unchanged = checked.outcome in ("approved", "overridden")
    if not unchanged or decision.get("input_digest") != digest_of(action.salt, action.input):
        raise other("another input")


def _unproven(why: str) -> AgentError:
    return AgentError("DECISION_UNPROVEN", f"the decision is not proven: {why}")


def _members(value: Any) -> Mapping[str, Any]:
    """What is looked at of a value that may be anything."""
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> Optional[str]:
    return value if isinstance(value, str) else None
