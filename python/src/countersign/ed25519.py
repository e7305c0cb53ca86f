"""Ed25519 keys and the one strict rule of the protocol (F20)."""

from __future__ import annotations

from functools import lru_cache
from typing import FrozenSet, Optional, Tuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, P - 2, P) % P
_SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)

#: Extended coordinates X, Y, Z, T (RFC 8032, section 5.1.4).
_Point = Tuple[int, int, int, int]
_IDENTITY: _Point = (0, 1, 1, 0)


def sign(seed: bytes, message: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).sign(message)


def public_key_of(seed: bytes) -> bytes:
    return Ed25519PrivateKey.from_private_bytes(seed).public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)


def verify(public_key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is valid under the strict rule: one answer in every library."""
    if len(signature) != 64 or not is_strict_public_key(public_key):
        return False
    if int.from_bytes(signature[32:], "little") >= L or signature[:32] in _small_order():
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


@lru_cache(maxsize=256)
def is_strict_public_key(public_key: bytes) -> bool:
    """Whether it is the canonical encoding of a point of prime order."""
    point = _decode(public_key)
    return point is not None and not _is_identity(point) and _is_identity(_times(L, point))


def _is_identity(point: _Point) -> bool:
    x, y, z, _ = point
    return x % P == 0 and (y - z) % P == 0


def _decode(encoded: bytes) -> Optional[_Point]:
    if len(encoded) != 32:
        return None
    number = int.from_bytes(encoded, "little")
    sign_bit, y = number >> 255, number & ((1 << 255) - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(_D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P != 0:
        x = x * _SQRT_MINUS_1 % P
    if (x * x - square) % P != 0 or (x == 0 and sign_bit == 1):
        return None
    if x & 1 != sign_bit:
        x = P - x
    return x, y, 1, x * y % P


def _encode(point: _Point) -> bytes:
    x, y, z, _ = point
    inverse = pow(z, P - 2, P)
    x, y = x * inverse % P, y * inverse % P
    return (y | ((x & 1) << 255)).to_bytes(32, "little")


def _add(one: _Point, other: _Point) -> _Point:
    x1, y1, z1, t1 = one
    x2, y2, z2, t2 = other
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * _D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def _times(factor: int, point: _Point) -> _Point:
    result = _IDENTITY
    while factor > 0:
        if factor & 1:
            result = _add(result, point)
        point = _add(point, point)
        factor >>= 1
    return result


@lru_cache(maxsize=1)
def _small_order() -> FrozenSet[bytes]:
    """The eight canonical encodings of points of small order: what [L]Q comes to for points Q of the whole group."""
    y = 2
    while True:
        point = _decode(y.to_bytes(32, "little"))
        y += 1
        if point is None:
            continue
        torsion = _times(L, point)
        if not _is_identity(_times(4, torsion)):
            return frozenset(_encode(_times(multiple, torsion)) for multiple in range(8))
