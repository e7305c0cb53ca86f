"""Hands what an agent does to the recorder that runs on this machine."""

from __future__ import annotations

import http.client
import json
import os
import socket
import sys
import threading
import time
import uuid
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple
from urllib.parse import quote, urlsplit

from .canonical import canonical_bytes
from .contents import clip, clip_name, exact_json_text
from .encoding import sha256
from .errors import AgentError
from .session import Session
from .session_options import SessionOptions
from .sinks import Action, Members, Moment, names

_PAUSE = 0.1
# How long a recorder that hangs is waited for at the least, in seconds, and what it takes of a large event in one of them, in bytes.
_PATIENCE = 3.0
_BYTES_A_SECOND = 4_000_000
# How long one that hung is waited for to say that it lives, in seconds.
_ALIVE = 0.25
# How many events wait for a recorder at most, and how many bytes of them.
_MOST_LEFT = (1_000, 256 * 1024 * 1024)


def recorder_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The recorder's folder of this user."""
    chosen = environment.get("COUNTERSIGN_RECORDER")
    if chosen is not None:
        return Path(chosen)
    home = Path(environment.get("HOME") or Path.home())
    if platform == "win32":
        data = Path(environment.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif platform == "darwin":
        data = home / "Library" / "Application Support"
    else:
        if hasattr(os, "getuid"):
            # The view of a recorder that the system keeps for this user.
            view = Path("/etc/countersign-recorder", str(os.getuid()))
            if view.exists():
                return view
        xdg = environment.get("XDG_DATA_HOME", "")
        data = Path(xdg) if xdg.startswith("/") else home / ".local" / "share"
    return data / "countersign" / "recorder"


class _SocketConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: str, timeout: float) -> None:
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        if not hasattr(socket, "AF_UNIX"):
            raise OSError("this system has no Unix sockets")
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class RecorderClient:
    """The recorder has key and token, redacts, signs, keeps and sends; this needs neither, and no network."""

    local = True

    def __init__(self, feed: str = "other", folder: Optional[str] = None, retry_for: float = 3.0) -> None:
        """
        :param feed: for which of the recorder's agents
        :param retry_for: how long to go on trying while no recorder answers, in seconds; one that hangs is waited for until then, and
            for 3 seconds, with more for large events, at the least; after that only for a sign of life, a quarter of a second, until one answers
        """
        self._feed = feed
        self._folder = recorder_folder(os.environ) if folder is None else Path(folder)
        self._retry_for = retry_for
        # By session, how many of its moments were noted as missed since its last gap.
        self._noted: Dict[str, int] = {}
        # Whether the recorder was waited for in vain, and has not answered since.
        self._hangs = False
        self.agent = f"recorder/{feed}"

    def session(self, **options: Any) -> Session:
        """A session whose records the recorder makes."""
        return Session(self, SessionOptions(**options))

    def take(self, moment: Moment, on_failure: str) -> None:
        """Where no recorder answers, a session that continues leaves the moment for the next one, as far as the agent's policy
        permits. Else, since what it tells of then does not happen, and where it cannot be left, it is noted as missed in the recorder's
        folder, so that the next recorder signs a gap for it. Both are so also if this process has ended by then.
        """
        session = str(moment.session["id"])
        told: Optional[Moment] = moment
        if moment.phase == "gap":
            # The recorder makes the gap of what was noted.
            count = moment.about["count"] - self._noted.get(session, 0)
            told = replace(moment, about={**moment.about, "count": count}) if count > 0 else None
        verdict = {"allowed": True} if told is None else self._hand_or_keep(told, session, on_failure)
        if moment.phase in ("gap", "session_ended"):
            self._noted.pop(session, None)
        # What has happened is not undone by forbidding it.
        if not verdict["allowed"] and moment.phase in ("proposed", "asked", "started"):
            raise AgentError("ACTION_BLOCKED", verdict.get("reason") or "the recorder does not allow it")

    def _hand_or_keep(self, moment: Moment, session: str, on_failure: str) -> Dict[str, Any]:
        seen = [seen_of(moment)]
        try:
            return self.hand(seen)
        except AgentError as error:
            # One that answered, with whatever, has counted it.
            unanswered = error.code == "RECORDER_UNAVAILABLE" and error.__cause__ is not None
            if unanswered and on_failure == "continue" and _leave_seen(self._folder, self._feed, _body_of(seen)):
                return {"allowed": True}
            if error.code == "RECORDER_UNAVAILABLE" and moment.phase != "gap" and self._note(moment):
                self._noted[session] = self._noted.get(session, 0) + 1
            raise

    def _note(self, moment: Moment) -> bool:
        """False where the recorder cannot see the folder, no agent is installed, or the folder cannot be written."""
        folder = self._folder
        if _is_system_view(folder) or not (folder / "agents" / f"{self._feed}.json").exists():
            return False
        line = f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {moment.operation_id} library\n"
        try:
            (folder / "missed").mkdir(mode=0o700, exist_ok=True)
            file = os.open(str(folder / "missed" / self._feed), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                os.write(file, line.encode("ascii"))
            finally:
                os.close(file)
            return True
        except OSError:
            # The session counts it as before, and its caller gets the error.
            return False

    def hand(self, seen: Sequence[Members]) -> Dict[str, Any]:
        """Hands in events in the recorder's own form. The same ``event_id`` is taken once.

        :raises AgentError: ``RECORDER_UNAVAILABLE``, ``RECORDER_REFUSED``
        """
        body = _body_of(seen)
        give_up = time.monotonic() + self._retry_for
        # One for all tries, once somebody listens: what hangs more than once is waited for no longer.
        deadline: Optional[float] = None
        while True:
            patience = _PATIENCE + len(body) / _BYTES_A_SECOND
            until = max(give_up, time.monotonic() + patience) if deadline is None else deadline
            try:
                return self._post(body, until)
            except AgentError as error:
                if not isinstance(error.__cause__, (ConnectionRefusedError, FileNotFoundError)):
                    deadline = until
                is_late = self._hangs or time.monotonic() + _PAUSE > give_up
                if error.code != "RECORDER_UNAVAILABLE" or is_late:
                    raise
            time.sleep(_PAUSE)

    def _post(self, body: bytes, deadline: float) -> Dict[str, Any]:
        if self._hangs:
            self._ask("GET", "/v1/alive", None, time.monotonic() + _ALIVE)
        status, text = self._ask("POST", f"/v1/seen/{quote(self._feed, safe='')}", body, deadline)
        self._hangs = False
        if status >= 500:
            raise self._unavailable(f"HTTP {status}")
        answer = _json_of(text)
        if isinstance(answer, dict) and isinstance(answer.get("allowed"), bool) and status in (200, 403):
            return answer
        if status == 403:
            return {"allowed": False, "reason": text or None, "operation_ids": []}
        raise AgentError("RECORDER_REFUSED", f"the recorder answered HTTP {status}: {text[:500]}")

    def _ask(self, method: str, path: str, body: Optional[bytes], deadline: float) -> Tuple[int, str]:
        # Read each time: a recorder that was started again listens elsewhere.
        patience = _left_until(deadline)
        connection, shown = self._door(patience)
        try:
            headers = {**shown, "content-type": "application/json"}
            connection.request(method, path, body=body, headers=headers)
            # What connecting and sending took is gone.
            connection.sock.settimeout(_left_until(deadline))
            response = connection.getresponse()
            return response.status, response.read().decode("utf-8", "replace")
        except (OSError, http.client.HTTPException) as error:
            self._hangs = isinstance(error, socket.timeout)
            why = f"no answer within {patience:.2f} s" if isinstance(error, socket.timeout) else str(error)
            raise self._unavailable(why) from error
        finally:
            connection.close()

    def _door(self, timeout: float) -> Tuple[http.client.HTTPConnection, Dict[str, str]]:
        """Where the recorder listens, and what it wants to be shown there."""
        file = self._folder / "recorder.json"
        # A recorder of the system has no port: whoever can connect to its socket may speak to it.
        if not file.exists():
            return _SocketConnection(str(self._folder / "recorder.sock"), timeout), {}
        try:
            address = json.loads(file.read_text("utf-8"))
            url = urlsplit(address["url"])
            # The token goes to this machine alone.
            if url.scheme != "http" or url.hostname != "127.0.0.1" or url.port is None:
                raise ValueError("recorder.json names no address")
            token = (self._folder / "token").read_text("utf-8").strip()
            connection = http.client.HTTPConnection(url.hostname, url.port, timeout=timeout)
            return connection, {"authorization": f"Bearer {token}"}
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._hangs = False
            raise self._unavailable(str(error)) from error

    def _unavailable(self, why: str) -> AgentError:
        return AgentError("RECORDER_UNAVAILABLE", f"no recorder answers for {self._folder}: {why}")


def _left_until(deadline: float) -> float:
    return max(0.001, deadline - time.monotonic())


def _is_system_view(folder: Path) -> bool:
    return folder.parent == Path("/etc/countersign-recorder")


def _body_of(seen: Sequence[Members]) -> bytes:
    return exact_json_text({"seen": list(seen)}).encode("utf-8")


def _may_be_left(agent: Path) -> bool:
    """Not where an event has to be recorded, or acknowledged, before the program continues."""
    try:
        policy = _json_of(agent.read_text("utf-8"))
    except OSError:
        return False
    return isinstance(policy, dict) and policy.get("on_failure") != "block" and policy.get("threshold") == "captured"


_last_left = 0
_leaving = threading.Lock()


def _leave_seen(folder: Path, feed: str, body: bytes) -> bool:
    """Leaves an event that no recorder answered: the next one takes it up when it starts, or when it answers again.

    False where the policy does not permit it or no agent is installed, where the recorder cannot see the folder, where as much waits as may,
    and where the folder cannot be written.
    """
    global _last_left
    if _is_system_view(folder) or not _may_be_left(folder / "agents" / f"{feed}.json"):
        return False
    path = folder / "left" / f"{feed}.{uuid.uuid4()}.library.1"
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        sizes = _sizes_in(path.parent)
        if len(sizes) >= _MOST_LEFT[0] or sum(sizes) + len(body) > _MOST_LEFT[1]:
            return False
        with _leaving:
            with os.fdopen(os.open(str(part), os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(body)
            # By this a recorder knows the order.
            _last_left = max(time.time_ns(), _last_left + 1_000)
            os.utime(part, ns=(_last_left, _last_left))
            part.rename(path)
        return True
    except OSError:
        # It is noted as missed instead.
        with suppress(OSError):
            part.unlink()
        return False


def _sizes_in(folder: Path) -> List[int]:
    sizes: List[int] = []
    for entry in os.scandir(folder):
        try:
            sizes.append(entry.stat(follow_symlinks=False).st_size)
        except FileNotFoundError:
            # A recorder has taken it meanwhile.
            sizes.append(0)
    return sizes


def _json_of(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def seen_of(moment: Moment) -> Members:
    """A moment in the form in which the recorder takes what witnesses saw."""
    actor = names(moment.actor)
    raw = moment.phase if moment.action is None or moment.phase == "decided" else f"call.{moment.phase}"
    seen: Members = {
        "source": "library",
        "witness": "countersign (Python)",
        "event_id": moment.operation_id,
        "raw_event": raw,
        "observed_at": moment.observed_at,
        "session": names(moment.session),
        "sub_agent": actor.get("sub_agent"),
        "model": actor.get("model"),
        "program_version": actor.get("program", {}).get("version"),
        "cwd": os.getcwd(),
        "trace": None,
        "extra": _extra(moment) or None,
        **_own(moment),
    }
    # There are no bytes that came in: what stands for them is the event itself.
    return {**seen, "raw_sha256": sha256(canonical_bytes(seen)).hex()}


def _extra(moment: Moment) -> Members:
    extra: Members = {name: moment.actor[name] for name in ("on_behalf_of", "program") if name in moment.actor}
    if moment.cause:
        extra["cause"] = list(moment.cause)
    if moment.phase == "decided":
        extra["outcome"] = moment.about["decision"]["outcome"]
    return extra


def _own(moment: Moment) -> Members:
    if moment.action is not None:
        return _decision(moment, moment.action) if moment.phase == "decided" else _call(moment, moment.action)
    if moment.phase == "told":
        told: List[Members] = [{"kind": kind, "value": value} for kind, value in moment.about["told"]]
        return {"kind": "told", "told": told}
    if moment.phase == "note":
        return {"kind": "note", "name": moment.about["kind"], "text": moment.about.get("text")}
    if moment.phase == "gap":
        return {"kind": "gap", **moment.about}
    return {"kind": moment.phase, "reason": None}


def _action(action: Action) -> Members:
    tool = {
        "name": clip_name(action.tool["name"]),
        "type": action.tool.get("type", "other"),
        "server": None if action.tool.get("server") is None else clip_name(action.tool["server"]),
    }
    return {"tool": tool, "call_id": clip_name(action.tool.get("call_id") or action.action_id), "input": action.input}


def _call(moment: Moment, action: Action) -> Members:
    touched = [
        {name: clip(resource[name], 1024) for name in ("kind", "id", "within", "access") if resource.get(name)}
        for resource in moment.touched
    ]
    members: Members = {"kind": "call", "stage": moment.phase, **_action(action), "touched": touched}
    if moment.output is not None:
        members["output"] = moment.output[0]
    if moment.outcome is not None:
        members["outcome"] = moment.outcome
    if moment.duration_ms is not None:
        members["duration_ms"] = moment.duration_ms
    return members


def _decision(moment: Moment, action: Action) -> Members:
    decision = moment.about["decision"]
    permits = decision["outcome"] not in ("denied", "expired")
    return {
        "kind": "decision",
        **_action(action),
        "decision": "approved" if permits else decision["outcome"],
        "by": {"kind": decision["by"]["kind"], "id": clip_name(decision["by"]["id"])},
        "reason": decision.get("justification"),
    }
