"""LangChain and LangGraph: ``graph.invoke(state, config={"callbacks": [LangChainHandler(session)]})``."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Optional
from uuid import UUID

from ..open_action import OpenAction
from ..session import Session
from .told_once import ToldOnce

_KINDS = {"system": "system", "human": "user"}


class LangChainHandler:
    """A callback handler that records tool calls, and what models are told by people and by the system."""

    #: What cannot be recorded stops the run, under the session's policy ``throw``.
    raise_error = True
    #: In the order of the run, and on its thread.
    run_inline = True
    ignore_agent = False
    ignore_llm = False
    ignore_chat_model = False
    ignore_chain = True
    ignore_retriever = True
    ignore_retry = True
    ignore_custom_event = True

    def __init__(self, session: Session) -> None:
        self._session = session
        self._told = ToldOnce(session)
        self._open: Dict[UUID, OpenAction] = {}

    def on_chat_model_start(self, serialized: Any, messages: List[List[Any]], **_: Any) -> None:
        things = [
            (_KINDS[message.type], message.content)
            for batch in messages
            for message in batch
            if getattr(message, "type", None) in _KINDS
        ]
        self._told.told(things)

    def on_llm_start(self, serialized: Any, prompts: List[str], **_: Any) -> None:
        self._told.told([("user", prompt) for prompt in prompts])

    def on_tool_start(
        self,
        serialized: Optional[Dict[str, Any]],
        input_str: str,
        *,
        run_id: UUID,
        parent_run_id: Optional[UUID] = None,
        inputs: Optional[Dict[str, Any]] = None,
        **more: Any,
    ) -> None:
        around = self._open.get(parent_run_id) if parent_run_id is not None else None
        tool = {"name": str((serialized or {}).get("name") or more.get("name") or "tool"), "type": "function"}
        if isinstance(more.get("tool_call_id"), str):
            tool["call_id"] = more["tool_call_id"]
        given = _parsed(input_str) if inputs is None else inputs
        cause = () if around is None else (around.operation_id,)
        self._open[run_id] = self._session.begin(tool, given, cause=cause)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        opened = self._open.pop(run_id, None)
        if opened is None:
            return
        content = getattr(output, "content", output)
        if getattr(output, "status", None) == "error":
            opened.failed(content)
        else:
            opened.completed(content)

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        opened = self._open.pop(run_id, None)
        if opened is not None:
            opened.failed(error)

    def __getattr__(self, name: str) -> Any:
        # The framework calls a method for each of its events, and has had more of them with each version.
        if name.startswith("on_"):
            return lambda *args, **kwargs: None
        raise AttributeError(name)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
