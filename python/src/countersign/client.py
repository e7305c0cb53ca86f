"""JSON over HTTP to the service, with retries."""

from __future__ import annotations

import http.client
import json
import random
import time
from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple
from urllib.parse import urlsplit

from .canonical import parse_json
from .errors import AgentError, ProtocolError

_FIRST_PAUSE = 0.05
_LONGEST_PAUSE = 5.0


class Identity(Protocol):
    """Looks whether it is the right service that answers, before a token is sent."""

    def prove(self) -> None: ...

    def answered(self) -> None: ...

    def failed(self) -> None: ...


class _Again(Exception):
    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


def addresses_in(service_url: str) -> List[str]:
    """The addresses in a setting: one, or several with commas between."""
    return [address.strip().rstrip("/") for address in service_url.split(",")]


class ServiceClient:
    """Tries again what may be tried again: a repeated record is answered with the same receipt.

    Redirects are not followed, and no proxy is used.
    """

    def __init__(
        self,
        service_url: str,
        token: Optional[str] = None,
        *,
        retry_for: float = 60.0,
        timeout: float = 30.0,
        identity: Optional[Callable[[str], Optional[Identity]]] = None,
        heard: Optional[Callable[[int], None]] = None,
    ) -> None:
        """
        :param service_url: the addresses of several nodes of one ledger with a comma between
        :param identity: looks who answers at an address before a token is sent there
        :param retry_for: how long to go on trying while the service is away, in seconds
        :param heard: is told how many records the service's ledger has sealed, where an answer says so
        """
        # Of nodes of one ledger; the one in use comes first.
        self._places = [(url, identity(url) if identity is not None else None) for url in addresses_in(service_url)]
        # What a standby says of a chain or a log may be older than what is known already.
        self._headers = {"countersign-active-only": "1"}
        if token is not None:
            self._headers["authorization"] = f"Bearer {token}"
        self._retry_for = retry_for
        self._timeout = timeout
        self._heard = heard

    def get(self, path: str, *, pause: Callable[[float], None] = time.sleep, timeout: Optional[float] = None) -> Any:
        """
        :param pause: waits between two tries, and ends them by what it raises
        :param timeout: how long one request may take, in seconds, where that is less than for others
        """
        return self._retry("GET", path, None, pause, timeout)

    def post(self, path: str, body: Any = None) -> Any:
        return self._retry("POST", path, None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8"))

    def _retry(
        self,
        method: str,
        path: str,
        body: Optional[bytes],
        sleep: Callable[[float], None] = time.sleep,
        timeout: Optional[float] = None,
    ) -> Any:
        deadline = time.monotonic() + self._retry_for
        pause = _FIRST_PAUSE
        patience = self._timeout if timeout is None else min(timeout, self._timeout)
        moves = 0
        while True:
            url = self._places[0][0]
            try:
                return self._attempt(method, path, body, patience)
            except _Again as again:
                # Each address once, at once; from then on it is the ledger that is away.
                moves += url != self._places[0][0]
                if url != self._places[0][0] and moves < len(self._places):
                    continue
                # Jitter keeps agents that lost the service together from coming back together.
                wait = max(again.after, pause * (0.5 + random.random()))
                if time.monotonic() + wait > deadline:
                    message = f"the service at {url} did not answer: {again}"
                    raise AgentError("SERVICE_UNAVAILABLE", message) from None
            sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _attempt(self, method: str, path: str, body: Optional[bytes], timeout: float) -> Any:
        url, identity = self._places[0]
        try:
            if identity is not None:
                identity.prove()
            status, headers, text = self._request(method, url + path, body, timeout)
            answer = parse_json(text.decode("utf-8"))
        except AgentError as error:
            if identity is not None:
                identity.failed()
            if error.code != "SERVICE_UNAVAILABLE":
                raise
            self._move(url, None)
            raise _Again(str(error)) from None
        except (OSError, http.client.HTTPException, ProtocolError, UnicodeDecodeError) as error:
            if identity is not None:
                identity.failed()
            self._move(url, None)
            raise _Again(str(error) or type(error).__name__) from None
        if identity is not None:
            identity.answered()
        log_size = headers.get("countersign-log-size", "")
        if self._heard is not None and log_size.isdecimal():
            self._heard(int(log_size))
        if 200 <= status < 300:
            return answer
        refusal = answer.get("error") if isinstance(answer, dict) else None
        if status == 429 or status >= 500:
            if isinstance(refusal, dict) and refusal.get("code") == "NOT_ACTIVE":
                self._move(url, refusal.get("active"))
            raise _Again(f"HTTP {status}", _seconds(headers.get("retry-after")))
        if isinstance(refusal, dict) and all(isinstance(refusal.get(name), str) for name in ("code", "message")):
            raise AgentError(refusal["code"], refusal["message"], refused=True)
        raise AgentError("ANSWER_INVALID", f"HTTP {status} without an error that the interface knows")

    def _move(self, url: str, active: Any) -> None:
        """Goes to the next address, or to one that a node names, if it is among them: a token is led nowhere else."""
        first, others = self._places[0], self._places[1:]
        if first[0] != url:
            return
        named = [place for place in others if isinstance(active, str) and place[0] == active.rstrip("/")]
        self._places = named + [place for place in others if place not in named] + [first]

    def _request(
        self, method: str, address: str, body: Optional[bytes], timeout: float
    ) -> Tuple[int, Dict[str, str], bytes]:
        url = urlsplit(address)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        connection = kind(url.hostname or "", url.port, timeout=timeout)
        try:
            headers = dict(self._headers)
            if body is not None:
                headers["content-type"] = "application/json"
            target = (url.path or "/") + (f"?{url.query}" if url.query else "")
            connection.request(method, target, body=body, headers=headers)
            response = connection.getresponse()
            text = response.read()
            return response.status, {name.lower(): value for name, value in response.getheaders()}, text
        finally:
            connection.close()


def _seconds(text: Optional[str]) -> float:
    try:
        return max(0.0, float(text or 0))
    except ValueError:
        return 0.0
