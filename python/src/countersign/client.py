"""JSON over HTTP to the service, with retries."""

from __future__ import annotations

import http.client
import json
import random
import time
from typing import Any, Callable, Dict, Optional, Protocol, Tuple
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
        identity: Optional[Identity] = None,
        heard: Optional[Callable[[int], None]] = None,
    ) -> None:
        """
        :param retry_for: how long to go on trying while the service is away, in seconds
        :param heard: is told how many records the service's ledger has sealed, where an answer says so
        """
        self._url = service_url.rstrip("/")
        self._headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._retry_for = retry_for
        self._timeout = timeout
        self._identity = identity
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
        while True:
            try:
                return self._attempt(method, path, body, patience)
            except _Again as again:
                # Jitter keeps agents that lost the service together from coming back together.
                wait = max(again.after, pause * (0.5 + random.random()))
                if time.monotonic() + wait > deadline:
                    message = f"the service at {self._url} did not answer: {again}"
                    raise AgentError("SERVICE_UNAVAILABLE", message) from None
            sleep(wait)
            pause = min(pause * 2, _LONGEST_PAUSE)

    def _attempt(self, method: str, path: str, body: Optional[bytes], timeout: float) -> Any:
        try:
            if self._identity is not None:
                self._identity.prove()
            status, headers, text = self._request(method, path, body, timeout)
            answer = parse_json(text.decode("utf-8"))
        except AgentError as error:
            self._tell_failed()
            if error.code != "SERVICE_UNAVAILABLE":
                raise
            raise _Again(str(error)) from None
        except (OSError, http.client.HTTPException, ProtocolError, UnicodeDecodeError) as error:
            self._tell_failed()
            raise _Again(str(error) or type(error).__name__) from None
        if self._identity is not None:
            self._identity.answered()
        log_size = headers.get("countersign-log-size", "")
        if self._heard is not None and log_size.isdecimal():
            self._heard(int(log_size))
        if 200 <= status < 300:
            return answer
        if status == 429 or status >= 500:
            raise _Again(f"HTTP {status}", _seconds(headers.get("retry-after")))
        refusal = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(refusal, dict) and all(isinstance(refusal.get(name), str) for name in ("code", "message")):
            raise AgentError(refusal["code"], refusal["message"], refused=True)
        raise AgentError("ANSWER_INVALID", f"HTTP {status} without an error that the interface knows")

    def _tell_failed(self) -> None:
        if self._identity is not None:
            self._identity.failed()

    def _request(
        self, method: str, path: str, body: Optional[bytes], timeout: float
    ) -> Tuple[int, Dict[str, str], bytes]:
        url = urlsplit(self._url + path)
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
