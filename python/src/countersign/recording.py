"""Hands the moments of one session to their sink, and does what its caller asked for where that fails."""

from __future__ import annotations

import threading
import uuid
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Callable, List, Optional

from .contents import clip
from .encoding import now
from .errors import AgentError
from .sinks import Moment, Sink

OnLoss = Callable[[BaseException, Moment], None]


class Recording:
    def __init__(self, sink: Sink, on_failure: str, on_loss: Optional[OnLoss]) -> None:
        if on_failure not in ("throw", "continue"):
            raise ValueError("on_failure is 'throw' or 'continue'")
        self._sink = sink
        self._on_failure = on_failure
        self._on_loss = on_loss
        self._lock = threading.Lock()
        self._count_lock = threading.Lock()
        self._worker: Optional[ThreadPoolExecutor] = None
        self._waiting: List["Future[None]"] = []
        self._handed_in = 0
        # Moments up to this one waited while the service was away for as long as was to be tried.
        self._abandoned = 0
        self._missing = 0
        self._missing_since = ""
        self._reason = ""
        self.records = 0
        self.lost = 0

    @property
    def agent(self) -> str:
        return self._sink.agent

    def record(self, moment: Moment, wait: bool = False) -> None:
        """Records a moment after those that were handed in before.

        :param wait: also under ``continue``: whether to wait until it is recorded or lost
        :raises AgentError: where the policy is ``throw``, and under either policy ``ACTION_BLOCKED``
        """
        with self._count_lock:
            self._handed_in += 1
            number = self._handed_in
        if self._on_failure == "throw":
            self._take(moment, number)
            return
        if self._sink.local or wait:
            self.idle()
            try:
                self._take(moment, number)
            except Exception as error:
                if isinstance(error, AgentError) and error.code == "ACTION_BLOCKED":
                    raise
            return
        if self._worker is None:
            self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="countersign")
        self._waiting = [future for future in self._waiting if not future.done()]
        self._waiting.append(self._worker.submit(self._take, moment, number))

    def idle(self) -> None:
        """Waits for what was handed in. What went wrong with it was told already."""
        for future in self._waiting:
            future.exception()
        self._waiting = []

    def close(self) -> None:
        if self._worker is not None:
            self._worker.shutdown()
        self._worker = None

    def _take(self, moment: Moment, number: int) -> None:
        with self._lock:
            try:
                if number <= self._abandoned:
                    raise AgentError("SERVICE_UNAVAILABLE", "an earlier record could not be sent")
                if self._missing > 0:
                    self._tell_gap(moment)
                self._sink.take(moment, self._on_failure)
                self.records += 1
            except Exception as error:
                self._note(error, moment)
                raise

    def _note(self, error: Exception, moment: Moment) -> None:
        code = error.code if isinstance(error, AgentError) else type(error).__name__
        if code == "ACTION_BLOCKED":
            return
        if code == "SERVICE_UNAVAILABLE":
            with self._count_lock:
                self._abandoned = self._handed_in
        self.lost += 1
        if self._missing == 0:
            self._missing_since = moment.observed_at
            self._reason = f"{code}: {error}"
        self._missing += 1
        if self._on_loss is not None:
            self._on_loss(error, moment)

    def _tell_gap(self, moment: Moment) -> None:
        """Says what is missing, in a record before the next one."""
        at = now()
        gap = {
            "count": self._missing,
            "first_at": self._missing_since,
            "last_at": at,
            "reason": clip(self._reason, 512),
        }
        bare = Moment(str(uuid.uuid4()), at, moment.session, moment.actor, (), "gap")
        self._sink.take(replace(bare, about=gap), self._on_failure)
        self.records += 1
        self._missing = 0
