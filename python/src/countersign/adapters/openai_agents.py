"""OpenAI Agents SDK: ``Runner.run(agent, text, hooks=recording_hooks(session))``."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Dict

from ..open_action import OpenAction
from ..session import Session
from .told_once import ToldOnce


def recording_hooks(session: Session, base: type = object) -> Any:
    """Hooks that record tool calls, handoffs, and what models are told.

    The SDK waits for its hooks: what cannot be recorded stops the run, under the session's policy ``throw``.

    :param base: ``agents.RunHooks``, for versions of the SDK that insist on it
    """
    told = ToldOnce(session)
    opened: Dict[str, OpenAction] = {}

    def key(context: Any, tool: Any) -> str:
        return str(getattr(context, "tool_call_id", None) or f"{id(context)} {getattr(tool, 'name', tool)}")

    async def nothing(*_: Any, **__: Any) -> None:
        return None

    class Hooks(base):  # type: ignore[misc]
        async def on_llm_start(self, context: Any, agent: Any, system_prompt: Any, input_items: Any) -> None:
            things = [] if not system_prompt else [("system", system_prompt)]
            for item in input_items or []:
                if isinstance(item, dict) and item.get("role") in ("user", "system"):
                    things.append((item["role"], item.get("content")))
            await asyncio.to_thread(told.told, things)

        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            named = {"name": str(getattr(tool, "name", tool)), "type": "function"}
            call_id = getattr(context, "tool_call_id", None)
            if isinstance(call_id, str):
                named["call_id"] = call_id
            given = _parsed(getattr(context, "tool_arguments", None))
            opened[key(context, tool)] = await asyncio.to_thread(session.begin, named, given)

        async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
            action = opened.pop(key(context, tool), None)
            if action is not None:
                await asyncio.to_thread(action.completed, result)

        async def on_handoff(self, context: Any, from_agent: Any, to_agent: Any) -> None:
            text = f"{getattr(from_agent, 'name', '')} → {getattr(to_agent, 'name', '')}"
            await asyncio.to_thread(session.note, "handoff", text)

        on_agent_start = nothing
        on_agent_end = nothing
        on_llm_end = nothing

    return Hooks()


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text
