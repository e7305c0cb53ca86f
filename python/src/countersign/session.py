"""One run of an agent, and what it did."""

from __future__ import annotations

import functools
import inspect
import threading
import uuid
from contextvars import ContextVar
from dataclasses import replace
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Set, Tuple, TypeVar, cast

from .contents import clip_name, digest_of, draw_salt, input_of, plain_json
from .encoding import now
from .errors import AgentError
from .open_action import Call, OpenAction
from .recording import Recording
from .session_options import Question, SessionOptions, Tool, named
from .sinks import Action, Moment, Sink

F = TypeVar("F", bound=Callable[..., Any])

#: The session, and the operation_id of the action within it, that the caller is within.
_running: "ContextVar[Tuple[Optional[Session], Optional[str]]]" = ContextVar("countersign", default=(None, None))


def current_session() -> "Optional[Session]":
    """The session that the caller is within."""
    return _running.get()[0]


class Session:
    """Made by ``agent.session()`` or ``recorder.session()``. Its first record says that it started.

    As a context manager it is the current session inside, and ends there.
    """

    def __init__(self, sink: Sink, options: SessionOptions, parent: "Optional[Session]" = None) -> None:
        self.id = options.id or str(uuid.uuid4())
        self._sink = sink
        self._options = options
        self._parent = parent
        self._recording = Recording(sink, options.on_failure, options.on_loss)
        self._open: Set[OpenAction] = set()
        self._children: List[Session] = []
        self._tokens: List[Any] = []
        self._start_lock = threading.Lock()
        self._started = self._ended = False
        self._start: Moment
        cause = () if parent is None else (_running.get()[1] or parent._start.operation_id,)
        self._start = self._moment("session_started", cause)

    @property
    def records(self) -> int:
        """How many records the session has."""
        return self._recording.records

    @property
    def lost(self) -> int:
        """How many moments could not be recorded, as far as is known by now."""
        return self._recording.lost

    def __enter__(self) -> "Session":
        self._tokens.append(_running.set((self, _running.get()[1])))
        return self

    def __exit__(self, *_: object) -> None:
        _running.reset(self._tokens.pop())
        self.end()

    def child(self, **options: Any) -> "Session":
        """A session that this one begins, such as that of a sub-agent."""
        child = Session(self._sink, replace(self._options, **{"id": None, **options}), self)
        self._children.append(child)
        return child

    def call(
        self,
        tool: Tool,
        input: Any = None,  # noqa: A002 (the word of the profile)
        *,
        touched: Sequence[Mapping[str, Any]] = (),
        question: Optional[Question] = None,
        subject: Optional[str] = None,
        operation_type: Optional[str] = None,
    ) -> Call:
        """For ``with`` and ``async with``: records that an action began, and how the block ended.

        :raises AgentError: from ``with``, where the beginning cannot be recorded: then the block is not carried out
        :raises EndNotRecorded: where the block was carried out, and its end cannot be recorded
        """
        given = {"touched": touched, "question": question, "subject": subject, "operation_type": operation_type}
        within = lambda open_action: _running.set((self, open_action.operation_id))  # noqa: E731
        return Call(lambda: self.begin(tool, input, **given), within, _running.reset)  # type: ignore[arg-type]

    def recorded(self, tool: Optional[Tool] = None) -> Callable[[F], F]:
        """A decorator: each call of the function, plain or async, is one of this session."""
        return _decorator(tool, lambda: self)

    def begin(
        self,
        tool: Tool,
        input: Any = None,  # noqa: A002
        *,
        stage: str = "started",
        touched: Sequence[Mapping[str, Any]] = (),
        question: Optional[Question] = None,
        subject: Optional[str] = None,
        operation_type: Optional[str] = None,
        cause: Sequence[str] = (),
    ) -> OpenAction:
        """Records that an action begins, for callers that learn of its end elsewhere; ``call`` is simpler.

        :param stage: ``proposed`` where the program around it has yet to decide whether it happens
        """
        action = self._action(tool, input) if question is None else question.action
        action = replace(
            action,
            operation_type=operation_type or action.operation_type,
            subject=subject or action.subject,
        )
        moment = self._moment(stage, self._causes(cause))
        resources = tuple(dict(resource) for resource in touched)
        self._record(replace(moment, action=action, touched=resources))
        opened = OpenAction(self._record_end, action, list(resources), moment.operation_id)
        self._open.add(opened)
        return opened

    def _record_end(self, opened: OpenAction, phase: str, members: Dict[str, Any]) -> None:
        self._open.discard(opened)
        self._record(replace(self._moment(phase), **members))

    def told(self, *things: Tuple[str, Any]) -> None:
        """Records what the agent was told: pairs of a kind (``system``, ``user``, ``memory``, …) and a value."""
        for start in range(0, len(things), 64):
            told = [(kind, plain_json(value)) for kind, value in things[start : start + 64]]
            self._record(replace(self._moment("told", self._causes()), about={"told": told}))

    def note(self, name: str, text: Optional[str] = None) -> None:
        """Records anything else."""
        about = {"kind": clip_name(name), **({"text": plain_json(text)[:4096]} if text else {})}
        self._record(replace(self._moment("note", self._causes()), about=about))

    def ask(self, tool: Tool, input: Any = None, *, presented: Any = None) -> Question:  # noqa: A002
        """Records that somebody is asked whether an action may be carried out.

        :param presented: what whoever decides is shown
        """
        action = self._action(tool, input)
        shown = None if presented is None else (plain_json(presented), draw_salt())
        moment = self._moment("asked", self._causes())
        self._record(replace(moment, action=action, presented=shown))
        digest = None if shown is None else digest_of(shown[1], shown[0])
        return Question(self._recording.agent, moment.operation_id, action, digest)

    def decided(
        self, question: Question, outcome: str, by: Mapping[str, Any], justification: Optional[str] = None, **more: Any
    ) -> Question:
        """Records a decision on a question.

        Where it is recorded by the very agent that asked, and a person or another agent decided, it is marked as reported.

        :param by: ``{"kind", "id", "mode"}``
        :param more: ``input``, the modified one, and ``policy``
        :returns: the question, with the input that may now be carried out
        """
        reported = by["kind"] != "policy" and question.asked_by == self._recording.agent
        decision: Dict[str, Any] = {"outcome": outcome, "of": question.operation_id, "by": dict(by)}
        if reported:
            decision["by"]["reported"] = True
        if question.presented_digest is not None:
            decision["presented_digest"] = question.presented_digest
        if justification:
            decision["justification"] = plain_json(justification)[:4096]
        if "policy" in more:
            decision["policy"] = dict(more["policy"])
        modified = plain_json(more["input"]) if "input" in more else None
        if "input" in more:
            decision["input"] = (modified,)
        self._record(replace(self._moment("decided"), action=question.action, about={"decision": decision}))
        return replace(question, action=replace(question.action, input=modified)) if "input" in more else question

    def refused(self, question: Question, status: str = "denied", message: Optional[str] = None) -> None:
        """Records that an action that was asked about was not carried out."""
        outcome = {"status": status, **({"error": {"message": message}} if message else {})}
        self._record(replace(self._moment("refused"), action=question.action, outcome=outcome))

    def end(self) -> None:
        """Ends the session, and those that it began. What is still open gets an end that nobody saw."""
        if self._ended:
            return
        for child in self._children:
            child.end()
        for opened in list(self._open):
            opened.unknown("the session ended before the action did")
        self._begun()
        self._recording.idle()
        totals = {"records": self.records} if self.lost == 0 else {}
        self._recording.record(replace(self._moment("session_ended"), about=totals), wait=True)
        self._ended = True
        self._recording.close()

    def _action(self, tool: Tool, value: Any) -> Action:
        return Action(str(uuid.uuid4()), named(tool), plain_json(value), draw_salt())

    def _moment(self, phase: str, cause: Tuple[str, ...] = ()) -> Moment:
        session = {"id": self.id, **({} if self._parent is None else {"parent": self._parent.id})}
        return Moment(str(uuid.uuid4()), now(), session, self._options.actor, cause, phase)

    def _causes(self, further: Sequence[str] = ()) -> Tuple[str, ...]:
        within = _running.get()[1]
        return (*(() if within is None else (within,)), *further)

    def _record(self, moment: Moment) -> None:
        if self._ended:
            raise AgentError("SESSION_ENDED", f"the session {self.id} has ended")
        self._begun()
        self._recording.record(moment)

    def _begun(self) -> None:
        """The record that the session started comes first; where it could not be made, the next one tries again."""
        with self._start_lock:
            if self._started:
                return
            if self._parent is not None:
                self._parent._begun()
            self._recording.record(self._start)
            self._started = True


def recorded(tool: Optional[Tool] = None) -> Callable[[F], F]:
    """A decorator: each call of the function, plain or async, is one of the session that its caller is within.

    :raises AgentError: ``SESSION_ENDED``, from the function, where its caller is within none
    """

    def current() -> Session:
        session = current_session()
        if session is None:
            raise AgentError("SESSION_ENDED", "the call is within no session: use it as a context manager")
        return session

    return _decorator(tool, current)


def _decorator(tool: Optional[Tool], session: Callable[[], Session]) -> Callable[[F], F]:
    def decorate(function: F) -> F:
        name: Tool = tool if tool is not None else {"name": function.__name__, "type": "function"}
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def waiting(*args: Any, **kwargs: Any) -> Any:
                async with session().call(name, input_of(args, kwargs)) as call:
                    call.output = await function(*args, **kwargs)
                return call.output

            return cast(F, waiting)

        @functools.wraps(function)
        def calling(*args: Any, **kwargs: Any) -> Any:
            with session().call(name, input_of(args, kwargs)) as call:
                call.output = function(*args, **kwargs)
            return call.output

        return cast(F, calling)

    return decorate
