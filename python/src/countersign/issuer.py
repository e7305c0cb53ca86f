"""Who answers: the service's published keys, and the proof that it holds the pinned one."""

from __future__ import annotations

import ipaddress
import os
import time
from typing import Any, Dict, Optional
from urllib.parse import urlsplit

from .canonical import canonical_bytes
from .client import ServiceClient
from .ed25519 import verify
from .encoding import from_base64url, to_base64url
from .errors import AgentError, ProtocolError
from .receipts import Receipt, thumbprint, verify_receipt

#: How long a service that answers is taken for the one that showed its key, in seconds.
_PROVEN = 5.0


class IssuerKeys:
    """Checks receipts. Without a pinned kid the key set that the service publishes is taken on trust."""

    def __init__(self, client: ServiceClient, pinned: Optional[str]) -> None:
        self._client = client
        self._pinned = pinned
        self._keys: Dict[str, bytes] = {}

    def key_for(self, kid: str) -> bytes:
        if self._pinned is not None and kid != self._pinned:
            raise AgentError("RECEIPT_INVALID", f"the receipt is signed by the service key {kid}, not by the pinned one")
        if kid not in self._keys:
            body = self._client.get("/.well-known/countersign/jwks.json")
            listed = body.get("keys") if isinstance(body, dict) else None
            for jwk in listed if isinstance(listed, list) else []:
                self._add(jwk)
        if kid not in self._keys:
            raise AgentError("RECEIPT_INVALID", f"the service publishes no key with the kid {kid}")
        return self._keys[kid]

    def _add(self, jwk: Any) -> None:
        try:
            public_key = from_base64url(jwk.get("x") if isinstance(jwk, dict) else None, 32)
        except ProtocolError:
            return
        # The name is computed, not taken: a key set could give one key the name of another.
        self._keys[thumbprint(public_key)] = public_key

    def check(self, receipt: Receipt) -> None:
        """:raises AgentError: ``RECEIPT_INVALID``"""
        if not verify_receipt(receipt, self.key_for(receipt["service_kid"])):
            raise AgentError("RECEIPT_INVALID", "the signature of the receipt does not verify")


def plain_address(service_url: str, pinned: Optional[str]) -> str:
    """With a pinned key localhost is 127.0.0.1: the name may lead to other addresses of this machine as well."""
    url = urlsplit(service_url)
    if pinned is None or url.scheme != "http" or url.hostname != "localhost":
        return service_url
    return url._replace(netloc=f"127.0.0.1:{url.port or 80}").geturl()


def can_prove(service_url: str) -> bool:
    """Over plain HTTP at an IP address: whoever listens under a name may pass the question on to the service."""
    url = urlsplit(service_url)
    try:
        ipaddress.ip_address(url.hostname or "")
        return url.scheme == "http"
    except ValueError:
        return False


def _origin(service_url: str) -> str:
    url = urlsplit(service_url)
    host = f"[{url.hostname}]" if ":" in (url.hostname or "") else url.hostname
    return f"http://{host}" + ("" if url.port in (None, 80) else f":{url.port}")


class ServiceIdentity:
    """Has the service show the pinned key before a token goes to it (protocol F113)."""

    def __init__(self, client: ServiceClient, issuer: IssuerKeys, service_url: str, kid: str) -> None:
        """:param client: without a token, which does not try again"""
        self._client = client
        self._issuer = issuer
        self._address = _origin(service_url)
        self._kid = kid
        self._proven_at = float("-inf")

    def _is_proven(self) -> bool:
        return time.monotonic() - self._proven_at < _PROVEN

    def answered(self) -> None:
        if self._is_proven():
            self._proven_at = time.monotonic()

    def failed(self) -> None:
        self._proven_at = float("-inf")

    def prove(self) -> None:
        """:raises AgentError: ``SERVICE_UNKNOWN``, ``SERVICE_UNAVAILABLE``"""
        if self._is_proven():
            return
        challenge = {"address": self._address, "nonce": to_base64url(os.urandom(32))}
        try:
            body = self._client.post("/v1/service/challenge", challenge)
            signature = from_base64url(body.get("signature") if isinstance(body, dict) else None, 64)
            statement = {**challenge, "service_kid": self._kid, "type": "countersign.service-challenge.v1"}
            if not verify(self._issuer.key_for(self._kid), canonical_bytes(statement), signature):
                raise self._unknown("its signature does not verify")
        except ProtocolError:
            raise self._unknown("it does not answer as the service does") from None
        except AgentError as error:
            if error.code in ("SERVICE_UNAVAILABLE", "SERVICE_UNKNOWN"):
                raise
            raise self._unknown(str(error)) from None
        self._proven_at = time.monotonic()

    def _unknown(self, why: str) -> AgentError:
        what = f"what answers at {self._address} has not shown the service key {self._kid}"
        return AgentError("SERVICE_UNKNOWN", f"{what}, the token was not sent: {why}")
