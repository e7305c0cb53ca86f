"""What this library raises."""

from __future__ import annotations

from typing import Any, Optional


class ProtocolError(ValueError):
    """A value has no valid form in the protocol.

    ``code`` is ``NOT_CANONICAL``, ``JSON_INVALID``, ``ENCODING_INVALID``, ``SHAPE_INVALID`` or ``KEY_WEAK``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class AgentError(Exception):
    """An operation could not be recorded. ``code`` is the service's own where it refused, or one of this library's:

    ``SERVICE_UNAVAILABLE``, ``SERVICE_UNKNOWN``, ``ANSWER_INVALID``, ``RECEIPT_INVALID``, ``HISTORY_LOST``,
    ``HISTORY_FORKED``, ``KEY_INVALID``,
    ``RECEIPTS_UNUSABLE``, ``ACTION_BLOCKED``, ``END_NOT_RECORDED``, ``SESSION_ENDED``, ``RECORDER_UNAVAILABLE``,
    ``RECORDER_REFUSED``, ``DECISION_TIMED_OUT``, ``DECISION_REFUSED``, ``DECIDED_ON_OTHER_THAN_ASKED``,
    ``DECISION_UNPROVEN``, ``QUESTION_CLOSED``.
    """

    def __init__(self, code: str, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.code = code
        #: Whether the service itself said so.
        self.refused = refused


class EndNotRecorded(AgentError):
    """The action was carried out, and how it ended could not be recorded; ``__cause__`` says why."""

    def __init__(self, cause: BaseException, result: Any = None, error: Optional[BaseException] = None) -> None:
        super().__init__("END_NOT_RECORDED", f"the action was carried out, but its end was not recorded: {cause}")
        #: What the action returned, where that is known here.
        self.result = result
        #: What the action raised.
        self.error = error
