"""What a session is begun with, and what it asks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Mapping, Optional, Union

from .recording import OnLoss
from .sinks import Action

Tool = Union[str, Mapping[str, str]]


def named(given: Tool) -> Dict[str, str]:
    return {"name": given} if isinstance(given, str) else dict(given)


@dataclass(frozen=True)
class SessionOptions:
    """Names, and what becomes of an action that cannot be recorded."""

    #: Names the session; a new UUID where it is left out.
    id: Optional[str] = None
    on_behalf_of: Optional[str] = None
    #: ``auth-session``, ``kernel-uid`` or ``asserted``.
    identity_source: str = "asserted"
    #: Its name, or ``{"name", "provider", "version"}``.
    model: Optional[Tool] = None
    #: Its name, or ``{"name", "version"}``.
    program: Optional[Tool] = None
    #: ``{"id", "type"}``
    sub_agent: Optional[Mapping[str, str]] = None
    #: ``throw``: what cannot be recorded does not happen. ``continue``: it happens all the same, and the loss is recorded later.
    on_failure: str = "throw"
    #: Called for each moment that was not recorded.
    on_loss: Optional[OnLoss] = None
    #: What of inputs and outputs is recorded: ``full``, ``input``, or ``digest``. Of no meaning to the recorder.
    capture: str = "full"

    @property
    def actor(self) -> Dict[str, Any]:
        members: Dict[str, Any] = {}
        if self.on_behalf_of is not None:
            members = {"on_behalf_of": self.on_behalf_of, "identity_source": self.identity_source}
        for name, value in (("model", self.model), ("program", self.program), ("sub_agent", self.sub_agent)):
            if value is not None:
                members[name] = named(value)
        return members


@dataclass(frozen=True)
class Question:
    """An action that somebody was asked about."""

    #: Names the agent that asked.
    asked_by: str
    operation_id: str
    action: Action
    presented_digest: Optional[str]
