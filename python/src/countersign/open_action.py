"""An action that has begun."""

from __future__ import annotations

import asyncio
import time
from typing import Any, Callable, Dict, List, Mapping, Optional

from .contents import error_of, plain_json, status_of
from .errors import EndNotRecorded
from .sinks import Action

_NOTHING = object()


class OpenAction:
    """It is to be ended once, by whichever of its methods says how."""

    def __init__(
        self,
        record: "Callable[[OpenAction, str, Dict[str, Any]], None]",
        action: Action,
        touched: List[Dict[str, Any]],
        operation_id: str,
    ) -> None:
        self._record = record
        self._action = action
        self._touched = touched
        self._began_at = time.monotonic()
        self._ended = False
        #: UUID that joins the records of the action.
        self.action_id = action.action_id
        #: Of the record that it began with.
        self.operation_id = operation_id

    def touch(self, *resources: Mapping[str, Any]) -> None:
        """Adds a resource that turned out to be used; it is in the record of the end."""
        self._touched.extend(dict(resource) for resource in resources)

    def completed(self, output: Any = _NOTHING, exit_code: Optional[int] = None) -> None:
        outcome: Dict[str, Any] = {"status": "ok"}
        if exit_code is not None:
            outcome["exit_code"] = exit_code
        self._end("completed", outcome, {} if output is _NOTHING else {"output": (plain_json(output),)})

    def failed(self, error: Any, status: Optional[str] = None) -> None:
        known = error if isinstance(error, BaseException) else None
        self._end("failed", {"status": status or status_of(known), "error": error_of(error)})

    def refused(self, status: str = "denied", message: Optional[str] = None) -> None:
        """It was not carried out."""
        self._end("refused", {"status": status, **({"error": error_of(message)} if message else {})})

    def unknown(self, message: str) -> None:
        """Nobody saw how it ended."""
        self._end("failed", {"status": "unknown", "error": error_of(message)})

    def _end(self, phase: str, outcome: Dict[str, Any], shown: Optional[Dict[str, Any]] = None) -> None:
        if self._ended:
            return
        self._ended = True
        duration = round((time.monotonic() - self._began_at) * 1000)
        members = {"action": self._action, "touched": tuple(self._touched), "outcome": outcome, "duration_ms": duration}
        self._record(self, phase, {**members, **(shown or {})})


class Call:
    """A block of code as a call of a tool; ``output`` is what is recorded of its result."""

    def __init__(
        self, begin: Callable[[], OpenAction], enter: Callable[[OpenAction], Any], leave: Callable[[Any], None]
    ) -> None:
        self._begin = begin
        self._enter = enter
        self._leave = leave
        self._open: Optional[OpenAction] = None
        self._token: Any = None
        self.output: Any = None

    @property
    def action(self) -> OpenAction:
        if self._open is None:
            raise RuntimeError("the call has not begun")
        return self._open

    def touch(self, *resources: Mapping[str, Any]) -> None:
        self.action.touch(*resources)

    def __enter__(self) -> "Call":
        self._open = self._begin()
        self._token = self._enter(self._open)
        return self

    def __exit__(self, _type: object, error: Optional[BaseException], _trace: object) -> None:
        self._leave(self._token)
        self._finish(error)

    async def __aenter__(self) -> "Call":
        # Signing and sending wait for the service, and the event loop must not.
        self._open = await asyncio.to_thread(self._begin)
        self._token = self._enter(self._open)
        return self

    async def __aexit__(self, _type: object, error: Optional[BaseException], _trace: object) -> None:
        self._leave(self._token)
        # Also where the task is being cancelled, its end is recorded.
        await asyncio.shield(asyncio.to_thread(self._finish, error))

    def _finish(self, error: Optional[BaseException]) -> None:
        try:
            if error is None:
                # A block that says nothing of its result has none that could be recorded.
                self.action.completed(*(() if self.output is None else (self.output,)))
            else:
                self.action.failed(error)
        except Exception as cause:
            raise EndNotRecorded(cause, self.output, error) from cause
