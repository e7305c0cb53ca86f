"""What a model is told, where it is told everything from the beginning each time: what is new alone."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any, List, Tuple

from ..canonical import canonical_bytes
from ..contents import plain_json
from ..encoding import sha256
from ..session import Session

#: Of how many different things it is known that they were told.
_MAX_KNOWN = 10_000


class ToldOnce:
    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: "Counter[bytes]" = Counter()
        self._lock = threading.Lock()

    def told(self, things: List[Tuple[str, Any]]) -> None:
        """:param things: all that the model is told now, from the beginning"""
        with self._lock:
            told_now: "Counter[bytes]" = Counter()
            fresh = []
            for kind, value in things:
                key = sha256(canonical_bytes([kind, plain_json(value)]))
                told_now[key] += 1
                if told_now[key] > self._known[key]:
                    fresh.append((kind, value))
            if fresh:
                self._session.told(*fresh)
            # The union of two counters has the greater count of each.
            self._known |= told_now
            while len(self._known) > _MAX_KNOWN:
                del self._known[next(iter(self._known))]
