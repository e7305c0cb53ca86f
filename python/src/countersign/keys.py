"""An agent's key pair."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from typing import Union

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from .encoding import from_base64url, to_base64url
from .errors import AgentError, ProtocolError


@dataclass(frozen=True)
class KeyPair:
    """A new key pair. The private half is in memory alone until its owner has stored it."""

    #: base64url of the raw 32 bytes: what an agent is registered with.
    public_key: str
    #: The same as SubjectPublicKeyInfo in PEM.
    public_key_pem: str
    #: base64url of the 32-byte seed.
    private_key: str = field(repr=False)
    #: The same as PKCS #8 in PEM.
    private_key_pem: str = field(repr=False)


def generate_key_pair() -> KeyPair:
    seed = os.urandom(32)
    private = Ed25519PrivateKey.from_private_bytes(seed)
    public = private.public_key()
    return KeyPair(
        public_key=to_base64url(public.public_bytes(Encoding.Raw, PublicFormat.Raw)),
        public_key_pem=public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii"),
        private_key=to_base64url(seed),
        private_key_pem=private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()).decode("ascii"),
    )


def read_seed(private_key: Union[bytes, str]) -> bytes:
    """The 32-byte seed of a private key, from the raw bytes, base64url, hexadecimal, or PKCS #8 in PEM.

    :raises AgentError: ``KEY_INVALID``, which never quotes the key
    """
    try:
        if isinstance(private_key, bytes) and len(private_key) == 32:
            return private_key
        if isinstance(private_key, str):
            return _read_text(private_key.strip())
    except (ProtocolError, ValueError, TypeError):
        # The words of the libraries may quote what was given, and so they are not passed on.
        pass
    raise AgentError(
        "KEY_INVALID", "the private key is not an Ed25519 key: 32 bytes, base64url, hex or PKCS #8 PEM"
    ) from None


def _read_text(text: str) -> bytes:
    if text.startswith("-----BEGIN"):
        key = load_pem_private_key(text.encode("ascii"), password=None)
        if not isinstance(key, Ed25519PrivateKey):
            raise ValueError("another type of key")
        return key.private_bytes(Encoding.Raw, PrivateFormat.Raw, NoEncryption())
    if re.match(r"[0-9a-fA-F]{64}\Z", text):
        return bytes.fromhex(text)
    return from_base64url(text, 32)
