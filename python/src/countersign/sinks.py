"""What a session sees, and the operations that say so in payloads of the profile countersign.agent-action/1."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple

from .contents import MAX_CONTENT_BYTES, MAX_TOLD_BYTES, clip, clip_name, content_of, digest_of, draw_salt, number_marks
from .records import Operation

PROFILE = "countersign.agent-action/1"

Members = Dict[str, Any]

_BY_TOOL = {"shell": "shell", "mcp": "mcp", "web": "web", "browser": "web", "agent": "agent"}
_OF_SESSION = {
    "session_started": "session.start",
    "session_ended": "session.end",
    "told": "prompt.submit",
    "gap": "recorder.gap",
    "note": "recorder.note",
}


@dataclass(frozen=True)
class Action:
    """What stays the same over all moments of one action."""

    action_id: str
    #: ``name``, and ``type``, ``server``, ``call_id`` where they are known.
    tool: Members
    input: Any
    #: Of all contents that quote the input.
    salt: str
    operation_type: Optional[str] = None
    subject: Optional[str] = None


@dataclass(frozen=True)
class Moment:
    """One thing that a session saw; one record is made of it."""

    operation_id: str
    observed_at: str
    session: Members
    actor: Members
    cause: Tuple[str, ...]
    #: ``session_started``, ``session_ended``, ``told``, ``note``, ``gap``, ``decided``, or the stage of a call.
    phase: str
    action: Optional[Action] = None
    touched: Tuple[Members, ...] = ()
    presented: Optional[Tuple[Any, str]] = None
    #: A tuple of one, as the output may be None.
    output: Optional[Tuple[Any]] = None
    outcome: Optional[Members] = None
    duration_ms: Optional[int] = None
    #: ``decision``, ``told``, ``note``, ``gap`` of the payload, without contents.
    about: Members = field(default_factory=dict)


class Sink(Protocol):
    """Where moments become records."""

    #: Names the agent.
    agent: str
    #: On this machine, and so answering at once.
    local: bool

    def take(self, moment: Moment, on_failure: str) -> None:
        """
        :param on_failure: what the session does where it raises: an action that is carried out all the same may become a record later
        :raises AgentError: ``ACTION_BLOCKED`` where the action must not be carried out
        """


class AgentSink:
    """Moments become operations that the agent signs itself and has countersigned."""

    local = False

    def __init__(self, agent: str, submit: Callable[[Operation], Any], capture: str) -> None:
        self.agent = agent
        self._submit = submit
        self._capture = capture

    def take(self, moment: Moment, on_failure: str) -> None:
        self._submit(operation_of(moment, self._capture))


def operation_of(moment: Moment, capture: str) -> Operation:
    """:param capture: what of inputs and outputs it shows; of the rest it has the digests"""
    payload: Members = {"profile": PROFILE, "phase": moment.phase, "session": names(moment.session)}
    if "records" in moment.about:
        payload["session"]["totals"] = {"records": moment.about["records"]}
    if moment.actor:
        payload["actor"] = names(moment.actor)
    if moment.cause:
        payload["cause"] = list(moment.cause[:64])
    payload["timing"] = {"observed_at": moment.observed_at}
    if moment.action is not None:
        payload["action_id"] = moment.action.action_id
    if moment.phase == "decided":
        payload["decision"] = _decision(moment, capture)
    elif moment.action is not None:
        payload.update(_call(moment, moment.action, capture))
    elif moment.phase == "told":
        payload["told"] = _told(moment.about["told"], capture)
    elif moment.phase in ("note", "gap"):
        payload[moment.phase] = moment.about
    if moment.duration_ms is not None:
        payload["timing"]["duration_ms"] = moment.duration_ms
    marks = number_marks(payload)
    if marks:
        payload["redactions"] = marks
    kind, subject = _head(moment)
    return Operation(kind, subject, moment.phase, payload, moment.operation_id)


def names(members: Members) -> Members:
    """The same with all texts cut to the length of a name."""
    return {
        key: names(value) if isinstance(value, dict) else clip_name(str(value))
        for key, value in members.items()
        if value is not None
    }


def _call(moment: Moment, action: Action, capture: str) -> Members:
    members: Members = {}
    if moment.phase in ("proposed", "asked", "started"):
        members["tool"] = names(action.tool)
        members["input"] = content_of(action.input, action.salt, capture != "digest")
    if moment.presented is not None:
        members["presented"] = content_of(moment.presented[0], moment.presented[1], capture != "digest")
    if moment.output is not None:
        members["output"] = content_of(moment.output[0], draw_salt(), capture == "full")
    if moment.touched:
        members["touched"] = [_resource(resource) for resource in moment.touched[:256]]
    if moment.outcome is not None:
        members["outcome"] = moment.outcome
    return members


def _resource(resource: Members) -> Members:
    limits = {"id": 1024, "within": 1024, "before": 256, "after": 256}
    return {
        name: clip(value, limits[name]) if name in limits and isinstance(value, str) else value
        for name, value in resource.items()
    }


def _decision(moment: Moment, capture: str) -> Members:
    action = moment.action
    decision: Members = dict(moment.about["decision"])
    modified = decision.pop("input", None)
    if action is not None and (modified is not None or decision["outcome"] in ("approved", "overridden")):
        decision["input_digest"] = digest_of(action.salt, action.input if modified is None else modified[0])
        if modified is not None:
            decision["input"] = content_of(modified[0], action.salt, capture != "digest")
    return decision


def _told(things: List[Tuple[str, Any]], capture: str) -> List[Members]:
    each = min(MAX_TOLD_BYTES // len(things), MAX_CONTENT_BYTES)
    return [
        {"kind": kind, "content": content_of(value, draw_salt(), capture != "digest", each)} for kind, value in things
    ]


def _head(moment: Moment) -> Tuple[str, str]:
    """``operation_type`` and ``subject`` of the record."""
    action = moment.action
    if action is None:
        return _OF_SESSION[moment.phase], clip(moment.session["id"], 512)
    tool = action.tool
    named = f"{tool['server']}/{tool['name']}" if tool.get("server") else tool["name"]
    # A subject is signed for good and cannot be withheld: nothing that is touched becomes one by itself.
    subject = clip(action.subject or named, 512)
    if moment.phase == "asked":
        return "permission.ask", subject
    if moment.phase == "decided":
        return "permission.decide", subject
    return action.operation_type or f"tool.{_kind(tool.get('type'), moment.touched)}", subject


def _kind(tool_type: Optional[str], touched: Tuple[Members, ...]) -> str:
    if tool_type == "file" and touched:
        return "file_read" if all(resource["access"] == "read" for resource in touched) else "file_write"
    return _BY_TOOL.get(tool_type or "", "other")
