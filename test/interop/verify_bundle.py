#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verify a Countersign bundle, a proof of records, or an HTML report of chosen records, independently of the Countersign code base.

    python3 verify_bundle.py BUNDLE [--trust KEY[@ORG_ID]]... [--trust-agent AGENT=KEY]... [--receipts FILE]...
        [--against BUNDLE]... [--checkpoint FILE]... [--witnesses FILE] [--made-not-before TIME] [--json]

Written from docs/protocol alone, whose rules F…, V… and R… are cited, with nothing but the Python standard library (3.9 or newer), so
that it can be read in one sitting and so that it fails where the other implementation is wrong. If the
`cryptography` package can be imported it checks the curve equation faster; the point checks that make
F20 strict are always done here. A bundle is read twice and record by record: what
is kept of a record are its hashes, never its payload. Of an HTML report the data are judged, not the
page around them. Compressed bundles, reports as PDF and proofs of equivocation are left to the other
verifiers.

Exit status: 0 verified, 1 failed, 3 incomplete, 2 not readable, not a bundle, or wrong usage.
"""

import argparse
import array
import base64
import bisect
import datetime
import functools
import gzip
import hashlib
import io
import json
import os
import re
import stat
import sys
import traceback
import urllib.parse
import zlib

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:  # everything works without it, only slower
    Ed25519PublicKey = None

MAX_SAFE = 2 ** 53 - 1
MAX_LEVELS = 256  # of a value that is hashed or signed
MAX_DOCUMENT_LEVELS = MAX_LEVELS + 8
MAX_DISCLOSURES = 256  # of a record
CHECKS = ("issuer", "agent_signatures", "payloads", "chains", "receipts", "epochs", "completeness",
          "admin_log", "time", "reconciliation")
# V130: the order in which findings are listed.
CODES = ("""
    MALFORMED UNSUPPORTED_VERSION
    SERVICE_KEY_INVALID KEY_WEAK KEY_ATTESTATION_INVALID KEY_UNKNOWN AGENT_KEY_NOT_TRUSTED SIGNATURE_INVALID
    PAYLOAD_HASH_MISMATCH DISCLOSURE_INVALID
    RECEIPT_SIGNATURE_INVALID RECEIPT_MISMATCH CHAIN_HASH_MISMATCH
    SEQUENCE_DUPLICATE SEQUENCE_ORDER SEQUENCE_GAP CHAIN_BROKEN CHAIN_FORK
    OPERATION_ID_REUSED NONCE_REUSED RECEIPT_ID_REUSED
    KEY_NOT_YET_VALID KEY_USED_AFTER_REVOCATION AGENT_BARRED TTL_VIOLATED
    EPOCH_SIGNATURE_INVALID EPOCH_CHAIN_BROKEN EPOCH_GAP EPOCH_ROOT_MISMATCH INCLUSION_INVALID LOG_ROOT_MISMATCH
    ADMIN_CHAIN_BROKEN DIRECTORY_MISMATCH TIME_ORDER SERVICE_KEY_MISUSED
    MANIFEST_SIGNATURE_INVALID EDGE_INVALID MANIFEST_MISMATCH
    EQUIVOCATION CONTRADICTION RECORD_OMITTED
    ISSUER_NOT_PINNED ORGANIZATION_NOT_CONFIRMED MADE_EARLIER KEY_SHARED SALT_REUSED CLOCK_CORRECTED NOT_WITNESSED NOT_COMPARED
""").split()


# ---- JSON in: I-JSON, RFC 7493 -------------------------------------------------------------------

class Unreadable(Exception):
    """The input is not JSON, or is JSON that I-JSON forbids."""


_SPELLED = re.compile(r"-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?\Z")


def _decimal(text):
    """The value of a decimal number: its digits without zeros at either end, and the power of ten of the last one."""
    match = _SPELLED.match(text)
    if match is None:
        return None  # inf
    whole, fraction, exponent = match.group(1), match.group(2) or "", match.group(3) or "0"
    digits = (whole + fraction).lstrip("0")
    kept = digits.rstrip("0")
    if not kept:
        return "", 0
    power = exponent.lstrip("+-").lstrip("0") or "0"
    if len(power) > 20:
        return kept, exponent  # far beyond what a double has
    return kept, int("-" + power if exponent[0] == "-" else power) - len(fraction) + len(digits) - len(kept)


def _number(text):
    # F5
    # Every JSON number is an IEEE 754 double (RFC 7493 section 2.2, RFC 8785 section 3.2.2.3).
    # Integral doubles in the safe range become int, which also turns -0 and 1.0 into 0 and 1.
    value = float(text)
    if (len(text) > 15 or "e" in text or "E" in text) and _decimal(text) != _decimal(repr(value)):
        raise Unreadable("a number that a double does not keep: " + text[:40])
    return int(value) if abs(value) <= MAX_SAFE and value == int(value) else value


def _writers_number(text):
    if "E" in text:
        raise Unreadable("an exponent with an upper-case E")  # F150
    return _number(text)


def _object(pairs):
    # F1
    members = dict(pairs)
    if len(members) != len(pairs):  # RFC 7493 section 2.3; readers would disagree about the value
        raise Unreadable("duplicate member in an object")
    return members


def _constant(name):
    raise Unreadable("not a JSON value: " + name)


_SURROGATE = re.compile("[\ud800-\udfff]")


def _refuse_lone_surrogates(text):
    # F1
    if _SURROGATE.search(text):
        raise Unreadable("lone surrogate in a string")  # RFC 7493 section 2.1


def is_deeper(value, levels):
    # F3
    """Does a value nest arrays and objects deeper than that? The outermost is level 1."""
    stack = [(value, 1)]
    while stack:
        item, level = stack.pop()
        if isinstance(item, (list, dict)):
            if level > levels:
                return True
            stack.extend((inner, level + 1) for inner in (item.values() if isinstance(item, dict) else item))
    return False


def parse_json(data, in_bundle=False):
    # F1, F3, F150
    """Bytes (or text) to a value; raises Unreadable. Within a bundle numbers and escapes have one spelling."""
    number = _writers_number if in_bundle else _number
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_int=number, parse_float=number,
                           parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable("not JSON: %s" % error)
    if text.count("[") + text.count("{") > MAX_DOCUMENT_LEVELS and is_deeper(value, MAX_DOCUMENT_LEVELS):
        raise Unreadable("nested too deeply")
    if "\\u" in text:
        if in_bundle and any(re.search("[A-F]", match.group(1)[1:]) for match in re.finditer(r"\\(u....|.)", text, re.DOTALL)):
            raise Unreadable("an escape with an upper-case digit")
        _refuse_lone_surrogates(json.dumps(value, ensure_ascii=False))  # of names and strings alike
    return value


# ---- JSON out: the JSON Canonicalization Scheme, RFC 8785 ----------------------------------------

_quoted = json.JSONEncoder(ensure_ascii=False).encode  # of a string: with the escapes of RFC 8785 section 3.2.2.2


def format_number(value):
    # F4
    """ECMAScript Number::toString, as RFC 8785 section 3.2.2.3 asks."""
    if isinstance(value, int) and abs(value) <= MAX_SAFE:
        return str(value)
    value = float(value)
    if value != value or value in (float("inf"), float("-inf")):
        raise Unreadable("number out of range")
    if value == 0:
        return "0"
    # repr() gives the shortest digits that read back as the same double; only the layout differs.
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    point = len(whole) + int(exponent or 0)  # position of the decimal point, counted from the first digit
    digits = whole + fraction
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    count = len(digits)
    if count <= point <= 21:
        out = digits + "0" * (point - count)
    elif 0 < point <= 21:
        out = digits[:point] + "." + digits[point:]
    elif -6 < point <= 0:
        out = "0." + "0" * -point + digits
    else:
        power = point - 1
        out = digits[0] + ("." + digits[1:] if count > 1 else "") + "e" + ("+" if power > 0 else "-") + str(abs(power))
    return "-" + out if value < 0 else out


def format_string(text):
    _refuse_lone_surrogates(text)
    return _quoted(text)


def _utf16(text):
    return text.encode("utf-16-be", "surrogatepass")  # big-endian bytes sort as code units do, section 3.2.3


def canonical_text(value):
    # F4
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return format_number(value)
    if isinstance(value, str):
        return format_string(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_text, value)) + "]"
    names = sorted(value, key=None if all(map(str.isascii, value)) else _utf16)
    return "{" + ",".join([format_string(name) + ":" + canonical_text(value[name]) for name in names]) + "}"


def jcs(value):
    return canonical_text(value).encode("utf-8")


# ---- Digests, base64url, times -------------------------------------------------------------------

def sha256(data):
    return hashlib.sha256(data).digest()


def digest_text(raw):
    # F6
    return "sha256:" + raw.hex()


def digest_raw(text):
    return bytes.fromhex(text[7:])


def b64url_encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def b64url_decode(text, length):
    # F7
    """Strict RFC 4648 section 5 without padding: the one spelling of `length` bytes, or None."""
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return raw if len(raw) == length and b64url_encode(raw) == text else None  # refuses trailing bits and what was skipped


_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?"
                   r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")


def parse_time(text):
    # F10
    """RFC 3339 section 5.6 to milliseconds since 1970, further digits cut off, or None."""
    match = _TIME.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    offset_hour, offset_minute = int(match.group(9) or 0), int(match.group(10) or 0)
    if hour > 23 or minute > 59 or second > 60 or offset_hour > 23 or offset_minute > 59:
        return None
    try:  # the calendar repeats itself every 400 years; a date of Python has no year 0
        days = datetime.date(2000 + year % 400, month, day).toordinal() + (year // 400 - 5) * 146097 - 719163
    except ValueError:
        return None
    seconds = days * 86400 + hour * 3600 + minute * 60 + second
    seconds -= (-60 if match.group(8) == "-" else 60) * (60 * offset_hour + offset_minute)
    if second == 60 and seconds % 86400:  # a leap second is the instant that follows it
        return None
    return seconds * 1000 + int((match.group(7) or "")[:3].ljust(3, "0"))


# ---- Ed25519, RFC 8032, with the strict rule of F20 ----------------------------------------

P = 2 ** 255 - 19
L = 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)  # extended coordinates X, Y, Z, T with x = X/Z, y = Y/Z, xy = T/Z


def point_add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def point_negate(p):
    return (-p[0] % P, p[1], p[2], -p[3] % P)


def point_multiply(scalar, p):
    result = IDENTITY
    while scalar:
        if scalar & 1:
            result = point_add(result, p)
        p = point_add(p, p)
        scalar >>= 1
    return result


def is_identity(p):
    return p[0] % P == 0 and (p[1] - p[2]) % P == 0


def point_encode(p):
    inverse = pow(p[2], P - 2, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def point_decode(data):
    """RFC 8032 section 5.1.3, with y >= p and the sign bit on x = 0 refused, as the RFC says."""
    number = int.from_bytes(data, "little")
    y, sign = number & (2 ** 255 - 1), number >> 255
    if len(data) != 32 or y >= P:
        return None
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if (v * x * x - u) % P:
        x = x * SQRT_M1 % P
        if (v * x * x - u) % P:
            return None
    if x == 0 and sign:
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = point_decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def _small_order_encodings():
    for y in range(2, 100):
        point = point_decode(y.to_bytes(32, "little"))
        torsion = point and point_multiply(L, point)
        if torsion and not is_identity(point_multiply(4, torsion)):
            return frozenset(point_encode(point_multiply(n, torsion)) for n in range(8))


SMALL_ORDER = _small_order_encodings()


def strict_public_key(data):
    # F20
    """The point of a public key of prime order in canonical encoding, or None."""
    point = point_decode(data)
    if point is None or is_identity(point) or not is_identity(point_multiply(L, point)):
        return None
    return point


def _equation_holds(public, point, signature, message):
    """Cofactorless: the encoding of [S]B - [k]A is R. S < L has been checked."""
    if Ed25519PublicKey is not None:
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
            return True
        except (InvalidSignature, ValueError):
            return False
    s = int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % L
    minus_a, result = point_negate(point), IDENTITY
    both = point_add(BASE, minus_a)
    for bit in range(252, -1, -1):
        result = point_add(result, result)
        chosen = (s >> bit & 1) + 2 * (k >> bit & 1)
        if chosen:
            result = point_add(result, (None, BASE, minus_a, both)[chosen])
    return point_encode(result) == signature[:32]


class PublicKey:
    """A public key whose point check is done once, however many signatures it made."""

    _cache = {}

    def __init__(self, data):
        self.data = bytes(data)
        if self.data not in self._cache:
            self._cache[self.data] = strict_public_key(self.data)
        self.point = self._cache[self.data]

    def verify(self, signature, message):
        # F20, F21
        if self.point is None or len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
            return False
        # A has no torsion component, so the equation leaves none in R: small order is all that remains.
        return signature[:32] not in SMALL_ORDER and _equation_holds(self.data, self.point, signature, message)


def thumbprint(public):
    # F111
    """RFC 7638 over the members RFC 8037 section 2 requires."""
    return b64url_encode(sha256(jcs({"crv": "Ed25519", "kty": "OKP", "x": b64url_encode(public)})))


# ---- Merkle trees, RFC 6962 section 2.1 ----------------------------------------------------------

def node_hash(left, right):
    # F72
    return sha256(b"\x01" + left + right)


def cover(first, end):
    """Heights of the largest complete subtrees within a run of leaves, from the left to the right (F81)."""
    while first < end:
        height = 0
        while first % (2 << height) == 0 and first + (2 << height) <= end:
            height += 1
        yield height
        first += 1 << height


class Log:
    """A log that grows by leaves and by the roots of complete subtrees: it holds the roots of its cover (F82)."""

    def __init__(self):
        self.size, self.roots = 0, []

    def append(self, root, height=0):
        self.roots.append(root)
        self.size += 1 << height
        while self.size >> height & 1 == 0:
            right = self.roots.pop()
            self.roots.append(node_hash(self.roots.pop(), right))
            height += 1

    def root(self):
        if not self.roots:
            return sha256(b"")
        root = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            root = node_hash(left, root)
        return root


def consistency_roots(first, second, first_root, path):
    # F89
    """The roots at two sizes of a log to which a consistency proof leads, RFC 9162 section 2.1.4.2, or None."""
    if first == second:
        return None if path else (first_root, first_root)
    if not 0 < first < second or not path:
        return None
    path = [first_root] + path if first & (first - 1) == 0 else path
    node, last = first - 1, second - 1
    while node & 1:
        node, last = node >> 1, last >> 1
    old = new = path[0]
    for item in path[1:]:
        if last == 0:
            return None
        if node & 1 or node == last:
            old, new = node_hash(item, old), node_hash(item, new)
            while node and not node & 1:
                node, last = node >> 1, last >> 1
        else:
            new = node_hash(new, item)
        node, last = node >> 1, last >> 1
    return (old, new) if last == 0 else None


# ---- Signed and hashed statements, F31 to F140 -----------------------------------------------

def without(members, *names):
    return {name: value for name, value in members.items() if name not in names}


def record_bytes(eor):
    # F31, F33
    return jcs(without(eor, "payload", "signature"))


def chain_hash(eor):
    # F31
    return digest_text(sha256(record_bytes(eor) + b64url_decode(eor["signature"], 64)))


def disclosure_digest(disclosure):
    """As `_sd` holds it, F42: RFC 9901 section 4.2.3 over the canonical form."""
    return b64url_encode(sha256(b64url_encode(jcs(disclosure)).encode("ascii")))


def salted_digests(payload):
    """The digest of each member of a salted payload, F40; None for a plain one."""
    if payload is None or not {"_sd"} <= set(payload) <= {"_sd", "profile"}:
        return None
    digests, profile = payload["_sd"], payload.get("profile", "none")
    if not isinstance(profile, str) or not 1 <= len(profile) <= 128:
        return None
    if not isinstance(digests, dict) or not 1 <= len(digests) <= MAX_DISCLOSURES:
        return None
    if not all(isinstance(item, str) and b64url_decode(item, 32) is not None for item in digests.values()):
        return None
    return digests if all(1 <= len(name) <= 256 and name not in ("_sd", "profile") for name in digests) else None


def shown_names_hash(seq_no, disclosures):
    """Which members of a record are shown, as F140 hashes it."""
    return sha256(jcs([seq_no, sorted(disclosures, key=lambda name: name.encode("utf-16-be"))]))


def receipt_statement(ear):
    # F61
    return jcs(dict(without(ear, "service_signature"), type="countersign.receipt.v1"))


def leaf_hash(ear):
    # F61
    return sha256(b"\x00" + receipt_statement(ear))


def epoch_statement(epoch):
    # F71
    return jcs(dict(without(epoch, "signature_by_service"), type="countersign.epoch.v1"))


def admin_event_statement(event):
    # F96
    return jcs(dict(without(event, "event_hash"), type="countersign.admin-event.v1"))


def agent_key_statement(key, org_id):
    # F110
    return jcs(dict(without(key, "attestation"), org_id=org_id, type="countersign.agent-key.v1"))


def service_key_statement(key):
    # F111
    names = ("kid", "public_key", "created_at", "prev_kid")
    return jcs(dict({name: key[name] for name in names}, type="countersign.service-key.v1"))


# ---- Shapes: a value has exactly the listed members, each of the stated kind ----------------------
# A shape is a function (value, path, problems) that appends (path, sentence) for what is wrong.

def check_if(test, what):
    def shape(value, path, problems):
        if not test(value):
            problems.append((path, "is not " + what))
    return shape


def nullable(inner):
    return lambda value, path, problems: None if value is None else inner(value, path, problems)


def matching(pattern, what):
    return check_if(lambda v: isinstance(v, str) and re.fullmatch(pattern, v) is not None, what)


def text(low, high):
    # F9
    return check_if(lambda v: isinstance(v, str) and low <= len(v) <= high, "a string of %d to %d characters" % (low, high))


def integer(low, high=MAX_SAFE):
    # F9
    return check_if(lambda v: type(v) is int and low <= v <= high, "an integer from %d to %d" % (low, high))


def encoded(length):
    return check_if(lambda v: isinstance(v, str) and b64url_decode(v, length) is not None,
                    "unpadded base64url of %d bytes" % length)


def one_of(*values):
    return check_if(lambda v: isinstance(v, str) and v in values, "one of " + ", ".join(values))


def members(optional=(), **shapes):
    def shape(value, path, problems):
        if not isinstance(value, dict):
            problems.append((path, "is not an object"))
            return
        for name in value:
            if name not in shapes:
                problems.append((path + "." + name, "is not a member known here"))
        for name, inner in shapes.items():
            if name in value:
                inner(value[name], path + "." + name, problems)
            elif name not in optional:
                problems.append((path + "." + name, "is missing"))
    return shape


def is_withheld(event):
    """An administrative event of which only the time and the place in the chain are there, F148."""
    return isinstance(event, dict) and set(event) == {"created_at", "prev_event_hash", "event_hash"}


def array_of(inner, most=None):
    def shape(value, path, problems):
        if not isinstance(value, list):
            problems.append((path, "is not an array"))
        elif most is not None and len(value) > most:
            problems.append((path, "has more than %d elements" % most))
        else:
            for index, item in enumerate(value):
                inner(item, "%s[%d]" % (path, index), problems)
    return shape


IDENTIFIER = text(1, 256)
ORG_NAME = text(0, 1024)
AGENT_NAMES = {"display_name": text(0, 512), "integration_type": IDENTIFIER, "responsible_entity": nullable(text(0, 512))}
OBJECT = check_if(lambda v: isinstance(v, dict), "an object")
DIGEST = matching("sha256:[0-9a-f]{64}", "sha256: and 64 lowercase hex digits")  # F6
HASHES = array_of(DIGEST, 256)  # F147
GAP = lambda value, path, problems: (HASHES if value != [] else check_if(bool, "not empty"))(value, path, problems)
TIME = check_if(lambda v: isinstance(v, str) and parse_time(v) is not None, "an RFC 3339 time")
AGENT_ID = matching("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}", "an agent_id")
OPERATION_ID = matching("(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "a UUID v4")  # F11
COUNT, NUMBER, SIGNATURE, KEY = integer(0), integer(1), encoded(64), encoded(32)

EOR = members(  # F30
    optional=("payload",), op_version=integer(1, 1), org_id=IDENTIFIER, agent_id=AGENT_ID, issued_at=TIME,
    operation_id=OPERATION_ID, ttl_ms=integer(1, 86400000), nonce=text(8, 256), subject=text(1, 512), action=text(1, 128),
    payload=check_if(lambda v: isinstance(v, dict) and not is_deeper(v, MAX_LEVELS), "an object of at most 256 levels"),
    operation_type=matching(r"(?=.{1,128}\Z)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", "an operation type"),
    payload_hash=DIGEST, prev_chain_hash=nullable(DIGEST), agent_pubkey_kid=IDENTIFIER, signature=SIGNATURE)
EAR = members(receipt_id=IDENTIFIER, operation_id=OPERATION_ID, org_id=IDENTIFIER, agent_id=IDENTIFIER, seq_no=NUMBER,  # F60
              chain_hash=DIGEST, server_received_at=TIME, service_kid=IDENTIFIER, service_signature=SIGNATURE)
EPOCH = members(  # F70
    epoch_id=IDENTIFIER, epoch_no=NUMBER, org_id=IDENTIFIER, start_time=TIME, end_time=TIME, first_seq_no=NUMBER,
    last_seq_no=NUMBER, leaf_count=NUMBER, root_hash=DIGEST, log_root=DIGEST, hash_alg=one_of("SHA-256"),
    prev_epoch_hash=nullable(DIGEST), admin_head_hash=nullable(DIGEST), service_kid=IDENTIFIER, signature_by_service=SIGNATURE)
NEIGHBOUR = members(optional=("gap", "eor"), ear=EAR, gap=GAP, eor=EOR)  # F145
WHOLE_EVENT = members(  # F96
    event_id=IDENTIFIER, org_id=IDENTIFIER, actor=IDENTIFIER, action=IDENTIFIER, target_type=IDENTIFIER,
    target_id=text(1, 2048), created_at=COUNT, prev_event_hash=nullable(DIGEST), event_hash=DIGEST,
    details=check_if(lambda v: isinstance(v, dict) and not is_deeper(v, MAX_LEVELS - 1), "an object of at most 255 levels"))
WITHHELD_EVENT = members(created_at=COUNT, prev_event_hash=nullable(DIGEST), event_hash=DIGEST)

def is_disclosure(value):
    """[salt, value], F41."""
    if not isinstance(value, list) or len(value) != 2 or is_deeper(value, MAX_LEVELS):
        return False
    salt = value[0]
    return isinstance(salt, str) and 16 <= len(salt) * 3 // 4 <= 64 and b64url_decode(salt, len(salt) * 3 // 4) is not None


DISCLOSURES = check_if(  # F43
    lambda v: isinstance(v, dict) and 1 <= len(v) <= MAX_DISCLOSURES and all(map(is_disclosure, v.values())),
    "an object of disclosures")

CARRIED = check_if(  # F145
    lambda v: isinstance(v, list) and 1 <= len(v) <= 16 and all(isinstance(item, str) and 1 <= len(item) <= 131072 for item in v),
    "1 to 16 checkpoints")

AGENT_KEYS = array_of(members(
    kid=IDENTIFIER, agent_id=IDENTIFIER, public_key=KEY, algorithm=one_of("ed25519"), status=one_of("active", "revoked"),
    created_at=COUNT, retired_at=nullable(COUNT), service_kid=IDENTIFIER, attestation=SIGNATURE))

# The elements of a bundle's arrays, and its other members.
ELEMENTS = {
    "service_keys": members(  # F133
        kid=IDENTIFIER, algorithm=one_of("ed25519"), public_key=KEY, status=IDENTIFIER, created_at=COUNT,
        retired_at=nullable(COUNT), prev_kid=nullable(IDENTIFIER), self_signature=SIGNATURE,
        prev_signature=nullable(SIGNATURE)),
    "agents": members(  # F134
        agent_id=IDENTIFIER, org_id=IDENTIFIER, status=IDENTIFIER, created_at=COUNT, updated_at=COUNT, keys=AGENT_KEYS, **AGENT_NAMES),
    "epochs": EPOCH,
    "admin_events": lambda value, path, problems: (WITHHELD_EVENT if is_withheld(value) else WHOLE_EVENT)(value, path, problems),
    "records": members(optional=("disclosures", "gap"), eor=EOR, ear=EAR, disclosures=DISCLOSURES, gap=GAP),  # F131
}
PROOF_ELEMENTS = {  # R1
    "service_keys": ELEMENTS["service_keys"], "agents": members(agent_id=IDENTIFIER, keys=AGENT_KEYS), "records": ELEMENTS["records"]}
MEMBERS = {  # F130, F132
    "format": check_if(lambda v: isinstance(v, str), "a string"),
    "org": members(org_id=IDENTIFIER, name=ORG_NAME),
    "edges": members(optional=("cosigned", "stamped"), before=nullable(NEIGHBOUR), after=nullable(NEIGHBOUR), rest=HASHES,
                     head=nullable(EPOCH), cosigned=CARRIED, stamped=CARRIED),
    "manifest": members(  # F140, F141
        optional=("withheld_events_digest", "disclosures_digest", "clock_corrections"), clock_corrections=NUMBER,
        withheld_events_digest=DIGEST, disclosures_digest=DIGEST,
        type=one_of("countersign.manifest.v1"),
        export_id=IDENTIFIER, org_id=IDENTIFIER, created_at=TIME,
        filter=members(start_time=TIME, end_time=TIME, agent_id=nullable(IDENTIFIER)),
        record_count=COUNT, first_seq_no=nullable(NUMBER), last_seq_no=nullable(NUMBER),
        log_head=members(seq_no=COUNT, epoch_no=COUNT), agent_head=nullable(members(seq_no=NUMBER, chain_hash=DIGEST)),
        admin_log=members(count=COUNT, head_hash=nullable(DIGEST)),records_digest=DIGEST, epochs_digest=DIGEST,
        edges_digest=DIGEST, admin_events_digest=DIGEST, directory_digest=DIGEST, redacted_count=COUNT,
        service_kid=IDENTIFIER),
    "manifest_signature": SIGNATURE,
}


PROOF_MEMBERS = {"type": check_if(lambda v: isinstance(v, str), "a string"), "org_id": IDENTIFIER,
                 "seal": members(optional=("cosigned", "stamped"), epoch=EPOCH, rest=HASHES, cosigned=CARRIED, stamped=CARRIED)}


def problems_of(shape, value, name):
    """One sentence about what is wrong with a value, or None."""
    problems = []
    shape(value, name, problems)
    return "%s %s" % problems[0] if problems else None


# ---- Reading a bundle piece by piece, F151, V10 to V13 ----------------------------------------------------

MAX_RECORD, MAX_ITEM, MAX_VALUES, MAX_BESIDE_RECORDS = 16777216, 1048576, 524288, 268435456  # F151
MAX_EPOCH = 1024  # bytes of an element of epochs
MAX_DIRECTORY, MAX_AGENT_KEYS = 33554432, 65536  # bytes of service_keys and agents; keys of all agents
MAX_KEPT_EVENTS = 67108864  # bytes of the events about agents and the organization
MOST = {"service_keys": 1024, "agents": 32768, "epochs": 262144, "admin_events": 327680}
MALFORMED_RECORDS, MALFORMED_OTHERS = 10000, 1000  # V12
_INK = re.compile(rb"[^ \t\r\n]")
_UP_TO_EVENT = re.compile(rb'(?:[^"\[\]{},]+|"[^"\\]*")*')  # complete strings without escapes are passed over
_IN_STRING = re.compile(rb'["\\]')
_SCALAR_END = re.compile(rb"[,\]} \t\r\n]")
QUOTE, OPEN, CLOSE = ord('"'), b"[{", b"]}"


def without_mark(data):
    """The bytes of a file without a byte order mark at their beginning, F2."""
    return data[3:] if data.startswith(b"\xef\xbb\xbf") else data


class Stop(Exception):
    """Reading cannot go on: what is left of the file is not a bundle. V12."""

    def __init__(self, sentence, code="MALFORMED"):
        Exception.__init__(self, sentence)
        self.code = code


class Scanner:
    """Cuts JSON into values without parsing them, holding one at a time."""

    def __init__(self, file):
        self.file, self.buffer, self.at, self.base = file, b"", 0, file.tell()
        if self.base == 0 and self.more():
            self.at = len(self.buffer) - len(without_mark(self.buffer))

    def more(self):
        chunk = self.file.read(1 << 20)
        self.base, self.buffer, self.at = self.base + self.at, self.buffer[self.at:] + chunk, 0
        return bool(chunk)

    def peek(self):
        """The next byte that is no white space; empty at the end."""
        while True:
            match = _INK.search(self.buffer, self.at)
            if match:
                self.at = match.start()
                return match.group()
            self.at = len(self.buffer)
            if not self.more():
                return b""

    def take(self, *wanted):
        byte = self.peek()
        if byte not in wanted:
            raise Stop("The file is not JSON, or not all of it: expected %s." % " or ".join(str(item)[1:] for item in wanted))
        self.at += 1
        return byte

    def offset(self):
        return self.base + self.at

    def members(self):
        """The name of each member of an object. Whoever asks takes its value before the next."""
        self.take(b"{")
        end = self.take(b"}") if self.peek() == b"}" else b","
        while end == b",":
            if self.peek() != b'"':
                raise Stop("A member has no name.")
            name = parse_json(self.value(MAX_ITEM), True)
            self.take(b":")
            yield name
            end = self.take(b",", b"}")

    def elements(self):
        """The number of each element of an array. Whoever asks takes it before the next."""
        self.take(b"[")
        end, number = self.take(b"]") if self.peek() == b"]" else b",", 0
        while end == b",":
            yield number
            number, end = number + 1, self.take(b",", b"]")

    def value(self, limit):
        # V11, F151
        """The bytes of the value that begins here; where exactly it stops being JSON is left to the parser."""
        first = self.peek()
        nested, in_string = first in (b"[", b"{", b'"'), first == b'"'
        pos, depth, count, opened = self.at + in_string, 0, 1, -1
        while True:
            if nested and not in_string:
                start = _UP_TO_EVENT.match(self.buffer, pos).end()
            else:
                match = (_IN_STRING if nested else _SCALAR_END).search(self.buffer, pos)
                start = match.start() if match else len(self.buffer)
            if pos - self.at > limit:
                raise Stop("A part of the bundle has more than %d bytes." % limit)
            if start >= len(self.buffer):
                dropped, pos = self.at, max(pos, len(self.buffer))
                if not self.more():
                    raise Stop("The file ends too early.")
                pos, opened = pos - dropped, opened - dropped if opened >= 0 else -1
                continue
            pos = start + 1
            byte = self.buffer[start]
            if not nested:
                pos = start
                break
            if in_string:
                in_string = byte != QUOTE
                pos += in_string  # behind a backslash the next byte is part of the string, whatever it is
            elif byte == QUOTE:
                in_string = True
            elif byte in OPEN:
                depth, count, opened = depth + 1, count + 1, pos
                continue
            elif byte in CLOSE:
                depth -= 1
                if opened >= 0 and not self.buffer[opened:start].strip(b" \t\r\n"):
                    count -= 1  # it was empty
            else:
                count += 1
            opened = -1
            if not depth and not in_string:
                break
        if pos - self.at > limit:
            raise Stop("A part of the bundle has more than %d bytes." % limit)
        if count > MAX_VALUES:
            raise Stop("A part of the bundle has more than %d values." % MAX_VALUES)
        if pos == self.at:
            raise Stop("A value is missing.")
        data, self.at = self.buffer[self.at:pos], pos
        return data


class SignedEpoch:
    """An epoch with what is computed from it."""

    def __init__(self, epoch):
        self.epoch, self.signed = epoch, False
        self.number, self.first, self.last = epoch["epoch_no"], epoch["first_seq_no"], epoch["last_seq_no"]
        self.start, self.end = parse_time(epoch["start_time"]), parse_time(epoch["end_time"])
        self.statement = epoch_statement(epoch)
        self.hash = sha256(self.statement)
        self.where = {"epoch_id": epoch["epoch_id"], "epoch_no": self.number}

    def links_to(self, prev):
        # V51
        return self.epoch["prev_epoch_hash"] == digest_text(prev.hash)

    def run_fits(self):
        # V52
        return self.last - self.first + 1 == self.epoch["leaf_count"]


AGENT_ACTIONS = ("agent.register", "agent.update", "agent.add_key", "agent.revoke_key", "agent.freeze", "agent.unfreeze", "agent.delete")


def keys_of_event(event):
    """What F97 wants in `details`, as a list of (kid, thumbprint or None); None where it is not there."""
    details, action, found = event["details"], event["action"], []
    if action == "agent.register":
        if not isinstance(details.get("keys"), list):
            return None
        items = details["keys"]
    else:
        items = [details] if action in ("agent.add_key", "agent.revoke_key") else []
    for item in items:
        if not isinstance(item, dict) or problems_of(IDENTIFIER, item.get("kid"), ""):
            return None
        thumb = None if action == "agent.revoke_key" else item.get("thumbprint")
        if action != "agent.revoke_key" and problems_of(KEY, thumb, ""):
            return None
        found.append((item["kid"], thumb))
    return found


class Event:
    """What is kept of an administrative event."""

    def __init__(self, event):
        self.hash, self.prev, self.time = event["event_hash"], event["prev_event_hash"], event["created_at"]
        self.withheld, self.id, self.action, self.correction = is_withheld(event), None, None, None
        self.naming = None  # ("create" or "change", the organization's name or None where the details lack it)
        self.at = self.time  # its order time, which Order sets
        if not self.withheld:
            self.id, self.org_id = event["event_id"], event["org_id"]
            self.fits = digest_text(sha256(admin_event_statement(event))) == self.hash
            if event["target_type"] == "agent" and event["action"] in AGENT_ACTIONS:
                self.action, self.agent_id, self.keys = event["action"], event["target_id"], keys_of_event(event)
                self.names = {name: event["details"][name] for name in AGENT_NAMES if name in event["details"]}
                wanted = AGENT_NAMES if self.action == "agent.register" else self.names
                if self.action in ("agent.register", "agent.update") and any(
                        problems_of(AGENT_NAMES[name], self.names.get(name, 0), "") for name in wanted):
                    self.keys = None
                if self.action == "agent.update" and not self.names:
                    self.action = None
            if event["target_type"] == "organization" and event["target_id"] == event["org_id"]:
                name = event["details"].get("name")
                if event["action"] == "org.create" or (event["action"] == "org.change" and "name" in event["details"]):
                    self.naming = event["action"], None if problems_of(ORG_NAME, name, "") else name
            if event["action"] == "ledger.clock_corrected":
                self.correction = Correction(event["details"])


class Correction:
    """What a clock correction says, F100; `clear` is false where its details lack something."""

    LATEST, JUMPS, LEAST_JUMP = 253402300799999, 4, 3600000

    def __init__(self, details):
        until = details.get("until") if isinstance(details.get("until"), dict) else {}
        jumps = details.get("jumps") if isinstance(details.get("jumps"), list) else []
        self.until, self.last, self.jumps = {name: until.get(name) for name in ("seq_no", "epoch_no")}, details.get("last_time"), []
        self.clear = 1 <= len(jumps) <= self.JUMPS and all(isinstance(jump, dict) and "before" in jump for jump in jumps)
        if self.clear:
            self.jumps = [{name: jump.get(name) for name in ("before", "after") + Order.COUNTS} for jump in jumps]
            counts = [jump[name] for jump in self.jumps for name in Order.COUNTS] + list(self.until.values())
            times = [jump["after"] for jump in self.jumps] + [self.last]
            times += [jump["before"] for jump in self.jumps if jump["before"] is not None]
            self.clear = not any(problems_of(COUNT, value, "") for value in counts + times) and max(times) <= self.LATEST


def ascends(numbers):
    return all(before <= after for before, after in zip(numbers, numbers[1:]))


def time_text(at):
    """Milliseconds as a time; beyond the year 9999 their number."""
    if at > Correction.LATEST:
        return "%d ms" % at
    whole = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=at)
    return whole.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (at % 1000)


class Order:
    """The order of times in a ledger, F101, F102: its clock is set back by corrections and by nothing else."""

    COUNTS, MOST_CORRECTED_TIMES = ("seq_no", "epoch_no", "events"), 1000

    def __init__(self, events):
        self.corrections, self.hashes, self.problems, self.stated, self.shifts, self.ends = [], [], {}, 0, [0.0], {}
        self.untils = {name: [] for name in self.COUNTS}
        for index, event in enumerate(events):
            correction = event.correction
            if correction is not None:
                self.stated += 1
                self.problems[index] = self.take(index, event, correction)
            event.at = event.time + self.shifts[self.before("events", index + 1)]
            event.shift = event.at - event.time

    def take(self, index, event, correction):
        # F101, V80, V81
        """The sentence that says why an event can be no correction, or None."""
        if not correction.clear:
            return "The clock correction does not say which times it corrects."
        correction.until["events"], correction.to = index, event.time
        last = self.corrections[-1].until if self.corrections else None
        for name in self.COUNTS:
            earliest = 0 if last is None else last[name] + (name == "events")
            if not ascends([earliest] + [jump[name] for jump in correction.jumps] + [correction.until[name]]):
                return "The clock correction reaches behind another one, or beyond its own place."
        self.corrections.append(correction)
        self.hashes.append(event.hash)
        for name, numbers in self.untils.items():
            numbers.append(correction.until[name])
        self.shifts.append(self.shifts[-1] + max(0, correction.last - correction.to))
        start = correction.jumps[0]["before"]
        if (start is None) == any(correction.jumps[0][name] for name in self.COUNTS):
            return "The clock correction states a time before, and nothing is there, or none."
        if any(jump["before"] is None for jump in correction.jumps[1:]):
            return "The clock correction states no time before a later jump."
        times = [jump[name] for jump in correction.jumps for name in ("before", "after")] + [correction.last]
        if not ascends(times[1:] if start is None else times):
            return "The times of the clock correction do not follow each other."
        gaps = [jump["after"] - jump["before"] for jump in correction.jumps if jump["before"] is not None]
        if len(correction.jumps) > 1 and min(gaps) < correction.LEAST_JUMP:
            return "The clock correction names several jumps, and one of less than an hour."
        if start is None:
            return None
        if correction.to < start:
            return "The clock correction sets the clock back behind what came before."
        if correction.last - correction.to > sum(gaps):
            return "The clock correction takes back more than the jumps that the ledger shows."
        return None

    def before(self, name, number):
        # F102
        """How many corrections come before a statement."""
        return bisect.bisect_left(self.untils[name], number)

    def at(self, name, number, time):
        return time + self.shifts[self.before(name, number)]

    def total(self):
        return self.shifts[-1]

    def made(self, manifest):
        return parse_time(manifest["created_at"]) + self.shifts[min(manifest.get("clock_corrections", 0), len(self.corrections))]

    def in_range(self, seq, time, number):
        # F103
        """The time by which a receipt lies in the range of a bundle that was made after a number of corrections."""
        number = min(number, len(self.corrections))
        if number not in self.ends:
            ends = []
            for correction in reversed(self.corrections[:number]):
                ends.append(min(correction.to, ends[-1] if ends else correction.to))
            self.ends[number] = ends[::-1]
        place = self.before("seq_no", seq)
        return min(time, self.ends[number][place]) if place < number else time

    def misfits(self, name, number, time):
        # V84
        """Is a time none that the corrections leave a statement?"""
        place = self.before(name, number)
        if place > 0 and time < self.corrections[place - 1].to:
            return True
        if place == len(self.corrections):
            return False
        correction = self.corrections[place]
        passed = [jump for jump in correction.jumps if number > jump[name]]
        rest = correction.jumps[len(passed):]
        to = rest[0]["before"] if rest else correction.last
        return to is None or time > to or (bool(passed) and time < passed[-1]["after"])

    def corrected_times(self):
        # V147
        listed, last = self.corrections[:self.MOST_CORRECTED_TIMES], self.corrections[-1:]
        untils = [one.until for one in listed]
        if len(listed) == self.MOST_CORRECTED_TIMES:
            untils[-1] = last[0].until
        return [{"corrected_at": time_text(one.to), "after": {name: one.jumps[0][name] for name in self.COUNTS},
                 "until": until} for one, until in zip(listed, untils)]

    def is_unbounded(self):
        # V82
        return any(one.jumps[0]["before"] is None and any(one.until.values()) for one in self.corrections)


class Contents:
    """All of a bundle but its records, of which only the place is noted. `problems` are parts with a wrong shape."""

    WHAT, MEMBERS, ELEMENTS, MOST_RECORDS = "bundle", MEMBERS, ELEMENTS, None

    def __init__(self, opener, take_event=lambda event: None):
        self.opener, self.take_event, self.seen, self.problems, self.stopped = opener, take_event, set(), [], None
        self.service_keys, self.agents, self.epochs, self.events = [], [], [], []
        self.directory, self.withheld, self.records_at, self.beside = {"agents": [], "service_keys": []}, [], None, 0
        self.directory_bytes = self.agent_keys = self.kept_events = 0
        self.record_count = 0
        self.format = self.org = self.edges = self.manifest = self.manifest_signature = None
        with opener() as file:
            scanner = Scanner(file)
            if scanner.peek() != b"{":
                raise Unreadable("not a JSON object")
            try:
                self.read(scanner)
            except (Stop, Unreadable) as error:
                if getattr(error, "code", None) == "UNSUPPORTED_VERSION":
                    self.stopped, self.problems = error, []
                self.stopped = self.stopped or error
        if self.stopped and not self.recognised():
            raise Unreadable("not a Countersign bundle: %s" % self.stopped)
        self.order = Order(self.events)

    def recognised(self):
        # V140
        return len(self.seen) >= 3 or (self.format or "").startswith("countersign.bundle.")

    def read(self, scanner):
        # F130, V12
        for name in scanner.members():
            if name not in self.MEMBERS and name not in self.ELEMENTS:
                raise Stop("A %s has no such member as %s." % (self.WHAT, json.dumps(name[:80])))
            if name in self.seen:
                raise Stop("The member %s is there twice." % name)
            if (scanner.peek() == b"[") != (name in self.ELEMENTS):
                raise Stop("%s is %s array." % (name, "not an" if name in self.ELEMENTS else "an"))
            if name in self.ELEMENTS:
                self.seen.add(name)
                self.read_array(scanner, name)
            else:
                data = self.piece(scanner, name)
                self.seen.add(name)
                self.read_member(name, data)
        if scanner.peek():
            raise Stop("The file goes on after the bundle.")
        for name in list(self.MEMBERS) + list(self.ELEMENTS):
            if name not in self.seen:
                raise Stop("The %s lacks %s." % (self.WHAT, name))

    def piece(self, scanner, name):
        # F151
        data = scanner.value(MAX_EPOCH if name == "epochs" else MAX_ITEM)
        self.beside += len(data)
        if self.beside > MAX_BESIDE_RECORDS:
            raise Stop("The bundle has more than %d bytes beside its records." % MAX_BESIDE_RECORDS)
        if name in ("service_keys", "agents"):
            self.directory_bytes += len(data)
            if self.directory_bytes > MAX_DIRECTORY:
                raise Stop("There are more than %d bytes of agents and keys." % MAX_DIRECTORY)
        return data

    def read_array(self, scanner, name):
        # F151
        if name == "records":
            self.records_at = scanner.offset()
        for number in scanner.elements():
            if name == "records":
                if number == self.MOST_RECORDS:
                    raise Stop("There are more than %d records." % self.MOST_RECORDS)
                scanner.value(MAX_RECORD)
                self.record_count = number + 1
            else:
                data = self.piece(scanner, name)
                if number == MOST.get(name):
                    raise Stop("There are more than %d elements of %s." % (number, name))
                self.read_element(name, "%s[%d]" % (name, number), data)

    def parsed(self, name, path, data):
        """The value of an element, and the sentence that says what is wrong with it: one of the two is None."""
        try:
            value = parse_json(data, True)
            problem = problems_of(self.ELEMENTS[name], value, path)
        except Unreadable as error:
            problem = "%s: %s" % (path, error)
        return (None, problem) if problem else (value, None)

    def read_element(self, name, path, data):
        # V10, V12, F151
        value, problem = self.parsed(name, path, data)
        if problem:
            self.problems.append(problem)
            if len(self.problems) > MALFORMED_OTHERS:
                raise Stop("More than %d parts are not as they should be." % MALFORMED_OTHERS)
        elif name == "epochs":
            self.epochs.append(SignedEpoch(value))
        elif name == "admin_events":
            if not is_withheld(value) and value["target_type"] in ("agent", "organization"):
                self.kept_events += len(data)
                if self.kept_events > MAX_KEPT_EVENTS:
                    raise Stop("There are more than %d bytes of events about agents and the organization." % MAX_KEPT_EVENTS)
            self.events.append(Event(value))
            self.take_event(value)
            if is_withheld(value):
                self.withheld.append(jcs(value))
        else:
            if name == "agents":
                self.agent_keys += len(value["keys"])
                if self.agent_keys > MAX_AGENT_KEYS:
                    raise Stop("There are more than %d keys of agents." % MAX_AGENT_KEYS)
            getattr(self, name).append(value)
            self.directory[name].append(jcs(value))

    def read_member(self, name, data):
        # V13
        """Takes a member. One that is left out lets nothing be checked, but what follows may still show a bundle."""
        try:
            value = parse_json(data, True)
        except Unreadable as error:
            self.stopped = self.stopped or Stop("%s: %s." % (name, error))
            return
        problem = problems_of(self.MEMBERS[name], value, name)
        if problem and name in ("format", "type"):
            raise Stop("%s." % problem)
        if problem:
            self.stopped = self.stopped or Stop("%s." % problem)
            return
        setattr(self, name, value)
        self.check_version(name, value)

    def check_version(self, name, value):
        # V12
        if name == "format" and value != "countersign.bundle.v1":
            raise Stop("The bundle is of another version: %s." % json.dumps(value[:80]), "UNSUPPORTED_VERSION")

    def records(self):
        # V10
        """Each record with the sentence that says what is wrong with it, one of the two None."""
        with self.opener() as file:
            file.seek(self.records_at)
            scanner = Scanner(file)
            for number in scanner.elements():
                yield self.parsed("records", "records[%d]" % number, scanner.value(MAX_RECORD))

    def neighbours(self):
        return [side for side in (self.edges["before"], self.edges["after"]) if side is not None]

    def stated_epochs(self):
        """Its epochs, and the newest of its ledger."""
        head = self.edges["head"] if self.edges else None
        return self.epochs + ([SignedEpoch(head)] if head is not None else [])

    def directory_digest(self):
        # F140
        """H(JCS({"agents", "org", "service_keys"})), put together from what was kept of each."""
        agents, keys = (b",".join(self.directory[name]) for name in ("agents", "service_keys"))
        return digest_text(sha256(b'{"agents":[' + agents + b'],"org":' + jcs(self.org) + b',"service_keys":[' + keys + b"]}"))

    def events_digest(self):
        return digest_text(sha256(b"".join(digest_raw(event.hash) for event in self.events)))

    def withheld_digest(self):
        return digest_text(sha256(b"[" + b",".join(self.withheld) + b"]")) if self.withheld else None

    def is_due(self, org_id, agent_id, seq, received, order):
        # V101, V103
        """Must this bundle hold a receipt, or was it given before the bundle was made, behind the head of the ledger that it states?"""
        manifest = self.manifest
        scope, head, agent_head = manifest["filter"], manifest["log_head"]["seq_no"], manifest["agent_head"]
        if org_id != manifest["org_id"]:
            return False
        if seq > head:
            return order.at("seq_no", seq, received) < order.made(manifest)
        if scope["agent_id"] not in (None, agent_id):
            return False
        placed = order.in_range(seq, received, manifest.get("clock_corrections", 0))
        return parse_time(scope["start_time"]) <= placed < parse_time(scope["end_time"]) or (
            scope["agent_id"] is not None and seq > (agent_head["seq_no"] if agent_head else 0))


# ---- Proof of records, R1 to R12 ------------------------------------------------------------------

MAX_PROOF, MAX_PROOF_RECORDS, ANY_PROOF = 67108864, 1000, "countersign.record-proof."  # R2, R1, R5
ONLY_IN_BUNDLES = {"format", "edges", "admin_events", "manifest", "manifest_signature"}


def beginning_of(opener):
    # R2
    """The bytes of a file, no more than a proof may have, and whether there are more."""
    with opener() as file:
        data = file.read(MAX_PROOF + 1)
    return data[:MAX_PROOF], len(data) > MAX_PROOF


def is_record_proof(opener):
    # R5
    """Is a file to be judged as a proof of records?"""
    scanner, seen = Scanner(io.BytesIO(beginning_of(opener)[0])), set()
    try:
        for name in scanner.members():
            if name in ONLY_IN_BUNDLES or name in seen:
                return False
            seen.add(name)
            is_array = scanner.peek() == b"["
            if name == "type":
                value = None if is_array else parse_json(scanner.value(MAX_ITEM), True)
                return isinstance(value, str) and value.startswith(ANY_PROOF)
            if not is_array:
                scanner.value(MAX_ITEM)
            for _ in scanner.elements() if is_array else ():
                scanner.value({"records": MAX_RECORD, "epochs": MAX_EPOCH}.get(name, MAX_ITEM))
    except (Stop, Unreadable):
        pass
    return False


class ProofContents(Contents):
    WHAT, MEMBERS, ELEMENTS, MOST_RECORDS = "proof", PROOF_MEMBERS, PROOF_ELEMENTS, MAX_PROOF_RECORDS

    def __init__(self, opener):
        # R10
        self.type = self.seal = self.org_id = None
        data, is_longer = beginning_of(opener)
        Contents.__init__(self, lambda: io.BytesIO(data))
        if not self.stopped and is_longer:
            self.stopped = Stop("A proof has at most %d bytes." % MAX_PROOF)
        if not self.stopped and not self.record_count:
            self.stopped = Stop("The proof holds no record.")
        self.org = None if self.org_id is None else {"org_id": self.org_id}
        if not self.stopped and self.org is None:
            self.stopped = Stop("The organization of the proof could not be read.")
        if self.seal is not None:
            self.epochs = [SignedEpoch(self.seal["epoch"])]
        if self.stopped:
            self.problems = []  # where reading stops, nothing else of the proof is judged

    def recognised(self):
        return True

    def check_version(self, name, value):
        # R10
        if name == "type" and value != ANY_PROOF + "v1":
            code = "UNSUPPORTED_VERSION" if value.startswith(ANY_PROOF) else "MALFORMED"
            raise Stop("The proof is of another version: %s." % json.dumps(value[:80]), code)

    def neighbours(self):
        return []


# ---- The report ----------------------------------------------------------------------------------

class Report:
    MOST = 1000  # findings listed of one code and severity

    def __init__(self):
        self.found, self.counts = {}, {}
        self.withheld = {"runs": [], "joined": 0}
        self.corrected_times = None  # V147; None where the log was not read
        self.witnessed = {"size": 0, "until": None}  # V183, where witnesses are demanded
        self.carried = 0  # checkpoints in the file itself
        self.demanded = None  # of witnesses, for the ledger that the file is of
        self.problems = []  # of an HTML report, besides its proof: (code, sentence)
        self.data = None  # of an HTML report: the verdict on the data in it
        self.checks = {name: {"status": None, "count": 0, "failed": 0} for name in CHECKS}

    def add(self, check, code, message, severity="error", **where):
        # V132, V142
        self.counts[code] = self.counts.get(code, 0) + 1
        self.checks[check]["failed"] += severity == "error"
        listed = self.found.setdefault((severity, code), [])
        if len(listed) < self.MOST:
            listed.append({"code": code, "severity": severity, "check": check, "where": where, "message": message})

    @property
    def findings(self):
        return [finding for severity in ("error", "warning") for code in CODES for finding in self.found.get((severity, code), [])]

    def warn(self, check, code, message, **where):
        self.add(check, code, message, "warning", **where)

    def count(self, check, number=1):
        self.checks[check]["count"] += number

    def not_checked(self, check, reason):
        self.checks[check].setdefault("reason", reason)

    def verdict(self):
        # V133, V141
        for check in self.checks.values():
            if check["failed"] or "reason" in check:
                check.pop("remark", None)
            check["status"] = ("fail" if check["failed"] else "not_checked" if "reason" in check
                               else "pass" if check["count"] else "not_applicable")
        statuses = [check["status"] for check in self.checks.values()]
        return "failed" if "fail" in statuses else "incomplete" if "not_checked" in statuses else "verified"


# ---- Whom the reader trusts, V2, V22, F114 ------------------------------------------------------

def key_digits(kid):
    # F114
    """The fingerprint of a service key: 60 decimal digits."""
    digest = hashlib.sha512(jcs({"kid": kid, "type": "countersign.key-fingerprint.v1"})).digest()
    return "".join("%05d" % (int.from_bytes(digest[5 * n:5 * n + 5], "big") % 100000) for n in range(12))


def trust_entry(text):
    # V2
    """(kid or 60 digits, org_id or None) of `KEY` or `KEY@ORG_ID`."""
    name, at, org_id = text.partition("@")
    digits = re.sub(r"[\s-]", "", name)
    key = digits if re.fullmatch(r"[0-9]{60}", digits) else re.sub(r"\s", "", name)
    return key, org_id if at else None


def agent_key_entry(text):
    # V3
    """(agent_id, public key or thumbprint) of `AGENT=KEY`; raises ValueError."""
    agent_id, equals, key = text.partition("=")
    if not agent_id or not equals or b64url_decode(key.strip(), 32) is None:
        raise ValueError("expected AGENT=KEY with a public key or its thumbprint, got %r" % text)
    return agent_id, key.strip()


class ServiceKeys:
    """The service keys of a bundle: which are sound, how they follow each other, and what they signed."""

    def __init__(self, keys, report, trusted):
        self.report, self.keys, self.public, self.sound, self.used = report, {}, {}, set(), set()
        self.trusted = trusted  # (KEY, org_id or None) as the reader named them
        self.last, self.reported = None, set()
        report.count("issuer", len(keys))
        for key in keys:
            if key["kid"] in self.keys:
                self.invalid(key, "The key is there twice.")
                continue
            self.keys[key["kid"]] = key
            self.public[key["kid"]] = PublicKey(b64url_decode(key["public_key"], 32))
        for key in self.keys.values():
            if self.is_sound(key):
                self.sound.add(key["kid"])
        self.find_lines()

    def invalid(self, key, sentence):
        self.report.add("issuer", "SERVICE_KEY_INVALID", sentence, kid=key["kid"])

    def is_sound(self, key):
        # V20
        kid, prev, statement = key["kid"], key["prev_kid"], service_key_statement(key)
        if self.public[kid].point is None:
            self.report.add("issuer", "KEY_WEAK", "The public key is not a canonical point of prime order.", kid=kid)
            return False
        sentence = None
        if thumbprint(self.public[kid].data) != kid:
            sentence = "The kid is not the RFC 7638 thumbprint of the key."
        elif not self.public[kid].verify(b64url_decode(key["self_signature"], 64), statement):
            sentence = "The key's signature over its own statement is invalid."
        elif (prev is None) != (key["prev_signature"] is None):
            sentence = "prev_kid and prev_signature must be there together."
        elif prev in self.public and not self.public[prev].verify(b64url_decode(key["prev_signature"], 64), statement):
            sentence = "The signature by the key before it is invalid."
        if sentence:
            self.invalid(key, sentence)
        return sentence is None

    def find_lines(self):
        # V21
        """Each key has at most one behind it, no line is a circle, and state and times follow from that."""
        self.behind, self.place, forked = {}, {}, set()
        for key in self.keys.values():
            if key["prev_kid"] is not None and self.behind.setdefault(key["prev_kid"], key) is not key:
                self.invalid(key, "Another key names the same key before itself.")
                forked.add(key["kid"])
        for key in self.keys.values():
            line, depth = key["kid"], 0
            if key["prev_kid"] not in self.keys or line in forked:  # the first of its line
                while key is not None:
                    self.place[key["kid"]] = (line, depth)
                    key, depth = self.behind.get(key["kid"]), depth + 1
        for key in self.keys.values():
            behind = self.behind.get(key["kid"])
            if key["kid"] not in self.place:
                self.invalid(key, "The key stands before itself.")
            if behind is not None and behind["created_at"] < key["created_at"]:
                self.invalid(behind, "The key is older than the one before it.")
            expected = ("active", None) if behind is None else ("retired", behind["created_at"])
            if (key["status"], key["retired_at"]) != expected:
                self.invalid(key, "Status and retired_at of the key are not those of its place in the line.")

    def signed(self, kid, signature, statement):
        return kid in self.sound and self.public[kid].verify(b64url_decode(signature, 64), statement)

    def signed_receipt(self, ear):
        return self.signed(ear["service_kid"], ear["service_signature"], receipt_statement(ear))

    def signed_epoch(self, epoch):
        return self.signed(epoch.epoch["service_kid"], epoch.epoch["signature_by_service"], epoch.statement)

    def signed_manifest(self, contents):
        return self.signed(contents.manifest["service_kid"], contents.manifest_signature, jcs(contents.manifest))

    total = 0  # what all clock corrections took back

    def signs(self, kid, now, is_manifest=False, **where):
        # V24, V25
        """Notes, in the order of signing, that a key signed a statement of that order time. No retired key signs a manifest."""
        self.used.add(kid)
        if kid not in self.sound:
            return
        key = self.keys[kid]
        retired = None if key["retired_at"] is None else key["retired_at"] + self.total
        if now < key["created_at"] or (retired is not None and (now > retired or (is_manifest and now == retired))):
            self.report.add("issuer", "SERVICE_KEY_MISUSED", "The key signed outside its time.", kid=kid, **where)
        if self.last is not None and self.last != kid:
            (line, depth), (last_line, last_depth) = self.place.get(kid, (None, 0)), self.place.get(self.last, (0, 0))
            if line != last_line or depth < last_depth:
                self.report.add("issuer", "SERVICE_KEY_MISUSED", "A later key had signed before.", kid=kid, **where)
        self.last = kid

    def is_of_absent_key(self, ear):
        # V109
        """Did a key sign a receipt that the reader trusts and named by itself, and that the bundle lacks?"""
        kid = ear["service_kid"]
        for key, org in self.trusted if kid not in self.sound else ():
            data = b64url_decode(key, 32)
            if org in (None, ear["org_id"]) and data is not None and thumbprint(data) == kid:
                return PublicKey(data).verify(b64url_decode(ear["service_signature"], 64), receipt_statement(ear))
        return False

    def absent_keys(self, org_id):
        # V120
        """Keys that the reader trusts and named by themselves, and of whose kid the bundle has no sound one."""
        data = [b64url_decode(key, 32) for key, org in self.trusted if org in (None, org_id)]
        return [PublicKey(key) for key in data if key is not None and thumbprint(key) not in self.sound]

    def check_trust(self, org_id):
        # V23
        """ISSUER_NOT_PINNED and ORGANIZATION_NOT_CONFIRMED."""
        confirmed = self.vouched_for([key for key, org in self.trusted if org in (None, org_id)])
        known = self.vouched_for([key for key, org in self.trusted])
        missing = sorted(self.used - confirmed)
        if missing and known.issuperset(missing):
            self.report.warn("issuer", "ORGANIZATION_NOT_CONFIRMED", "The issuer is trusted for other organizations only.")
            self.report.not_checked("issuer", "this organization was not confirmed under a service key")
        elif missing:
            self.report.warn("issuer", "ISSUER_NOT_PINNED", "No trusted key vouches for a service key.", kid=missing[0])
            self.report.not_checked("issuer", "a service key is known only from the bundle itself")

    def vouched_for(self, named):
        # V22
        """The sound keys that are named, by kid or digits, and those that rotations link with them."""
        links, found = {kid: [] for kid in self.sound}, []
        for kid in self.sound:
            prev = self.keys[kid]["prev_kid"]
            if prev in self.sound:  # its signature over this key was checked
                links[kid].append(prev)
                links[prev].append(kid)
        named = set(named) | {thumbprint(b64url_decode(key, 32)) for key in named if b64url_decode(key, 32)}
        trusted = {kid for kid in self.sound if kid in named or key_digits(kid) in named}
        found.extend(trusted)
        while found:
            for kid in links[found.pop()]:
                if kid not in trusted:
                    trusted.add(kid)
                    found.append(kid)
        return trusted


# ---- Checkpoints, F84 to F89 ------------------------------------------------------------------------

class Checkpoint:
    """A checkpoint as somebody kept it; raises Unreadable for what is none."""

    MOST_BYTES, MOST_SIGNATURES = 131072, 16

    def __init__(self, data):
        # F86, F87, F89
        if len(data) > self.MOST_BYTES:
            raise Unreadable("The file is too long for a checkpoint")
        try:
            text = without_mark(data).decode("utf-8")
        except UnicodeDecodeError:
            raise Unreadable("The file is not UTF-8")
        if re.fullmatch(r"(?:[^\r\n]*\r\n)*[^\r\n]*", text):
            text = text.replace("\r\n", "\n")
        text += "" if text.endswith("\n") else "\n"
        if any(character < " " and character != "\n" for character in text):
            raise Unreadable("The file holds a control character")
        self.old = None  # of a consistency proof: the size that it begins with
        if text.startswith("old "):
            head, divided, text = text.partition("\n\n")
            self.old, self.proof = head.split("\n")[0][4:], [b64_decode(line) for line in head.split("\n")[1:]]
            if not divided or len(self.proof) > 63 or any(item is None or len(item) != 32 for item in self.proof):
                raise Unreadable("The file is not a size, hashes, an empty line and a checkpoint")
        self.text, divided, signatures = text.rpartition("\n\n")
        if not divided or not signatures.endswith("\n"):
            raise Unreadable("There is no empty line before signature lines")
        self.text += "\n"
        lines, signatures = self.text[:-1].split("\n"), signatures[:-1].split("\n")
        if len(lines) < 3 or "" in lines:
            raise Unreadable("The text is not origin, size and root")
        self.origin, size, root = lines[:3]
        for number in (size,) if self.old is None else (size, self.old):
            if not re.fullmatch("[1-9][0-9]{0,15}", number) or int(number) > MAX_SAFE:
                raise Unreadable("A size is not an integer from 1")
        self.size, self.root = int(size), b64_decode(root)
        self.old = None if self.old is None else int(self.old)
        if self.old is not None and self.old > self.size:
            raise Unreadable("The proof begins beyond the size of its checkpoint")
        if self.root is None or len(self.root) != 32:
            raise Unreadable("The root is not 32 bytes in base64")
        if len(signatures) > self.MOST_SIGNATURES:
            raise Unreadable("There are too many signature lines")
        self.signatures = [self.signature(line) for line in signatures]

    @staticmethod
    def signature(line):
        # F87
        """(key name, key id, signature) of a line."""
        parts = line.split(" ")
        raw = b64_decode(parts[2]) if len(parts) == 3 else None
        if raw is None or len(raw) < 5 or parts[0] != "\u2014" or not parts[1]:
            raise Unreadable("A signature line has another form")
        if any(character.isspace() or character == "+" for character in parts[1]):
            raise Unreadable("A key name has white space or a plus sign")
        return parts[1], raw[:4], raw[4:]

    def signer(self, service, org_id):
        # F88, V120
        """Whose lines it has, if each of them verifies: "service", "absent" or None."""
        own = self.lines_hold([service.public[kid] for kid in service.keys if kid in service.sound])
        if own is not None:
            return "service" if own else None
        return "absent" if self.lines_hold(service.absent_keys(org_id)) else None

    def lines_hold(self, keys):
        """Does every line that names one of the keys verify? None where no line does."""
        known = [(key_id_of(self.origin, key.data), key) for key in keys]
        answers = []
        for name, key_id, signature in self.signatures:
            keys = [key for known_id, key in known if name == self.origin and known_id == key_id]
            if keys:
                answers.append(any(key.verify(signature, self.text.encode("utf-8")) for key in keys))
        return all(answers) if answers else None


class WitnessKey:
    """A key of a witness (F93); raises Unreadable. Of ML-DSA-44 nothing is checked here, and nothing counts."""

    def __init__(self, vkey):
        parts = re.fullmatch(r"([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)", vkey)
        material = b64_decode(parts.group(3)) if parts else None
        if not material or len(material) != {4: 33, 6: 1313}.get(material[0]) or len(parts.group(1).encode("utf-8")) > 255:
            raise Unreadable("a key is no vkey of a witness")
        self.name, self.material = parts.group(1), material
        self.key_id = sha256(self.name.encode("utf-8") + b"\n" + material)[:4]
        self.key = PublicKey(material[1:]) if material[0] == 4 else None
        if self.key_id.hex() != parts.group(2) or self.key and self.key.point is None:
            raise Unreadable("a key of a witness is weak, or has the id of another")

    def cosigned(self, kept):
        # F94, F95
        """When it says that it cosigned, in seconds; None where it did not, or where one of its lines does not hold."""
        times = []
        for name, key_id, signature in kept.signatures if self.key else ():
            if (name, key_id) != (self.name, self.key_id):
                continue
            time = int.from_bytes(signature[:8], "big")
            message = b"cosignature/v1\ntime %d\n" % time + kept.text.encode("utf-8")
            if len(signature) != 72 or not 1 <= time <= 253402300799 or not self.key.verify(signature[8:], message):
                return None
            times.append(time)
        return max(times, default=None)


DEMAND = members(threshold=NUMBER, organizations=array_of(members(
    name=check_if(lambda v: isinstance(v, str) and v.strip() != "", "a name"), keys=array_of(text(1, 4096), 16)), 32))


class Demand:
    """Of how many organizations a cosignature is demanded, and of which (V182); raises Unreadable."""

    def __init__(self, value):
        problem = problems_of(DEMAND, value, "policy")
        if problem is not None:
            raise Unreadable(problem)
        self.threshold, given = value["threshold"], value["organizations"]
        if self.threshold > len(given) or not all(one["keys"] for one in given):
            raise Unreadable("a threshold of more organizations than there are, or an organization without keys")
        self.organizations = [[WitnessKey(key) for key in one["keys"]] for one in given]
        keys = [key.material[1:] for keys in self.organizations for key in keys]
        if len(set(keys)) < len(keys) or len({one["name"] for one in given}) < len(given):
            raise Unreadable("a name or a key stands twice")
        witnesses = [name for keys in self.organizations for name in {key.name for key in keys}]
        if len(set(witnesses)) < len(witnesses):
            raise Unreadable("two organizations have keys of one witness")


class Policy:
    """Whose cosignatures a reader demands, of each ledger (V182); raises Unreadable."""

    def __init__(self, data):
        value = parse_json(without_mark(data))
        is_scoped = isinstance(value, dict) and "ledgers" in value
        given = value.pop("ledgers") if is_scoped else []
        if is_scoped and (not isinstance(given, list) or not 1 <= len(given) <= 100 or not all(isinstance(one, dict) for one in given)):
            raise Unreadable("no list of ledgers")
        ids = [one.pop("org_id", None) for one in given]
        if not all(isinstance(org_id, str) and org_id for org_id in ids) or len(set(ids)) < len(ids):
            raise Unreadable("a ledger without an org_id, or twice")
        self.everywhere = Demand(value) if value or not is_scoped else None
        self.ledgers = {org_id: Demand(one) for org_id, one in zip(ids, given)}

    def of(self, org_id):
        return self.ledgers.get(org_id, self.everywhere)


def b64_decode(text):
    """Strict RFC 4648 section 4 with padding, or None."""
    try:
        raw = base64.b64decode(text, validate=True)
    except ValueError:
        return None
    return raw if base64.b64encode(raw).decode("ascii") == text else None


def log_origin(org_id):
    # F84
    return "countersign.v1/" + urllib.parse.quote(org_id, safe="")


def key_id_of(name, public):
    # F84
    return sha256(name.encode("utf-8") + b"\n\x01" + public)[:4]


# ---- The directory, V14, V30, V72, V73 ----------------------------------------------------------------------

class AgentState:
    """An agent as its administrative events leave it."""

    def __init__(self, created):
        self.created, self.status, self.deleted, self.names = created, "active", None, {}
        self.keys = {}  # kid -> [thumbprint, created_at, retired_at]
        self.shifts = {}  # kid -> what clock corrections before its making and its end took back
        self.frozen, self.thawed = [], []  # when it was frozen, and when each of these ended

    def apply(self, event):
        # F97, V72
        """The sentence that says what is wrong with an event, or None."""
        action = event.action
        if self.status == "deleted":
            return "An event follows on the deletion of the agent."
        if action in ("agent.register", "agent.update"):
            self.names.update(event.names)
        if action == "agent.update":
            return None
        if action in ("agent.register", "agent.add_key"):
            for kid, thumb in event.keys:
                if kid in self.keys:
                    return "The agent already had a key of this kid."
                self.keys[kid], self.shifts[kid] = [thumb, event.time, None], [event.shift, 0]
        elif action == "agent.revoke_key":
            key = self.keys.get(event.keys[0][0])
            if key is None or key[2] is not None:
                return "The agent had no such key to revoke."
            key[2], self.shifts[event.keys[0][0]][1] = event.time, event.shift
        elif action == "agent.delete":
            self.status, self.deleted = "deleted", event.at
        elif (action, self.status) == ("agent.freeze", "active"):
            self.status = "frozen"
            self.frozen.append(event.at)
        elif (action, self.status) == ("agent.unfreeze", "frozen"):
            self.status = "active"
            self.thawed.append(event.at)
        else:
            return "The event does not fit the agent's state."
        return None

    def has_key(self, key, received):
        # V32
        """Was a key the agent's at an order time? Answers (not too early, not too late)."""
        made, ended = self.shifts.get(key["kid"], (0, 0))
        return received >= key["created_at"] + made, key["retired_at"] is None or received <= key["retired_at"] + ended

    def bars(self, received):
        # V33
        position = bisect.bisect_left(self.frozen, received) - 1  # the newest freezing before that time
        if position >= 0 and (position >= len(self.thawed) or received < self.thawed[position]):
            return True
        return self.deleted is not None and received > self.deleted


class Directory:
    def __init__(self, contents, service, report):
        self.contents, self.service, self.report = contents, service, report
        self.keys, self.public, self.thumbs, self.states = {}, {}, {}, {}
        self.check_agents()
        if contents.WHAT == "bundle":  # a proof holds no administrative log
            self.check_events()

    def check_agents(self):
        # V14, V30
        report, org_id, owners, listed = self.report, self.contents.org["org_id"], {}, set()
        for agent in self.contents.agents:
            agent_id, where = agent["agent_id"], {"agent_id": agent["agent_id"]}
            if agent_id in listed:
                report.add("completeness", "MALFORMED", "The agent is listed twice.", **where)
                continue
            if agent.get("org_id", org_id) != org_id:
                report.add("completeness", "MALFORMED", "The agent is of another organization.", **where)
            listed.add(agent_id)
            for key in agent["keys"]:
                name, where = (agent_id, key["kid"]), {"agent_id": agent_id, "kid": key["kid"]}
                report.count("agent_signatures")
                if name in self.keys:
                    report.add("completeness", "MALFORMED", "The key is listed twice.", **where)
                    continue
                public = PublicKey(b64url_decode(key["public_key"], 32))
                self.keys[name], self.public[name], self.thumbs[name] = key, public, thumbprint(public.data)
                if public.point is None:
                    report.add("agent_signatures", "KEY_WEAK", "The public key is not a canonical point of prime order.", **where)
                if key["agent_id"] != agent_id or (key["retired_at"] is None) != (key["status"] == "active") or \
                        not self.is_attested(key):
                    report.add("agent_signatures", "KEY_ATTESTATION_INVALID", "The service does not attest this agent's key.",
                               **where)
                self.service.used.add(key["service_kid"])
                if owners.setdefault(key["public_key"], agent_id) != agent_id:
                    report.warn("agent_signatures", "KEY_SHARED", "Another agent has the same public key.", **where)
        for kid, key in self.service.keys.items():
            if key["public_key"] in owners:
                report.warn("agent_signatures", "KEY_SHARED", "An agent has the service's key.",
                            kid=kid, agent_id=owners[key["public_key"]])

    def state_of(self, agent_id):
        """An agent of whom no event tells was never barred."""
        return self.states.get(agent_id) or AgentState(0)

    def is_attested(self, key):
        # V30
        statement = agent_key_statement(key, self.contents.org["org_id"])
        return self.service.signed(key["service_kid"], key["attestation"], statement)

    def mismatch(self, sentence, **where):
        self.report.add("admin_log", "DIRECTORY_MISMATCH", sentence, **where)

    def check_events(self):
        # V72, V73
        """The directory follows from the events of `agent.register` and so on, as they stand in the log."""
        listed = {agent["agent_id"]: agent for agent in reversed(self.contents.agents)}  # of one listed twice the first
        self.check_name()
        for event in self.contents.events:
            if event.action is None:
                continue
            state = self.states.get(event.agent_id)
            if event.keys is None:
                self.mismatch("The event's details lack what they must hold.", agent_id=event.agent_id, event_id=event.id)
                continue
            if (state is None) != (event.action == "agent.register"):
                sentence = "The agent was not registered before, or is registered twice."
            else:
                self.states[event.agent_id] = state = state or AgentState(event.time)
                sentence = state.apply(event)
            if sentence and event.agent_id in listed:
                self.mismatch(sentence, agent_id=event.agent_id, event_id=event.id)
        if self.contents.manifest["filter"]["agent_id"] is None:
            for agent_id in self.states:
                if agent_id not in listed:
                    self.mismatch("An agent that was registered is not listed.", agent_id=agent_id)
        for agent_id, agent in listed.items():
            self.compare(agent, self.states.get(agent_id), {"agent_id": agent_id})

    def check_name(self):
        # F98, V74
        called = None
        for event in self.contents.events:
            if event.naming is None:
                continue
            action, name = event.naming
            if name is None or (action == "org.create") != (called is None):
                self.mismatch("The event gives the organization no name, or creates it twice, or renames none.", event_id=event.id)
            else:
                called = name
        if self.contents.org["name"] != called:
            self.mismatch("The organization is called otherwise than its events have it.", member="org.name")

    def compare(self, agent, state, where):
        # V72
        if state is None:
            self.mismatch("No event registers the agent.", **where)
            return
        if (agent["created_at"], agent["status"]) != (state.created, state.status):
            self.mismatch("State or time of the agent does not follow from its events.", **where)
        if any(agent[name] != state.names.get(name) for name in AGENT_NAMES):
            self.mismatch("The agent is called otherwise than its events have it.", **where)
        if {key["kid"] for key in agent["keys"]} != set(state.keys):
            self.mismatch("The agent's keys are not those that its events gave it.", **where)
        for key in agent["keys"]:
            stated = [self.thumbs.get((agent["agent_id"], key["kid"])), key["created_at"], key["retired_at"]]
            if key["kid"] in state.keys and state.keys[key["kid"]] != stated:
                self.mismatch("The key does not follow from the agent's events.", kid=key["kid"], **where)


# ---- Verification, V20 to V96 ---------------------------------------------------------------------

class EpochRun:
    """What the records of a bundle give for one of its epochs."""

    def __init__(self, epoch):
        self.epoch, self.log = epoch, Log()

    def is_whole(self):
        # V55
        return self.epoch.run_fits() and self.log.size == self.epoch.epoch["leaf_count"]


class Payloads:
    """What is not shown of the records, and what was counted of their payloads: V145, V146."""

    MOST = 10000  # runs listed
    KEPT_MARKS = 65536

    def __init__(self):
        self.counts = dict.fromkeys(("payloads", "withheld", "salted", "members", "members_withheld"), 0)
        self.digest, self.runs, self.joined, self.run = hashlib.sha256(), [], 0, None
        self.newer, self.older = set(), set()

    def take(self, record, signed, missing):
        # F44, F142, V145, V146
        """The next record: whether its payload has the signed hash, and how many members of a salted one are not shown."""
        there, seq, disclosures = "payload" in record["eor"], record["ear"]["seq_no"], record.get("disclosures", {})
        self.counts["payloads"] += there
        self.counts["members"] += len(disclosures)
        self.counts["members_withheld"] += missing if signed else 0
        if disclosures:
            self.digest.update(shown_names_hash(seq, disclosures))
        if there and not missing:
            self.run = None
            return
        self.counts["withheld"] += 1
        self.counts["salted"] += signed
        if self.run is None or self.run["salted"] != signed:
            self.run = {"first_seq_no": seq, "last_seq_no": seq, "salted": signed}
            if len(self.runs) < self.MOST:
                self.runs.append(self.run)
            else:
                self.joined += 1
        self.run["last_seq_no"] = seq

    def meets(self, marks):
        # V36
        """Reused salts: was one of these there before, or is it there twice?"""
        met = not self.newer.isdisjoint(marks) or not self.older.isdisjoint(marks) or len(set(marks)) < len(marks)
        self.newer.update(marks)
        if len(self.newer) >= self.KEPT_MARKS:
            self.newer, self.older = set(), self.newer
        return met

    def disclosures_digest(self):
        return digest_text(self.digest.digest()) if self.counts["members"] else None

    def remark(self):
        # V146
        number = self.counts["withheld"] - self.counts["salted"]
        what = "1 withheld payload was" if number == 1 else "%d withheld payloads were" % number
        return "Nothing shows that %s salted: a short payload can be found from its hash by trial." % what if number else None


class Way:
    """V56: from its first leaf to the end of the newest epoch, along what the file shows of it."""

    def __init__(self, report, org_id, sizes):
        self.report, self.org_id, self.log, self.broken = report, org_id, Log(), False
        self.sizes, self.roots, self.proven, self.begun = set(sizes), {}, 0, False
        self.epoch = self.judged = None  # that of the newest leaf; the one that was judged last

    def root_at(self, size):
        # V58
        return self.roots.get(size) if size <= self.proven else None

    def proven_roots(self):
        """Size -> root, at the sizes that are asked for and at that before the first record, where a signed root covers them."""
        return {size: root for size, root in self.roots.items() if size <= self.proven}

    def reach(self):
        if self.log.size in self.sizes:
            self.roots[self.log.size] = self.log.root()
        if self.epoch is not None and self.log.size == self.epoch.last:
            self.judge(self.epoch)

    def judge(self, epoch):
        # V57, V58
        self.judged = epoch
        if digest_text(self.log.root()) != epoch.epoch["log_root"]:
            self.report.add("epochs", "LOG_ROOT_MISMATCH", "What is shown does not give the log's root.", **epoch.where)
        elif epoch.signed and epoch.epoch["org_id"] == self.org_id:
            self.proven = epoch.last

    def pass_gap(self, end, gap, **where):
        # F147, V56
        """Is the gap up to a size the cover of its leaves, cut at the end of the epoch before it?"""
        begin, ends = self.log.size, [end]
        if self.epoch is not None and begin < self.epoch.last < end:
            ends = [self.epoch.last, end]
        heights = []
        for to in ends:
            heights += cover(begin, to)
            begin = to
        if len(heights) != len(gap):
            self.broken = True
            self.report.add("epochs", "INCLUSION_INVALID", "A gap has another number of hashes than it should.", **where)
            return False
        for height, root in zip(heights, gap):
            self.log.append(digest_raw(root), height)
            self.reach()
        return True

    def take(self, seq, leaf, gap, epoch, is_record=True, **where):
        # F146, V56
        """A receipt that is shown, in the run of an epoch, if one is shown."""
        if not self.broken and seq > self.log.size and self.pass_gap(seq - 1, gap, **where):
            if is_record and not self.begun and seq > 1:
                self.roots[seq - 1] = self.log.root()
            self.begun = self.begun or is_record
            self.log.append(leaf)
            self.epoch = epoch
            self.reach()

    def finish(self, rest, head):
        # V57
        if self.broken or (head is None and self.log.size == 0 and not rest):
            return
        if head is None or head.last < self.log.size:
            self.report.add("epochs", "LOG_ROOT_MISMATCH", "No newest epoch seals what is shown of the log.")
        elif self.pass_gap(head.last, rest) and (self.judged is None or self.judged.hash != head.hash):
            self.judge(head)


class Verifier:
    is_run = True  # the records of a bundle follow each other, those of a proof are picked

    def __init__(self, contents, options):
        self.contents, self.options, self.report = contents, options, Report()
        self.seqs, self.received = array.array("Q"), array.array("q")  # of the records, ascending by seq_no
        self.leaves, self.signed, self.leaves_digest = bytearray(), bytearray(), hashlib.sha256()
        demanded = options.witnesses.of(contents.org["org_id"]) if options.witnesses else None
        self.report.demanded = demanded
        self.is_compared = bool(options.receipts or options.against or options.checkpoints or demanded)
        self.chain = [] if self.is_compared else None  # (agent_id, prev_chain_hash, chain_hash, it follows) of each
        self.record_count, self.malformed, self.payloads = 0, 0, Payloads()
        self.heads, self.continued, self.last_received = {}, set(), None
        self.nonces, self.operations, self.receipt_ids = set(), set(), set()
        self.receipted = set()  # the operations that a signed receipt names
        self.first_seq = self.last_seq = None
        self.holds_others = False  # in a bundle of one agent: records of others
        self.newest = 0  # the latest order time of a record
        self.checkpoints = []  # (name, what was kept or None, why it is no checkpoint)
        for name, opener in options.checkpoints:
            with opener() as file:
                self.keep_checkpoint(name, file.read(Checkpoint.MOST_BYTES + 1))
        self.carried = ((contents.edges if self.is_run else contents.seal) or {}).get("cosigned", ())
        self.report.carried = len(self.carried)
        for number, text in enumerate(self.carried if demanded else ()):  # V187
            self.keep_checkpoint("%s.cosigned[%d]" % ("edges" if self.is_run else "seal", number), text.encode("utf-8"))

    def keep_checkpoint(self, name, data):
        try:
            self.checkpoints.append((name, Checkpoint(data), None))
        except Unreadable as error:
            self.checkpoints.append((name, None, str(error)))

    def run(self):
        report, contents = self.report, self.contents
        for problem in contents.problems:
            report.add("completeness", "MALFORMED", problem + ".")
        if contents.stopped:
            return self.stop(contents.stopped)
        self.org_id, self.order = contents.org["org_id"], contents.order
        self.service = ServiceKeys(contents.service_keys, report, [trust_entry(entry) for entry in self.options.trusted])
        self.service.total = self.order.total()
        try:
            self.check_all()
        except Stop as stopped:
            return self.stop(stopped)
        return report

    def stop(self, stopped):
        # V12, V13
        self.report.add("completeness", getattr(stopped, "code", "MALFORMED"), str(stopped))
        for name in CHECKS:
            self.report.not_checked(name, "reading stopped before the end of the %s" % self.contents.WHAT)
        return self.report

    def check_all(self):
        # V130, V131
        report, contents = self.report, self.contents
        report.corrected_times = self.order.corrected_times()
        self.manifest, self.filter = contents.manifest, contents.manifest["filter"]
        self.of_one = self.filter["agent_id"] is not None
        self.range = parse_time(self.filter["start_time"]), parse_time(self.filter["end_time"])
        self.directory = Directory(contents, self.service, report)
        self.check_epochs()
        self.check_head()
        self.check_records()
        self.check_runs()
        self.check_edges()
        self.check_admin_events()
        self.check_manifest()
        self.service.check_trust(self.org_id)
        Reconciliation(self).run()

    # Epochs: signatures and links. Their trees follow from the records.

    def check_epochs(self):
        # V50 to V54
        self.epoch_ids, prev = set(), None
        for epoch in self.contents.epochs:
            self.report.count("epochs")
            self.check_epoch(epoch)
            if prev is not None:
                self.check_follows(prev, epoch)
            prev = epoch
        self.runs = [EpochRun(epoch) for epoch in sorted(self.contents.epochs, key=lambda epoch: epoch.first)]
        self.run_starts = [run.epoch.first for run in self.runs]

    def check_epoch(self, epoch):
        # V50, V51, V52, V54
        """An epoch by itself, and its id among those before it."""
        report, is_first = self.report, epoch.number == 1
        epoch.signed = self.service.signed_epoch(epoch)
        if not epoch.signed or epoch.epoch["org_id"] != self.org_id:
            report.add("epochs", "EPOCH_SIGNATURE_INVALID", "The epoch is not signed, or is of another organization.", **epoch.where)
        if epoch.epoch["epoch_id"] in self.epoch_ids:
            report.add("epochs", "EPOCH_CHAIN_BROKEN", "Two epochs have the same epoch_id.", **epoch.where)
        self.epoch_ids.add(epoch.epoch["epoch_id"])
        if is_first != (epoch.epoch["prev_epoch_hash"] is None):
            report.add("epochs", "EPOCH_CHAIN_BROKEN", "The first epoch, and only that, has none before it.", **epoch.where)
        if is_first != (epoch.first == 1) or epoch.first < epoch.number:
            report.add("epochs", "EPOCH_GAP", "The first epoch, and only that, begins at 1; each one before seals a receipt.", **epoch.where)
        if not epoch.run_fits():
            report.add("epochs", "EPOCH_GAP", "leaf_count is not the length of the run.", **epoch.where)
        if epoch.end < epoch.start:
            report.add("time", "TIME_ORDER", "The epoch ends before it starts.", **epoch.where)

    def starts(self, epoch):
        return self.order.at("epoch_no", epoch.number, epoch.start)

    def ends(self, epoch):
        return self.order.at("epoch_no", epoch.number, epoch.end)

    def received_at(self, ear):
        return self.order.at("seq_no", ear["seq_no"], parse_time(ear["server_received_at"]))

    def check_follows(self, prev, epoch, may_be_later=False):
        # V51 to V53
        """How an epoch follows the one before it in the file; whether others may lie between them."""
        report, apart = self.report, epoch.number - prev.number
        if may_be_later and apart < 1:
            report.add("epochs", "EPOCH_CHAIN_BROKEN", "The newest epoch is numbered before the last one.", **epoch.where)
        elif may_be_later and apart > 1:
            if epoch.first < prev.last + apart:
                report.add("epochs", "EPOCH_GAP", "The newest epoch leaves no room for those before it.", **epoch.where)
        else:
            if apart != 1 or not epoch.links_to(prev):
                report.add("epochs", "EPOCH_CHAIN_BROKEN", "The epoch does not name the one before it.", **epoch.where)
            if epoch.first != prev.last + 1:
                report.add("epochs", "EPOCH_GAP", "The epoch does not begin where the one before ended.", **epoch.where)
        if self.starts(epoch) < self.ends(prev):
            report.add("time", "TIME_ORDER", "The epoch starts before the end of the one preceding it.", **epoch.where)

    def check_head(self):
        # V53
        """The newest epoch of the ledger: the last one here, or one behind it."""
        head, last = self.contents.edges["head"], self.contents.epochs[-1] if self.contents.epochs else None
        self.head = SignedEpoch(head) if head is not None else None
        if self.head is None or (last is not None and last.hash == self.head.hash):
            self.head = self.head and last
            return
        self.check_epoch(self.head)
        if last is not None:
            self.check_follows(last, self.head, may_be_later=True)

    def signing_order(self):
        # V25
        """Takes each receipt, in order, and notes what was signed up to it: the epochs that ended before it, and itself."""
        epochs = {epoch.hash: epoch for epoch in self.shown_epochs()}
        waiting = sorted(epochs.values(), key=lambda epoch: epoch.number, reverse=True)

        def take(ear):
            while waiting and (ear is None or waiting[-1].last < ear["seq_no"]):
                epoch = waiting.pop()
                self.service.signs(epoch.epoch["service_kid"], self.ends(epoch), **epoch.where)
            if ear is not None:
                self.service.signs(ear["service_kid"], self.received_at(ear), seq_no=ear["seq_no"])

        return take

    # Records, one by one.

    def asked_sizes(self):
        return [size for _, kept, _ in self.checkpoints if kept is not None for size in (kept.size, kept.old)]

    def check_records(self):
        # V12, V42
        report = self.report
        self.way = Way(report, self.org_id, self.asked_sizes())
        before, after = self.contents.edges["before"], self.contents.edges["after"]
        take = self.signing_order()
        if before is not None:
            take(before["ear"])
            self.pass_neighbour(before)
        for record in self.readable_records():
            take(record["ear"])
            self.check_record(record)
        if after is not None:
            take(after["ear"])
            self.pass_neighbour(after)
        take(None)
        met = set(self.operations)
        for side in self.contents.neighbours():
            operation = hash_of(side["ear"]["operation_id"].lower())
            if operation in met:
                report.add("chains", "OPERATION_ID_REUSED", "A neighbour has the operation_id of another.", seq_no=side["ear"]["seq_no"])
            met.add(operation)
        self.service.signs(self.manifest["service_kid"], self.made(), is_manifest=True)
        self.tell_payloads()

    def readable_records(self):
        # V10, V12
        for record, problem in self.contents.records():
            self.record_count += 1
            if problem is None:
                yield record
                continue
            self.report.add("completeness", "MALFORMED", problem + ".")
            self.malformed += 1
            if self.malformed > MALFORMED_RECORDS and self.malformed > self.record_count - self.malformed:
                raise Stop("More than %d records are not as they should be, and fewer are." % MALFORMED_RECORDS)

    def tell_payloads(self):
        # V145, V146
        self.report.withheld = {"runs": self.payloads.runs, "joined": self.payloads.joined}
        self.report.checks["payloads"].update(counts=self.payloads.counts, remark=self.payloads.remark())

    def made(self):
        """When the bundle was made, as an order time: after everything in it."""
        return parse_time(self.manifest["created_at"]) + self.order.total()

    def pass_neighbour(self, side):
        # V56, V61
        ear, epoch = side["ear"], self.epoch_at(side["ear"]["seq_no"])
        self.way.take(ear["seq_no"], leaf_hash(ear), side.get("gap", []), epoch, is_record=False)
        if epoch is not None:
            self.check_epoch_time(epoch, ear, {"seq_no": ear["seq_no"]})

    def run_at(self, seq):
        """What is known of the epoch in whose run a seq_no lies, or None."""
        position = bisect.bisect_right(self.run_starts, seq) - 1
        run = self.runs[position] if position >= 0 else None
        return run if run is not None and seq <= run.epoch.last else None

    def epoch_at(self, seq):
        run = self.run_at(seq)
        return run and run.epoch

    def check_epoch_time(self, epoch, ear, where):
        # V54
        if parse_time(ear["server_received_at"]) > epoch.end:
            self.report.add("time", "TIME_ORDER", "The receipt was given after its epoch had been closed.", **where)
        if ear["seq_no"] == epoch.first and ear["server_received_at"] != epoch.epoch["start_time"]:
            self.report.add("time", "TIME_ORDER", "start_time is not when the first leaf was received.", **where)

    def check_record(self, record):
        # V40, V45, V92
        report, eor, ear = self.report, record["eor"], record["ear"]
        where = {"seq_no": ear["seq_no"], "operation_id": ear["operation_id"], "agent_id": ear["agent_id"]}
        received = parse_time(ear["server_received_at"])
        statement = receipt_statement(ear)
        leaf = sha256(b"\x00" + statement)
        self.leaves_digest.update(leaf)
        report.count("completeness", self.is_run)
        self.check_agent_signature(eor, self.received_at(ear), where)
        self.check_payload(record, where)
        computed = chain_hash(eor)
        follows = computed == ear["chain_hash"]
        if not follows:
            report.add("chains", "CHAIN_HASH_MISMATCH", "The receipt's chain hash is not that of the record.", **where)
        report.count("receipts")
        for name in ("operation_id", "org_id", "agent_id"):
            if eor[name] != ear[name]:
                report.add("receipts", "RECEIPT_MISMATCH", "Receipt and record differ in %s." % name, **where)
        if ear["org_id"] != self.org_id:
            report.add("receipts", "RECEIPT_MISMATCH", "The receipt is of another organization.", **where)
        signed = self.service.signed(ear["service_kid"], ear["service_signature"], statement)
        if signed:
            self.receipted.add(hash_of(ear["operation_id"].lower()))
        if not signed:
            report.add("receipts", "RECEIPT_SIGNATURE_INVALID", "The service's signature over the receipt is invalid.", **where)
        if self.is_run and self.of_one and self.filter["agent_id"] != eor["agent_id"]:
            self.holds_others = True
            report.add("completeness", "MANIFEST_MISMATCH", "The record is of an agent that the filter excludes.", **where)
        self.check_chain(eor, ear, computed, where)
        self.check_times(eor, ear["seq_no"], received, where)
        if self.check_place(ear["seq_no"], leaf, signed, where):
            self.seqs.append(ear["seq_no"])
            self.received.append(received)
            self.newest = max(self.newest, self.received_at(ear))
            self.leaves += leaf
            self.signed.append(signed)
            if self.chain is not None:
                self.chain.append((ear["agent_id"], eor["prev_chain_hash"], ear["chain_hash"],
                                   follows and eor["agent_id"] == ear["agent_id"]))
            self.check_inclusion(record, leaf, where)

    def check_agent_signature(self, eor, received, where):
        # V31 to V33
        report, name = self.report, (eor["agent_id"], eor["agent_pubkey_kid"])
        report.count("agent_signatures")
        if name not in self.directory.keys:
            report.add("agent_signatures", "KEY_UNKNOWN", "The agent has no such key.", kid=name[1], **where)
            return
        key = self.directory.keys[name]
        if not self.directory.public[name].verify(b64url_decode(eor["signature"], 64), record_bytes(eor)):
            report.add("agent_signatures", "SIGNATURE_INVALID", "The agent's signature over the record is invalid.", kid=name[1], **where)
        state = self.directory.state_of(name[0])
        is_made, is_left = state.has_key(key, received)
        if not is_made:
            report.add("agent_signatures", "KEY_NOT_YET_VALID", "The record was received before its key was made.", **where)
        if not is_left:
            report.add("agent_signatures", "KEY_USED_AFTER_REVOCATION", "The record was received after its key was revoked.", **where)
        if self.is_unwanted(name):
            report.add("agent_signatures", "AGENT_KEY_NOT_TRUSTED", "The record is signed by a key that you did not name.", **where)
        if state.bars(received):
            report.add("agent_signatures", "AGENT_BARRED", "The agent was frozen or deleted when the record was received.", **where)

    def is_unwanted(self, name):
        # V3
        """Did the reader name keys for the agent, and not this one?"""
        named = self.options.agent_keys.get(name[0])
        return named is not None and self.directory.keys[name]["public_key"] not in named and self.directory.thumbs[name] not in named

    def check_payload(self, record, where):
        # V35, V36
        eor, disclosures = record["eor"], record.get("disclosures", {})
        payload = eor.get("payload")
        signed = payload is not None and digest_text(sha256(jcs(payload))) == eor["payload_hash"]
        digests = salted_digests(payload) or {}
        self.payloads.take(record, signed, len(set(digests).difference(disclosures)))
        self.report.count("payloads", payload is not None)
        if payload is not None and not signed:
            self.report.add("payloads", "PAYLOAD_HASH_MISMATCH", "The payload is not the one that was signed.", **where)
        elif any(digests.get(name) != disclosure_digest(item) for name, item in disclosures.items()):
            self.report.add("payloads", "DISCLOSURE_INVALID", "The disclosures of the record are not those of its payload.", **where)
        elif signed and self.payloads.meets([*digests.values(), *(salt for salt, _ in disclosures.values())]):
            self.report.warn("payloads", "SALT_REUSED", "A member has a salt or a digest that another one had before.", **where)

    def check_chain(self, eor, ear, computed, where):
        # V42, V45
        report, agent, prev = self.report, eor["agent_id"], eor["prev_chain_hash"]
        report.count("chains")
        if self.first_seq is None:
            self.first_seq, self.first_prev = ear["seq_no"], prev
        self.last_seq, self.last_chain = ear["seq_no"], computed
        self.check_link(agent, prev, ear, computed, where)
        for kept, value, check, code, sentence in (
                (self.nonces, (agent, eor["nonce"]), "chains", "NONCE_REUSED", "The agent used this nonce before."),
                (self.operations, eor["operation_id"].lower(), "chains", "OPERATION_ID_REUSED", "The operation_id was used before."),
                (self.receipt_ids, ear["receipt_id"], "receipts", "RECEIPT_ID_REUSED", "The receipt_id was used before.")):
            value = hash_of(value)
            if value in kept:
                report.add(check, code, sentence, **where)
            kept.add(value)

    def check_link(self, agent, prev, ear, computed, where):
        # V41
        report, place = self.report, hash_of((agent, prev))
        if place in self.continued or (prev is None and agent in self.heads):
            report.add("chains", "CHAIN_FORK", "Two records of the agent follow the same record.", **where)
        elif agent in self.heads and prev != self.heads[agent]:
            report.add("chains", "CHAIN_BROKEN", "The record does not follow the agent's record before it.", **where)
        elif agent not in self.heads and prev is not None and self.first_seq == 1:
            report.add("chains", "CHAIN_BROKEN", "The agent's first record names one before it.", **where)
        self.continued.add(place)
        self.heads[agent] = computed

    def check_times(self, eor, seq, received, where):
        # V49, V84, V92
        report, issued, at = self.report, parse_time(eor["issued_at"]), self.order.at("seq_no", seq, received)
        report.count("time")
        if self.last_received is not None and at < self.last_received:
            report.add("time", "TIME_ORDER", "The record was received before the one preceding it.", **where)
        if self.order.misfits("seq_no", seq, received):
            report.add("time", "TIME_ORDER", "The clock corrections of the log leave the record no such time.", **where)
        if issued > received + 300000:
            report.add("time", "TIME_ORDER", "The record was issued more than five minutes after it was received.", **where)
        if received > issued + eor["ttl_ms"]:
            report.add("time", "TTL_VIOLATED", "The record was received after its time to live.", **where)
        if self.is_run and not self.range[0] <= self.order.in_range(seq, received, self.order.stated) < self.range[1]:
            report.add("completeness", "MANIFEST_MISMATCH", "The record was received outside the range of the filter.", **where)
        self.last_received = at

    def check_place(self, seq, leaf, signed, where):
        # V48
        """The record's seq_no among the others; True if it is the first under its number and in order."""
        report = self.report
        if not self.seqs or seq > self.seqs[-1]:
            if self.seqs and seq != self.seqs[-1] + 1 and self.is_run and not self.of_one:
                report.add("completeness", "SEQUENCE_GAP", "Records before this one are missing.", **where)
            return True
        position = self.position(seq)
        if position is None:
            report.add("completeness", "SEQUENCE_ORDER", "The record stands behind records with higher seq_no.", **where)
            return False
        report.add("completeness", "SEQUENCE_DUPLICATE", "The seq_no appears twice.", **where)
        if signed and self.signed[position] and self.leaf(position) != leaf:
            report.add("reconciliation", "EQUIVOCATION", "The service signed two receipts for one seq_no.", **where)
        return False

    def position(self, seq):
        """Where the record of a seq_no is, or None."""
        position = bisect.bisect_left(self.seqs, seq)
        return position if position < len(self.seqs) and self.seqs[position] == seq else None

    def leaf(self, position):
        return bytes(self.leaves[32 * position:32 * position + 32])

    def check_inclusion(self, record, leaf, where):
        """The record's place in the log, and in its epoch."""
        seq = record["ear"]["seq_no"]
        run = self.run_at(seq)
        self.way.take(seq, leaf, record.get("gap", []), run and run.epoch, **where)
        if run is None:
            self.not_covered(seq, where)
            return
        run.log.append(leaf)
        self.check_epoch_time(run.epoch, record["ear"], where)

    def not_covered(self, seq, where):
        # V52
        self.report.add("epochs", "EPOCH_GAP", "No epoch of the bundle covers the record.", **where)

    def check_runs(self):
        # V55, V92
        """After the last record: the rest of the log, and the epochs that are whole."""
        report, low, high = self.report, self.manifest["first_seq_no"], self.manifest["last_seq_no"]
        self.way.finish(self.contents.edges["rest"], self.head)
        for run in self.runs:
            epoch = run.epoch
            due = not self.of_one and low is not None and high is not None and low <= epoch.first and epoch.last <= high
            if run.is_whole():
                if digest_text(run.log.root()) != epoch.epoch["root_hash"]:
                    report.add("epochs", "EPOCH_ROOT_MISMATCH", "The records do not give the epoch's root.", **epoch.where)
            elif due:
                report.add("epochs", "EPOCH_ROOT_MISMATCH", "The epoch is not whole.", **epoch.where)
        if not self.of_one:
            for run in self.runs:
                if not self.seqs or run.epoch.last < self.seqs[0] or run.epoch.first > self.seqs[-1]:
                    report.add("completeness", "MANIFEST_MISMATCH", "The epoch covers no record.", **run.epoch.where)

    # Edges.

    def check_edges(self):
        # V60, V62
        edges = self.contents.edges
        for name in ("before", "after"):
            if edges[name] is not None:
                sentence = self.neighbour_problem(name, edges[name])
                if sentence:
                    self.report.add("completeness", "EDGE_INVALID", "%s: %s" % (name, sentence), seq_no=edges[name]["ear"]["seq_no"])
        sentence = self.gap_at_the_edges(edges["before"], edges["after"])
        if sentence:
            self.report.add("completeness", "SEQUENCE_GAP", sentence)

    def neighbour_problem(self, name, side):
        # V60
        ear = side["ear"]
        received = parse_time(ear["server_received_at"])
        if ear["org_id"] != self.org_id:
            return "It is of another organization."
        if not self.service.signed_receipt(ear):
            return "It is not signed by a sound service key."
        if self.head is not None and self.received_at(ear) > self.ends(self.head):
            return "It was received after the newest epoch had been closed."
        if self.order.misfits("seq_no", ear["seq_no"], received):
            return "The clock corrections of the log leave it no such time."
        placed = self.order.in_range(ear["seq_no"], received, self.manifest.get("clock_corrections", 0))
        if (placed >= self.range[0]) if name == "before" else (placed < self.range[1]):
            return "It was received within the range."
        if self.of_one and ear["agent_id"] != self.filter["agent_id"]:
            return "It is of another agent."
        if (name == "after" and self.of_one) != ("eor" in side):
            return "It has a record where none belongs, or lacks one."
        return self.record_problem(side["eor"], ear) if "eor" in side else None

    def record_problem(self, eor, ear):
        # V60
        name = (eor["agent_id"], eor["agent_pubkey_kid"])
        if "payload" in eor or any(eor[member] != ear[member] for member in ("operation_id", "org_id", "agent_id")):
            return "Its record is not the one of the receipt, or has a payload."
        if chain_hash(eor) != ear["chain_hash"]:
            return "Its record does not give the chain hash of the receipt."
        if name not in self.directory.keys or not self.directory.is_attested(self.directory.keys[name]) or \
                not self.directory.public[name].verify(b64url_decode(eor["signature"], 64), record_bytes(eor)):
            return "Its record is not signed by a key of the agent."
        if self.is_unwanted(name):
            return "Its record is signed by a key that you did not name."
        key, received, issued = self.directory.keys[name], parse_time(ear["server_received_at"]), parse_time(eor["issued_at"])
        state = self.directory.state_of(name[0])
        if not all(state.has_key(key, self.received_at(ear))):
            return "Its key was none of the agent when it was received."
        if state.bars(self.received_at(ear)):
            return "Its agent was frozen or deleted when it was received."
        if issued > received + 300000 or received > issued + eor["ttl_ms"]:
            return "It was received too early or too late to be accepted."
        return None

    def gap_at_the_edges(self, before, after):
        # V62, V63
        """The sentence that says why the run does not end at its neighbours, or None."""
        head, agent_head = self.manifest["log_head"]["seq_no"], self.manifest["agent_head"]
        before_seq = before["ear"]["seq_no"] if before else 0
        if self.first_seq is None:
            last, last_chain = before_seq, before["ear"]["chain_hash"] if before else None
        else:
            last, last_chain = self.last_seq, self.last_chain
            if not self.of_one and before_seq != self.first_seq - 1:
                return "Records before the first one are missing."
            if self.holds_others:
                return None  # between records of others there is no chain to follow
            if self.of_one and ((before["ear"]["chain_hash"] if before else None) != self.first_prev or before_seq >= self.first_seq):
                return "Records of the agent before the first one are missing."
        if not self.of_one:
            stated_shorter = after is None and self.first_seq is not None and head < last  # the manifest's own contradiction
            if not stated_shorter and (after["ear"]["seq_no"] if after else head + 1) != last + 1:
                return "Records after the last one are missing."
            return None
        if after is None:
            if (agent_head["seq_no"] if agent_head else 0, agent_head["chain_hash"] if agent_head else None) != (last, last_chain):
                return "Records of the agent after the last one are missing."
        elif after["ear"]["seq_no"] <= last or "eor" not in after or after["eor"]["prev_chain_hash"] != last_chain:
            return "Records of the agent between the last one and the next are missing."
        return None

    def shown_epochs(self):
        """The epochs, and the newest one where it is none of them."""
        epochs = list(self.contents.epochs)
        return epochs + ([self.head] if self.head is not None and (not epochs or self.head is not epochs[-1]) else [])

    # Administrative events.

    def check_admin_events(self):
        # V70, V71, V80 to V85
        report, events, head, latest, ids = self.report, self.contents.events, None, 0, set()
        report.count("admin_log", len(events))

        def broken(sentence, **where):
            report.add("admin_log", "ADMIN_CHAIN_BROKEN", sentence, **where)

        order, impossible = self.order, "The clock corrections of the log leave the %s no such time or place."
        for index, event in enumerate(events):
            where = {} if event.withheld else {"event_id": event.id}
            if not event.withheld:
                if not event.fits or event.org_id != self.org_id:
                    broken("The event's hash is not that of its members, or it is of another organization.", **where)
                if event.id in ids:
                    broken("An event_id is there twice.", **where)
                ids.add(event.id)
            if event.prev != head:
                broken("The event does not follow the one before it.", **where)
            if event.at < latest:
                broken("The event is older than the one before it.", **where)
            if order.misfits("events", index + 1, event.time):
                report.add("time", "TIME_ORDER", impossible % "event", **where)
            if event.correction is not None and order.problems[index]:
                report.add("time", "TIME_ORDER", order.problems[index], **where)
            elif event.correction is not None:
                report.warn("time", "CLOCK_CORRECTED", "The clock was set back: the times of records %d to %d may be wrong."
                            % (event.correction.jumps[0]["seq_no"] + 1, event.correction.until["seq_no"]), **where)
            head, latest = event.hash, max(latest, event.at)
        if order.is_unbounded():
            report.not_checked("time", "nothing before the corrected times bounds how far the clock was set back")
        self.latest_event = latest
        positions = {event.hash: number for number, event in enumerate(events)}
        reached = -1  # the newest event that an epoch has sealed so far
        for epoch in self.shown_epochs():
            sealed = epoch.epoch["admin_head_hash"]
            position = -1 if sealed is None else positions.get(sealed)
            if position is None or position < reached:
                broken("The epoch was sealed over another administrative log.", **epoch.where)
                continue
            reached = position
            places = {order.before("events", position + 1), order.before("epoch_no", epoch.number)}
            places.update(order.before("seq_no", seq) for seq in (epoch.first, epoch.last))
            if len(places) > 1 or order.misfits("seq_no", epoch.first, epoch.start) or order.misfits("epoch_no", epoch.number, epoch.end):
                report.add("time", "TIME_ORDER", impossible % "epoch", **epoch.where)
            end = self.ends(epoch)  # the events are in the order of their times, or that was reported: two of them speak for all
            if position >= 0 and events[position].at > end:
                broken("The epoch was sealed over an event that is later than its end.", **epoch.where)
            if position + 1 < len(events) and events[position + 1].at < end:
                broken("An event behind the one that the epoch sealed is older than its end.", **epoch.where)

    # Manifest.

    def check_manifest(self):
        # V90, V91, V92, V95, V96
        report, manifest, contents = self.report, self.manifest, self.contents
        self.manifest_signed = self.service.signed_manifest(contents)
        if not self.manifest_signed:
            report.add("completeness", "MANIFEST_SIGNATURE_INVALID", "The service's signature over the manifest is invalid.")
        records_digest = digest_text(self.leaves_digest.digest())
        self.is_complete = self.manifest_signed and manifest["records_digest"] == records_digest
        expected = {
            "org_id": self.org_id, "record_count": self.record_count, "first_seq_no": self.first_seq, "last_seq_no": self.last_seq,
            "redacted_count": self.payloads.counts["withheld"], "clock_corrections": self.order.stated or None,
            "admin_log": {"count": len(contents.events), "head_hash": contents.events[-1].hash if contents.events else None},
            "records_digest": records_digest,
            "epochs_digest": digest_text(sha256(b"".join(epoch.hash for epoch in contents.epochs))),
            "edges_digest": digest_text(sha256(jcs(contents.edges))),
            "admin_events_digest": contents.events_digest(),
            "directory_digest": contents.directory_digest(),
            "withheld_events_digest": contents.withheld_digest(),
            "disclosures_digest": self.payloads.disclosures_digest(),
        }
        for name, value in expected.items():
            if manifest.get(name) != value:
                self.mismatch("The manifest's %s is not that of the bundle." % name)
        if self.of_one and any(agent["agent_id"] != self.filter["agent_id"] for agent in contents.agents):
            self.mismatch("An agent is listed that the filter excludes.")
        self.check_heads()
        if self.made() < self.latest_time():
            self.mismatch("The manifest says that it was made before something that is in the bundle.")
        if self.options.made_not_before is not None and parse_time(manifest["created_at"]) < self.options.made_not_before:
            report.warn("completeness", "MADE_EARLIER", "The bundle says that it was made before the time you demand.")
            report.not_checked("completeness", "the bundle was made earlier than demanded")
        if self.record_count == 0:
            report.not_checked("completeness", "the bundle has no records")

    def mismatch(self, sentence):
        self.report.add("completeness", "MANIFEST_MISMATCH", sentence)

    def check_heads(self):
        # V93, V94
        head, agent_head = self.manifest["log_head"], self.manifest["agent_head"]
        epochs = self.contents.epochs
        shown = [side["ear"] for side in self.contents.neighbours()]
        if max([self.seqs[-1] if self.seqs else 0] + [ear["seq_no"] for ear in shown] + [epoch.last for epoch in epochs]) > head["seq_no"]:
            self.mismatch("Something in the bundle lies beyond the head of the ledger.")
        newest = (self.head.last, self.head.number) if self.head is not None else (0, 0)
        if newest != (head["seq_no"], head["epoch_no"]):
            self.mismatch("The head of the ledger is not the end of its newest epoch.")
        if not self.of_one:
            if agent_head is not None:
                self.mismatch("A bundle of all agents has no agent_head.")
            return
        chains = {ear["seq_no"]: ear["chain_hash"] for ear in shown if ear["agent_id"] == self.filter["agent_id"]}
        newest = max(list(chains) + ([self.seqs[-1]] if self.seqs else []), default=0)
        if agent_head is None:
            if newest:
                self.mismatch("agent_head is null although the bundle shows a receipt of the agent.")
        elif not newest <= agent_head["seq_no"] <= head["seq_no"]:
            self.mismatch("agent_head lies before a receipt of the agent, or beyond the head of the ledger.")
        elif agent_head["seq_no"] == newest:
            chain = chains.get(newest, self.last_chain if self.last_seq == newest else None)
            if chain != agent_head["chain_hash"]:
                self.mismatch("agent_head has another chain_hash than the receipt of its seq_no.")

    def latest_time(self):
        # V95
        """The latest time of anything in the bundle."""
        contents, times = self.contents, [self.latest_event]
        times += [self.newest] if self.received else []
        times += [self.received_at(side["ear"]) for side in contents.neighbours()]
        times += [self.ends(epoch) for epoch in self.shown_epochs()]
        for owner in contents.service_keys + contents.agents + [key for agent in contents.agents for key in agent["keys"]]:
            times += [owner["created_at"], owner.get("retired_at") or 0]
        return max(times)


class ProofVerifier(Verifier):
    """R7: the checks of a bundle, of which some want less and some nothing."""

    is_run = False

    of_one = False

    def check_all(self):
        self.directory = Directory(self.contents, self.service, self.report)
        self.check_epochs()
        self.head = self.contents.epochs[-1] if self.contents.epochs else None
        self.check_records()
        self.service.check_trust(self.org_id)
        if self.report.demanded:  # R14
            self.manifest = {"org_id": self.org_id, "last_seq_no": self.seqs[-1] if self.seqs else 0}
            asked = Reconciliation(self)
            asked.judge_checkpoints()
            asked.demand_witnesses(self.report.demanded)

    def not_covered(self, seq, where):
        # R9
        """Records before the last one may lie in earlier epochs."""
        if not self.contents.epochs or seq >= self.contents.epochs[0].first:
            Verifier.not_covered(self, seq, where)

    def check_records(self):
        # R7, R9
        report = self.report
        self.way = Way(report, self.org_id, self.asked_sizes())
        take, used_keys = self.signing_order(), set()
        for record in self.readable_records():
            eor = record["eor"]
            used_keys.update((eor["agent_id"], (eor["agent_id"], eor["agent_pubkey_kid"])))
            take(record["ear"])
            self.check_record(record)
        take(None)
        if self.head is not None:
            self.way.finish(self.contents.seal["rest"], self.head)
            if self.seqs and self.seqs[-1] < self.head.first:
                report.add("epochs", "EPOCH_GAP", "The last record does not lie in the epoch.", **self.head.where)
        self.tell_payloads()
        if self.malformed:
            return  # what seems to be needed by nothing may be by a record that cannot be read
        for agent in self.contents.agents:
            if agent["agent_id"] not in used_keys:
                report.add("completeness", "MALFORMED", "No record of the proof is of the agent.", agent_id=agent["agent_id"])
            elif any((agent["agent_id"], key["kid"]) not in used_keys for key in agent["keys"]):
                report.add("completeness", "MALFORMED", "No record names a key of the agent.", agent_id=agent["agent_id"])

    def check_link(self, agent, prev, ear, computed, where):
        # R8
        report, seq, chain = self.report, ear["seq_no"], ear["chain_hash"]
        head_seq, head, passed = self.heads.get(agent, (None, None, set()))
        follows = head is not None and prev == head
        if prev is None:
            forked = head is not None
        else:
            forked = prev in self.continued or (not follows and prev in passed)
            self.continued.add(prev)
        if forked:
            report.add("chains", "CHAIN_FORK", "Two records of the agent follow the same record.", **where)
        elif (head is None and seq == 1 and prev is not None) or (head is not None and seq == head_seq + 1 and not follows):
            report.add("chains", "CHAIN_BROKEN", "The record does not follow the agent's record before it.", **where)
        self.heads[agent] = (seq, chain, passed | {chain})


def hash_of(value):
    """16 bytes in place of texts of any length that are only compared."""
    return sha256(repr(value).encode("utf-8"))[:16]


# ---- Reconciliation: kept receipts and other bundles, V100 to V127 --------------------------------------

MAX_LINE = 65536


def lines_of(file):
    # F151
    """(number, line or None where it is too long for a receipt) of each line."""
    number, line = 0, file.readline(MAX_LINE + 2)
    while line:
        number, whole = number + 1, line
        while not line.endswith(b"\n") and len(line) == MAX_LINE + 2:
            line = file.readline(MAX_LINE + 2)
        yield number, whole.rstrip(b"\n") if len(whole.rstrip(b"\n")) <= MAX_LINE else None
        line = file.readline(MAX_LINE + 2)


def is_run(chain):
    # V113
    """Do the records follow each other without a gap and in order?"""
    return bool(chain) and all(record[4] == chain[0][4] + index for index, record in enumerate(chain))


class Stated:
    """A statement of a file: what it says in each of its places, whether it is signed, and where it stands."""

    def __init__(self, places, is_signed, where, own=False):
        self.places, self.own, self.where, self.is_compared = places, own, where, False
        self.is_signed = functools.lru_cache(None)(is_signed)


class Statements:
    """All that was signed, of the bundle and of what was given. Of each place the first that is signed stays (V107)."""

    def __init__(self, reconciliation):
        self.found, self.unsigned, self.first = reconciliation.found, reconciliation.unsigned, {}

    def add(self, statement):
        """Whether it says nothing else than what is there."""
        for place, value in statement.places.items():
            there = self.first.setdefault(place, [])
            while there and there[0][0] != value and not there[0][1].is_signed():
                unsigned = there.pop(0)[1]
                self.unsigned(**(statement if unsigned.own else unsigned).where)
            if there and there[0][0] != value:
                if not statement.own and not statement.is_signed():
                    self.unsigned(**statement.where)
                elif not statement.own:
                    self.found("EQUIVOCATION", "The service signed two statements about the same %s." % place[0], **statement.where)
                return False
            there.append((value, statement))
        return True

    def roots(self):
        # V123
        """size -> (root, whether it is proven, where, own) of what epochs and checkpoints state."""
        for (kind, *size), there in self.first.items():
            if kind == "size" and there:
                statements = [statement for _, statement in there]
                yield size[0], there[0][0], lambda of=statements: any(one.is_signed() for one in of), there[0][1].where, there[0][1].own, statements[0].is_compared


class Side:
    """One of two bundles that are held against each other; `chain` and `complete` are those of its records."""

    def __init__(self, contents, epochs, signed, chain, complete):
        # V110
        self.contents, self.epochs, self.signed, self.chain = contents, epochs, signed, chain
        self.manifest, self.listed, self.complete, self.where = contents.manifest, complete, signed and complete, {}
        whole = contents.manifest is not None and contents.org is not None
        covers = whole and self.manifest["directory_digest"] == contents.directory_digest()
        self.has_directory = covers and signed
        self.has_events = whole and signed and self.manifest["admin_events_digest"] == contents.events_digest()
        # The digest of the events covers their hashes: where one stands, it says itself, or the other digest.
        withheld = whole and contents.withheld_digest() == self.manifest.get("withheld_events_digest")
        self.events = [event for event in contents.events if (withheld if event.withheld else event.fits)]
        self.agent_ids = {agent["agent_id"] for agent in contents.agents} if covers else set()


class Reconciliation:
    def __init__(self, verifier):
        self.verifier, self.report, self.service = verifier, verifier.report, verifier.service
        self.contents, self.org_id, self.beyond = verifier.contents, verifier.org_id, 0
        self.statements, self.kept, self.sides, self.ordered, self.chains = Statements(self), {}, [], [], []
        self.own_epochs = {epoch.number: epoch for epoch in verifier.shown_epochs()}
        self.beside = {}  # seq_no of a neighbour -> (leaf hash, whether it is signed)
        for side in self.contents.neighbours():
            ear = side["ear"]
            self.beside[ear["seq_no"]] = (leaf_hash(ear), self.service.signed_receipt(ear))

    def settle_order(self):
        # V106
        """The order of times: that of the bundle, or of another one whose log has its corrections and further ones."""
        self.order = self.contents.order
        for _, opener in self.options.against:
            try:
                other = Contents(opener)
            except Unreadable:
                continue
            manifest, own = other.manifest, self.contents.order.hashes
            if manifest is None or other.manifest_signature is None or len(other.order.hashes) <= len(self.order.hashes) or \
                    other.order.hashes[:len(own)] != own or ("format" in other.seen and other.format != "countersign.bundle.v1"):
                continue
            in_place = all(event.fits for event in other.events if not event.withheld) and \
                other.withheld_digest() == manifest.get("withheld_events_digest")
            if in_place and other.events_digest() == manifest["admin_events_digest"] and self.service.signed_manifest(other):
                self.order = other.order

    def run(self):
        # V107, V120
        verifier, chain = self.verifier, []
        if not verifier.is_compared:
            return
        self.settle_order()
        self.report.corrected_times = self.order.corrected_times()
        for position, (agent, prev, chained, follows) in enumerate(verifier.chain):
            chain.append((agent, prev if follows else 0, chained, verifier.signed[position], verifier.seqs[position], {}))
        self.chains.append(chain)
        self.state(self.contents, self.own_epochs.values(), {}, True)
        self.sides.append(Side(self.contents, list(self.own_epochs.values()), verifier.manifest_signed, chain, verifier.is_complete))
        for name, opener in self.options.receipts:
            self.contributed = False
            with opener() as file:
                for number, line in lines_of(file):
                    self.kept_line(line, {"file": name, "line": number})
            self.check_contribution(name)
        for name, opener in self.options.against:
            self.contributed = False
            self.compare_bundle(name, opener)
            self.check_contribution(name)
        self.check_omitted()
        self.check_forks()
        self.judge_checkpoints()
        self.check_epoch_order()
        self.check_roots()
        if self.report.demanded is not None:
            self.demand_witnesses(self.report.demanded)

    def judge_checkpoints(self):
        # V120
        verifier, origin = self.verifier, log_origin(self.verifier.manifest["org_id"])
        self.links = [(name, kept) for name, kept, _ in verifier.checkpoints
                      if kept is not None and kept.old is not None and kept.origin == origin and kept.signer(self.service, self.org_id) == "service"]
        self.unfit, self.contributing = set(), set()  # names of files
        for name, kept, problem in verifier.checkpoints:
            self.contributed = False
            if kept is None:
                self.unreadable(problem + ".", file=name)
            else:
                self.judge_checkpoint(kept, file=name)
            self.contributing.update([name] if self.contributed else [])
        for name, _, _ in verifier.checkpoints:
            self.contributed = name in self.contributing or name in self.unfit
            self.check_contribution(name)

    def reach(self, kept):
        # V184
        """Up to which number the records are those below a checkpoint, by roots that the records lead to."""
        root_at = self.verifier.way.root_at
        if root_at(kept.size) == kept.root:
            return kept.size
        return max((link.old for _, link, stated, shown in self.answers(kept, root_at) if shown == stated), default=0)

    def answers(self, kept, root_at):
        # V121
        """What consistency proofs to a checkpoint, or from it on, say: (name, proof, root of the smaller log as stated, as the proof shows it).

        The last is None where the proof does not lead to its own checkpoint. One from it on speaks for it only where its own log is known.
        """
        for name, link in self.links:
            is_to = (link.size, link.root) == (kept.size, kept.root)
            stated = root_at(link.old) if is_to else kept.root if link.old == kept.size else None
            if stated is None:
                continue
            roots = consistency_roots(link.old, link.size, stated, link.proof)
            shown = roots[0] if roots is not None and roots[1] == link.root else None
            if shown != stated or is_to or root_at(link.size) == link.root:
                yield name, link, stated, shown

    def demand_witnesses(self, demand):
        # V183, V185
        manifest, best = self.verifier.manifest, (0, 0)
        for _, kept, _ in self.verifier.checkpoints:
            if kept is None or kept.origin != log_origin(manifest["org_id"]) or kept.signer(self.service, manifest["org_id"]) is None:
                continue
            times = [max(found) for found in ([time for time in (key.cosigned(kept) for key in keys) if time] for keys in demand.organizations) if found]
            if len(times) >= demand.threshold:
                best = max(best, (self.reach(kept), sorted(times, reverse=True)[demand.threshold - 1]))
        last = manifest["log_head"]["seq_no"] if manifest["last_seq_no"] is None else manifest["last_seq_no"]
        if best[0] > 0:
            self.report.witnessed = {"size": best[0], "until": time_text(best[1] * 1000)}
        if best[0] < last or last == 0:
            message = "The witnesses that are demanded stand behind the records up to No. %d alone." % best[0]
            self.report.warn("reconciliation", "NOT_WITNESSED", message)
            self.report.not_checked("reconciliation", message)

    @property
    def options(self):
        return self.verifier.options

    def check_contribution(self, name):
        # V125
        if not self.contributed:
            self.report.warn("reconciliation", "NOT_COMPARED", "The file has nothing to compare with the bundle.", file=name)
            self.report.not_checked("reconciliation", "a file had nothing to compare with the bundle")

    def unreadable(self, sentence, **where):
        # V126, V127
        self.report.warn("reconciliation", "MALFORMED", sentence, **where)
        self.report.not_checked("reconciliation", "not all of a file could be read")

    def unsigned(self, **where):
        # V100
        self.report.warn("reconciliation", "RECEIPT_SIGNATURE_INVALID",
                         "What was given is not signed by a sound service key of the bundle and proves nothing.", **where)
        self.report.not_checked("reconciliation", "something that was given is not signed")

    def found(self, code, sentence, **where):
        self.report.add("reconciliation", code, sentence, **where)

    def report_if(self, proven, code, sentence, **where):
        """What contradicts the bundle, but only in what anybody could have changed, is a warning."""
        if proven:
            self.found(code, sentence, **where)
        else:
            self.unsigned(**where)

    # Statements of one file, its receipts apart.

    def state(self, contents, epochs, where, own=False):
        # V107
        service, manifest = self.service, contents.manifest
        for epoch in epochs:
            if epoch.epoch["org_id"] != self.org_id:
                continue
            about = dict(where, **epoch.where)
            stated = Stated({("epoch", epoch.number): epoch.hash, ("size", epoch.last): digest_raw(epoch.epoch["log_root"])},
                            lambda epoch=epoch: service.signed_epoch(epoch), about, own)
            epoch.stated = stated
            if self.statements.add(stated):
                self.ordered.append(epoch)
        for key in contents.service_keys:
            # Whoever makes a key can have it name any other as the one before it: only that one's signature counts.
            if key["kid"] in service.keys or key["prev_kid"] in service.keys:
                statement = service_key_statement(key)
                places = {("key", key["kid"]): statement}
                if key["prev_kid"] is not None:
                    places[("key behind", key["prev_kid"])] = statement
                self.statements.add(Stated(places, lambda key=key: self.is_signed_key(key), dict(where, kid=key["kid"]), own))
        for agent in contents.agents:
            for key in agent["keys"]:
                if agent["org_id"] != self.org_id or key["agent_id"] != agent["agent_id"]:
                    continue
                name = agent["agent_id"], key["kid"]
                places = {("agent key",) + name: (key["public_key"], key["created_at"])}
                if key["retired_at"] is not None:
                    places[("end of an agent key",) + name] = key["retired_at"]
                self.statements.add(Stated(places, lambda key=key: self.verifier.directory.is_attested(key),
                                           dict(where, agent_id=name[0], kid=name[1]), own))

    def is_signed_key(self, key):
        # V107
        """Is a service key signed by itself, and by the key before it where the bundle has that?"""
        statement, public = service_key_statement(key), PublicKey(b64url_decode(key["public_key"], 32))
        if thumbprint(public.data) != key["kid"] or not public.verify(b64url_decode(key["self_signature"], 64), statement):
            return False
        if key["prev_kid"] not in self.service.sound:
            return (key["prev_kid"] is None) == (key["prev_signature"] is None)
        return key["prev_signature"] is not None and self.service.signed(key["prev_kid"], key["prev_signature"], statement)

    def check_epoch_order(self):
        """Signed epochs in ascending order of their numbers: each follows the one before; an unsigned one may not contradict those beside it."""
        if all(epoch.stated.own for epoch in self.ordered):
            return
        last, unsigned = None, []
        for epoch in sorted(self.ordered, key=lambda epoch: epoch.number):
            signed = epoch.stated.is_signed()
            if last is not None:
                self.compare_order(last, epoch, signed)
            if not signed:
                unsigned.append(epoch)
                continue
            for one in unsigned:
                self.compare_order(one, epoch, False)
            last, unsigned = epoch, []

    def compare_order(self, lower, higher, signed):
        # V107, V118
        if lower.number == higher.number or (lower.stated.own and higher.stated.own):
            return
        linked = higher.number != lower.number + 1 or higher.links_to(lower)
        where = (lower if higher.stated.own else higher).stated.where
        start, end = self.order.at("epoch_no", higher.number, higher.start), self.order.at("epoch_no", lower.number, lower.end)
        if not linked or higher.first <= lower.last:
            self.report_if(signed, "EQUIVOCATION", "Two epochs cannot stand in one order.", **where)
        elif start < end:
            self.report_if(signed, "CONTRADICTION", "Of two epochs the later began before the earlier had ended.", **where)

    # Receipts.

    def kept_line(self, line, where):
        # V127
        if line is not None and not (without_mark(line) if where["line"] == 1 else line).strip(b" \t\r"):
            return
        try:
            if line is None:
                raise Unreadable("The line is too long for a receipt")
            ear = parse_json(without_mark(line) if where["line"] == 1 else line)
            problem = problems_of(EAR, ear, "receipt")
        except Unreadable as error:
            problem = str(error)
        if problem:
            self.unreadable(problem + ".", **where)
        else:
            self.judge(ear, where)

    def own_receipts(self, seq):
        position = self.verifier.position(seq)
        own = [] if position is None else [(self.verifier.leaf(position), bool(self.verifier.signed[position]))]
        return own + ([self.beside[seq]] if seq in self.beside else [])

    def judge(self, ear, where):
        # V101 to V105
        """A receipt that somebody kept against what the bundle has under its seq_no."""
        where = dict(where, seq_no=ear["seq_no"], operation_id=ear["operation_id"], agent_id=ear["agent_id"])
        leaf, own = leaf_hash(ear), self.own_receipts(ear["seq_no"])
        is_signed = functools.lru_cache(None)(lambda: self.service.signed_receipt(ear))
        is_proven = functools.lru_cache(None)(lambda: is_signed() or any(mine == leaf and signed for mine, signed in own))
        if ear["org_id"] == self.org_id:
            self.kept.setdefault(ear["seq_no"], []).append((leaf, is_proven, where, facts_of(ear)))
        if any(mine == leaf for mine, _ in own):
            self.compared()
            return
        if ear["org_id"] != self.org_id:
            self.report.not_checked("reconciliation", "a receipt is of another organization")
            return
        if self.service.is_of_absent_key(ear):
            self.judge_absent_key(ear, where)
            return
        in_scope, signed = self.is_due(self.contents, *facts_of(ear)), is_signed()
        again = not own and self.has_operation(ear["operation_id"].lower())
        if not own and not again:
            self.statements.add(Stated({("seq_no", ear["seq_no"]): leaf, ("operation", ear["operation_id"].lower()): leaf}, is_signed, where))
        if again and not signed:
            self.unsigned(**where)
            return
        if again:
            self.compared()
            self.found("EQUIVOCATION", "The service signed two receipts for one operation.", **where)
        if own and signed:
            self.compared()
            if any(is_signed for _, is_signed in own):
                self.found("EQUIVOCATION", "The service signed two receipts for one seq_no.", **where)
        elif in_scope and signed:
            self.compared()
            self.found("RECORD_OMITTED", "The bundle lacks a record that was receipted.", **where)
        elif in_scope or own:
            self.unsigned(**where)
        elif ear["seq_no"] > self.verifier.manifest["log_head"]["seq_no"]:
            self.beyond += signed
        elif self.verifier.manifest_signed and self.is_impossible(ear):
            if not signed:
                self.unsigned(**where)
                return
            self.found("CONTRADICTION", "A receipt was given when the ledger of the bundle cannot have had it.", **where)

    def judge_absent_key(self, ear, where):
        # V109
        manifest, seq = self.verifier.manifest, ear["seq_no"]
        received = self.order.at("seq_no", seq, parse_time(ear["server_received_at"]))
        later = seq > manifest["log_head"]["seq_no"] and received >= self.order.made(manifest)
        if self.verifier.manifest_signed and not later:
            self.compared()
            self.found("CONTRADICTION", "A trusted service key signed the receipt before the bundle was made, which lacks it.",
                       **dict(where, kid=ear["service_kid"]))

    def is_impossible(self, ear):
        # V104
        """Was a receipt, which the ledger has, given after the bundle was made, or when the corrections leave it no time?"""
        received, order = parse_time(ear["server_received_at"]), self.order
        return order.at("seq_no", ear["seq_no"], received) > order.made(self.verifier.manifest) or \
            order.misfits("seq_no", ear["seq_no"], received)

    def is_due(self, contents, agent_id, seq, received):
        # V101, V103
        return contents.is_due(self.org_id, agent_id, seq, received, self.order)

    def has_operation(self, operation_id):
        # V102
        beside = any(side["ear"]["operation_id"].lower() == operation_id and self.service.signed_receipt(side["ear"]) for side in self.contents.neighbours())
        return beside or hash_of(operation_id) in self.verifier.receipted

    def compared(self):
        self.contributed = True
        self.report.count("reconciliation")

    # A checkpoint.

    def judge_checkpoint(self, kept, **where):
        # V120, V122
        verifier = self.verifier
        if kept.origin != log_origin(verifier.manifest["org_id"]):
            self.report.not_checked("reconciliation", "a checkpoint is of another organization")
            return
        signer = kept.signer(self.service, verifier.manifest["org_id"])
        if signer is None:
            self.unsigned(**where)
            return
        ending = [epoch for epoch in verifier.shown_epochs()
                  if epoch.last == kept.size and epoch.epoch["org_id"] == verifier.manifest["org_id"]]
        differing = [epoch for epoch in ending if epoch.epoch["log_root"] != digest_text(kept.root)]
        contradicting = [epoch for epoch in differing if epoch.signed]
        root = verifier.way.root_at(kept.size)
        if contradicting:
            self.compared()
            self.found("EQUIVOCATION" if signer == "service" else "CONTRADICTION",
                       "The service signed two roots of the log at one size.", **dict(where, **contradicting[0].where))
        elif differing:
            self.unsigned(**where)
        elif ending:
            self.compared()
        elif root is not None:
            self.compared()
            if root != kept.root:
                self.found("CONTRADICTION", "The records give another root of the log at this size.", **where)
        else:
            self.follow_links(kept, **where)
        if not ending and signer == "service":  # else that was said
            stated = Stated({("size", kept.size): kept.root}, lambda: True, where)
            stated.is_compared = True
            self.statements.add(stated)

    def known_root(self, size):
        # V121
        """The root that the bundle has at a size, or None."""
        root, org_id = self.verifier.way.root_at(size), self.verifier.manifest["org_id"]
        ending = [epoch for epoch in self.verifier.shown_epochs() if epoch.signed and epoch.last == size and epoch.epoch["org_id"] == org_id]
        return digest_raw(ending[0].epoch["log_root"]) if root is None and ending else root

    def follow_links(self, kept, **where):
        """V121: a consistency proof to the checkpoint from a size that the bundle has, or from it to one."""
        for name, _, stated, shown in self.answers(kept, self.known_root):
            if shown is None:
                if name not in self.unfit:
                    self.unfit.add(name)
                    self.report.warn("reconciliation", "NOT_COMPARED", "The consistency proof does not lead to its checkpoint.", file=name)
                    self.report.not_checked("reconciliation", "a consistency proof does not lead to its checkpoint")
                continue
            self.compared()
            self.contributing.add(name)
            if shown != stated:
                self.found("CONTRADICTION", "The log of the checkpoint does not begin as another one that is signed.", **where)
            return

    def check_roots(self):
        # V123, V124
        """Of each size the log has one root: stated, given along the log as it is shown, or by kept receipts from 1 on."""
        given = [(size, root, lambda: True, {}, True) for size, root in self.verifier.way.proven_roots().items()]
        first = {size: one for size, *one in self.statements.roots()}
        sizes = set(first) | {size for size, *_ in given}
        log, chosen = Log(), []
        while log.size + 1 in self.kept:
            here = self.kept[log.size + 1]
            if len({leaf for leaf, *_ in here}) > 1:
                here = [one for one in here if one[1]()][:1]
            if not here:
                break
            log.append(here[0][0])
            chosen.append(here)
            if log.size in sizes:
                run = list(chosen)
                given.append((log.size, log.root(), lambda run=run: all(any(one[1]() for one in here) for here in run), here[0][2], False))
        for size, root, is_proven, where, own in given:
            if own and size in first and first[size][4]:  # a checkpoint, which the bundle was held against
                del first[size]
            other, other_proven, other_where, other_own, _ = first.setdefault(size, [root, is_proven, where, own, False])
            if other != root and not (own and other_own):
                self.report_if(other_proven() and is_proven(), "CONTRADICTION", "There are two roots of the log at one size.",
                               **(other_where if own else where))

    # Another bundle of the organization.

    def compare_bundle(self, name, opener):
        # V126
        where = {"file": name}
        try:
            other = Contents(opener)
        except Unreadable as error:
            self.unreadable("Not a bundle: %s." % error, **where)
            return
        if other.stopped or other.problems:
            self.unreadable(str(other.stopped or other.problems[0]), **where)
        if "format" in other.seen and other.format != "countersign.bundle.v1":
            return
        is_ours = other.manifest is not None and other.manifest_signature is not None and other.manifest["org_id"] == self.org_id
        signed = is_ours and self.service.signed_manifest(other)
        chain, complete = self.read_records(other, where)
        self.chains.append(chain)
        epochs = other.stated_epochs()
        for epoch in epochs:
            self.count_epoch(epoch)
        self.state(other, epochs, where)
        for side in self.sides:
            if side.signed:
                self.compare_epoch_moments(side.manifest, epochs, where)
        if not is_ours:
            return
        theirs = Side(other, epochs, signed, chain, complete)
        theirs.where = where
        for side in self.sides:
            self.compare_sides(side, theirs, where)
        self.sides.append(theirs)

    def count_epoch(self, epoch):
        # V125
        own = self.own_epochs.get(epoch.number)
        is_next = any(epoch.number + step in self.own_epochs for step in (-1, 0, 1)) and epoch.epoch["org_id"] == self.org_id
        if own is not None and own.hash == epoch.hash or (is_next and self.service.signed_epoch(epoch)):
            self.contributed = True

    def compare_sides(self, one, other, where):
        # V110
        self.compare_manifests(one, other, where)
        self.compare_events(one, other, where)
        self.compare_directories(one, other, where)
        self.compare_moments(one, other, where)
        if other.signed:
            self.compare_epoch_moments(other.manifest, one.epochs, where)
        if one is self.sides[0] and one.complete and other.complete and one.manifest["filter"]["agent_id"] is None and other.manifest["filter"]["agent_id"] is None:
            self.check_continuation(one.chain, other.chain, where)
            self.check_continuation(other.chain, one.chain, where)

    def read_records(self, other, where):
        # V126
        """The records of another file as links, and whether its manifest lists them."""
        digest, chain = hashlib.sha256(), []
        try:
            for record, problem in other.records() if other.records_at is not None else ():
                if problem:
                    self.unreadable(problem + ".", **where)
                    continue
                eor, ear = record["eor"], record["ear"]
                digest.update(leaf_hash(ear))
                self.judge(ear, where)
                # What the receipt says is signed; what the record says counts only where it gives the receipt's hash.
                follows = chain_hash(eor) == ear["chain_hash"] and (eor["agent_id"], self.org_id) == (ear["agent_id"], ear["org_id"])
                chain.append((ear["agent_id"], eor["prev_chain_hash"] if follows else 0, ear["chain_hash"],
                              ear["org_id"] == self.org_id and self.service.signed_receipt(ear), ear["seq_no"], where))
        except (Stop, Unreadable):
            pass  # what could be read counts; that there is more was reported
        for side in other.neighbours() if other.edges else ():
            self.judge(side["ear"], where)
        return chain, other.manifest is not None and other.manifest["records_digest"] == digest_text(digest.digest())

    def check_forks(self):
        # V112
        """One record continues an agent's chain from one place, over all files."""
        places, links = {}, [link for chain in self.chains for link in chain if link[1] != 0]
        for agent, prev, chained, signed, _, _ in links:
            if signed:
                places.setdefault((agent, prev), chained)
        for agent, prev, chained, signed, seq, where in links:
            if places.get((agent, prev), chained) != chained and where:
                self.report_if(signed, "CONTRADICTION", "Two records of the agent continue its chain from the same place.",
                               seq_no=seq, agent_id=agent, **where)

    def check_continuation(self, shorter, longer, where):
        # V113
        """Where one file goes on without a gap behind the other's end, an agent's first record there continues the other's last."""
        if not is_run(shorter) or not is_run(longer):
            return
        end, from_the_start = max(record[4] for record in shorter), min(record[4] for record in shorter) == 1
        numbers = [record[4] for record in longer]
        if min(numbers) > end + 1 or max(numbers) <= end:
            return
        last, found = {}, set()
        for record in shorter:
            last[record[0]] = record
        for agent, prev, _, signed, seq, _ in longer:
            if seq <= end or agent in found:
                continue
            found.add(agent)
            breaks = prev != last[agent][2] if agent in last else from_the_start and prev is not None
            if breaks and prev != 0:
                self.report_if(signed and (agent not in last or last[agent][3]), "CONTRADICTION",
                               "The agent's record does not continue the other file's last one of it.", seq_no=seq, agent_id=agent, **where)

    def check_omitted(self):
        # V119
        """Every receipt, of the bundle and of what was given, is in each other bundle that should hold it and lists its records."""
        verifier = self.verifier
        signed = [(seq, verifier.chain[position][0], verifier.received[position])
                  for position, seq in enumerate(verifier.seqs) if verifier.signed[position]]
        signed += [(seq, agent, received) for agent, seq, received in
                   (facts_of(side["ear"]) for side in self.contents.neighbours() if self.beside[side["ear"]["seq_no"]][1])]
        for seq, here in self.kept.items():
            signed += [(seq, facts[0], facts[2]) for _, is_signed, _, facts in here if not self.own_receipts(seq) and is_signed()]
        for side in self.sides[1:]:
            if not side.listed:
                continue
            present = {record[4] for record in side.chain} | {one["ear"]["seq_no"] for one in (side.contents.neighbours() if side.contents.edges else ())}
            for seq, agent, received in signed:
                if seq not in present and self.is_due(side.contents, agent, seq, received):
                    self.report_if(side.signed, "RECORD_OMITTED", "The other bundle lacks a record that it should hold.", seq_no=seq, **side.where)

    def compare_manifests(self, one, other, where):
        # V108
        own, theirs = one.manifest, other.manifest
        earlier, later = sorted((own, theirs), key=making_of)
        is_later = making_of(earlier) < making_of(later)
        heads = [manifest["log_head"] for manifest in (earlier, later)]
        logs = [manifest["admin_log"] for manifest in (earlier, later)]

        def differ(*names):
            return any(own[name] != theirs[name] for name in names)

        same_filter = making_of(own)[0] == making_of(theirs)[0] and own["filter"]["agent_id"] == theirs["filter"]["agent_id"] and all(
            parse_time(own["filter"][name]) == parse_time(theirs["filter"][name]) for name in ("start_time", "end_time"))
        same_head = heads[0]["seq_no"] == heads[1]["seq_no"]
        lists_differ = same_filter and same_head and (
            differ("record_count", "first_seq_no", "last_seq_no", "records_digest")
            or (heads[0]["epoch_no"] == heads[1]["epoch_no"] and differ("epochs_digest")))
        shrank = is_later and (heads[1]["seq_no"] < heads[0]["seq_no"] or heads[1]["epoch_no"] < heads[0]["epoch_no"]
                               or logs[1]["count"] < logs[0]["count"])
        if lists_differ or shrank or (logs[0]["count"] == logs[1]["count"] and logs[0]["head_hash"] != logs[1]["head_hash"]) or \
                (same_head and heads[0]["epoch_no"] != heads[1]["epoch_no"]):
            self.report_if(one.signed and other.signed, "EQUIVOCATION", "The two manifests cannot both be true.", **where)

    def compare_events(self, one, other, where):
        # V111
        behind = {event.prev: event.hash for event in one.events}
        for event in other.events:
            if behind.get(event.prev, event.hash) != event.hash:
                self.report_if(one.has_events and other.has_events, "CONTRADICTION", "Two administrative events follow on the same one.",
                               event_id=event.id, **where)

    def compare_directories(self, one, other, where):
        # V114
        proven = one.has_directory and other.has_directory
        if one.manifest["admin_log"] == other.manifest["admin_log"]:
            own, theirs = ([(None, org["name"]) for org in [side.contents.org] if org is not None] + [
                ((agent["agent_id"], name), agent[name]) for agent in side.contents.agents for name in AGENT_NAMES] for side in (one, other))
            names = dict(own)
            if any(names.get(of, name) != name for of, name in theirs):
                self.report_if(proven, "CONTRADICTION", "Two bundles with one administrative log call somebody differently.", **where)
        earlier, later = sorted((one.contents, other.contents), key=lambda bundle: making_of(bundle.manifest))
        if making_of(earlier.manifest) == making_of(later.manifest):
            return
        agents, only = {agent["agent_id"]: agent for agent in later.agents}, later.manifest["filter"]["agent_id"]
        kids = {key["kid"] for key in later.service_keys}
        for key in earlier.service_keys:
            if key["kid"] not in kids:
                self.report_if(proven, "CONTRADICTION", "The later bundle lacks a service key of the earlier one.", kid=key["kid"], **where)
        for agent in earlier.agents:
            now, about = agents.get(agent["agent_id"]), dict(where, agent_id=agent["agent_id"])
            if now is None:
                if only in (None, agent["agent_id"]):
                    self.report_if(proven, "CONTRADICTION", "The later bundle lacks an agent of the earlier one.", **about)
                continue
            if agent["status"] == "deleted" and now["status"] != "deleted":
                self.report_if(proven, "CONTRADICTION", "An agent that was deleted is not in the later bundle.", **about)
            ends = {key["kid"]: key["retired_at"] for key in now["keys"]}
            for key in agent["keys"]:
                if key["kid"] not in ends:
                    self.report_if(proven, "CONTRADICTION", "The later bundle lacks an agent's key of the earlier one.", kid=key["kid"], **about)
                elif key["retired_at"] is not None and ends[key["kid"]] is None:
                    self.report_if(proven, "CONTRADICTION", "A key that was revoked is active in the later bundle.", kid=key["kid"], **about)

    def compare_moments(self, one, other, where):
        """Each of two bundles shows one moment of the ledger: V115 to V117."""
        for hiding, showing in ((one, other), (other, one)):
            for key in self.hidden_keys(hiding.contents, showing.contents) if hiding.has_directory else ():
                if self.is_signed_key(key):
                    self.found("CONTRADICTION", "A service key had taken over that is not there.", kid=key["kid"], **where)
            if self.hides_event(hiding, showing):
                self.report_if(hiding.signed and showing.has_events, "CONTRADICTION",
                               "An event is older than a bundle whose log ends before it.", **where)
        if self.withholds_change(one, other) or self.withholds_change(other, one):
            self.report_if(one.has_events and other.has_events, "CONTRADICTION",
                           "An event about an agent of a bundle, or its organization's name, is withheld in it, and shown in the other.",
                           **where)

    def compare_epoch_moments(self, manifest, epochs, where):
        # V116
        """Epochs of one file that a signed manifest of the other has on the wrong side of its moment."""
        made, head, order = self.order.made(manifest), manifest["log_head"]["epoch_no"], self.order
        for epoch in epochs:
            hidden = epoch.number > head
            start, end = (order.at("epoch_no", epoch.number, time) for time in (epoch.start, epoch.end))
            if epoch.epoch["org_id"] != manifest["org_id"] or (start >= made if hidden else end <= made):
                continue
            signed = self.service.signed_epoch(epoch)
            self.report_if(signed, "CONTRADICTION", "An epoch began before a bundle was made whose ledger ends before it." if hidden else
                           "An epoch ended after a bundle was made whose ledger has it.", **dict(where, **epoch.where))

    def hidden_keys(self, hiding, showing):
        # V115
        kids, made = {key["kid"] for key in hiding.service_keys}, self.order.made(hiding.manifest) - self.order.total()
        return [key for key in showing.service_keys
                if key["kid"] not in kids and key["prev_kid"] in kids and key["created_at"] < made]

    def hides_event(self, hiding, showing):
        # V116
        manifest, events = hiding.manifest, showing.events
        count, whole = manifest["admin_log"]["count"], len(events) == len(showing.contents.events)
        return whole and count < len(events) and self.order.at("events", count + 1, events[count].time) < self.order.made(manifest)

    @staticmethod
    def withholds_change(hiding, showing):
        # V117
        withheld = {event.hash for event in hiding.contents.events if event.withheld}
        return any(event.hash in withheld and (event.naming or (event.action is not None and event.agent_id in hiding.agent_ids))
                   for event in showing.events)


def making_of(manifest):
    """When a bundle was made, in the order of the ledger."""
    return manifest.get("clock_corrections", 0), parse_time(manifest["created_at"])


def facts_of(ear):
    return ear["agent_id"], ear["seq_no"], parse_time(ear["server_received_at"])


# ---- Command line --------------------------------------------------------------------------------

class Options:
    """What a reader gives beside the bundle; files as (name, function that opens them)."""

    def __init__(self, trusted=(), receipts=(), against=(), checkpoints=(), agent_keys=None, made_not_before=None,
                 examiners=(), witnesses=None):
        self.examiners, self.witnesses = examiners, witnesses  # (60 digits, person); a policy
        self.trusted, self.receipts, self.against, self.checkpoints = trusted, receipts, against, checkpoints
        self.agent_keys, self.made_not_before = agent_keys or {}, made_not_before  # agent_id -> keys; milliseconds
        # A proof is compared with nothing, and does not say when it was made.
        self.are_for_bundles = bool(receipts or against or checkpoints or made_not_before is not None)


# ---- A report of chosen records as HTML, R40 to R50 ---------------------------------------------

MAX_REPORT_DATA = 16 * 1024 * 1024
MAX_REPORT_HTML = MAX_REPORT_DATA + 8 * 1024 * 1024  # R50
REPORT_ELEMENT = b'<script type="application/json" id="countersign-report">'
SUMMED = dict(without=COUNT, amounts=array_of(members(
    value=matching(r"-?[0-9]{1,1000}(\.[0-9]{1,1000})?", "a decimal number"), currency=nullable(text(1, 64))), 64))
SUMS_MEMBERS = members(  # R46
    unit=one_of("actions", "records"), measure=one_of("count", "sum", "min", "max", "median"), of=nullable(text(1, 512)),
    by=array_of(text(1, 512), 2), zone=text(1, 64), all=members(**SUMMED), groups=array_of(members(
        keys=array_of(nullable(text(0, 10000)), 2), records=array_of(NUMBER, 1000), **SUMMED), 1000))


def sums(value, path, problems):
    # R46
    before = len(problems)
    SUMS_MEMBERS(value, path, problems)
    if len(problems) > before:
        return
    if (value["of"] is None) != (value["measure"] == "count"):
        problems.append((path + ".of", "is null of a count, and of nothing else"))
    if not value["groups"]:
        problems.append((path + ".groups", "is empty"))
    for group in value["groups"]:
        if len(group["keys"]) != len(value["by"]) or not group["records"]:
            problems.append((path + ".groups", "has a group without a value for each of by, or without records"))


REPORT = members(  # R40
    optional=("signature", "sums"), sums=sums, type=one_of("countersign.report.v1"), title=text(1, 200), question=text(0, 4000),
    examiner=nullable(text(1, 200)), made_at=TIME, taken_from=nullable(members(sha256=DIGEST, size=NUMBER)),
    trusted_keys=array_of(text(1, 400), 1000),
    entries=array_of(members(optional=("clock_corrected_at", "comment"), seq_no=NUMBER, clock_corrected_at=TIME, comment=text(1, 10000)), 1000),
    proof=OBJECT, digest=DIGEST,
    signature=members(algorithm=one_of("ed25519"), kid=text(43, 43), public_key=text(43, 43), value=SIGNATURE))


def looks_like_html(opener):
    """Does a file begin as HTML does, after what a browser passes over? Then it is a report or nothing."""
    with opener() as file:
        return re.match(rb"(?:\xef\xbb\xbf)?\s*<", file.read(64)) is not None


def read_html_report(opener):
    # R41, R50
    with opener() as file:
        page = file.read(MAX_REPORT_HTML + 1)
    if len(page) > MAX_REPORT_HTML or page.count(REPORT_ELEMENT) != 1:
        raise Unreadable("HTML without the element of a report, or with two of them")
    begin = page.find(REPORT_ELEMENT) + len(REPORT_ELEMENT)
    end = page.find(b"<", begin)
    if end < 0 or not page.startswith(b"</script>", end):
        raise Unreadable("HTML whose data do not end as those of a report")
    try:
        page.decode("utf-8")
    except ValueError:
        raise Unreadable("HTML that is not UTF-8")
    data = page[begin:end]
    if len(data) > MAX_REPORT_DATA:
        raise Unreadable("a report has at most %d bytes" % MAX_REPORT_DATA)
    try:
        Scanner(io.BytesIO(data)).value(MAX_REPORT_DATA)  # before it is parsed: how many values it has
    except Stop as stopped:
        raise Unreadable(str(stopped))
    value = parse_json(data, True)
    if is_deeper(value, MAX_LEVELS):  # F3: all of it is hashed
        raise Unreadable("a report of more than %d levels" % MAX_LEVELS)
    problem = problems_of(REPORT, value, "report")
    if problem is None and not value["entries"]:
        problem = "report.entries is empty"
    if problem is not None:
        raise Unreadable(problem)
    return value


def report_signature_holds(value):
    # R42
    signature = value["signature"]
    public, signed = b64url_decode(signature["public_key"], 32), b64url_decode(signature["value"], 64)
    if public is None or thumbprint(public) != signature["kid"]:
        return False
    return PublicKey(public).verify(signed, jcs({name: value[name] for name in value if name != "signature"}))


def examiner_entry(text):
    # R65
    """(60 digits, person) of `KEY=PERSON`; raises ValueError."""
    given, equals, person = text.partition("=")
    key, org_id = trust_entry(given)
    is_digits = re.fullmatch("[0-9]{60}", key)
    if not equals or not person.strip() or org_id is not None or not (is_digits or b64url_decode(key, 32) is not None):
        raise ValueError("expected KEY=PERSON, got %r" % text)
    return key if is_digits else key_digits(key), person.strip()


def is_called(person, written):
    # R65
    parts = re.fullmatch("(.+) <([^<> ]+)>", person, re.DOTALL)
    return written == person or parts is not None and written in parts.groups()


def examiner_state(value, examiners):
    """Whose key it is that signed a report, by what the reader named: named, another or unnamed."""
    digits = key_digits(value["signature"]["kid"]) if "signature" in value else None
    persons = [person for key, person in examiners if key == digits]
    if not persons:
        return "unnamed"
    written = value["examiner"]
    return "named" if written is None or any(is_called(person, written) for person in persons) else "another"


def report_problems(value, proof, examiners):
    # R43
    """What is wrong with a report besides its proof: (code, sentence)."""
    content = {name: value[name] for name in value if name not in ("digest", "signature")}
    if digest_text(sha256(jcs(content))) != value["digest"]:
        yield "REPORT_DIGEST_MISMATCH", "Something in the data is not what their digest is of."
    if "signature" in value and not report_signature_holds(value):
        yield "REPORT_SIGNATURE_INVALID", "The signature of the examiner does not verify."
    if "signature" in value and report_signature_holds(value) and examiner_state(value, examiners) == "another":
        yield "REPORT_EXAMINER_MISMATCH", "The key that signed it is one that you named for another person."
    if "MALFORMED" in proof.counts or "UNSUPPORTED_VERSION" in proof.counts:
        return  # which records it has nobody can say
    left = {record["ear"]["seq_no"] for record in value["proof"]["records"]}
    for entry in value["entries"]:
        if entry["seq_no"] not in left:
            yield "REPORT_ENTRY_UNKNOWN", "No. %d is not among the proven records, or is shown twice." % entry["seq_no"]
        left.discard(entry["seq_no"])
    shown = {entry["seq_no"] for entry in value["entries"]}
    for seq_no in sorted({one for group in value.get("sums", {}).get("groups", ()) for one in group["records"]} - shown):
        yield "REPORT_ENTRY_UNKNOWN", "No. %d is counted in the sums and not shown." % seq_no
    for seq_no in sorted(left):
        yield "REPORT_RECORD_NOT_SHOWN", "No. %d is proven and not shown." % seq_no


def verify_html_report(opener, options):
    # R43, V161
    value = read_html_report(opener)
    proof = jcs(value["proof"])
    contents = ProofContents(lambda: io.BytesIO(proof))
    report = ProofVerifier(contents, options).run()
    report.problems = list(report_problems(value, report, options.examiners))
    data = report.verdict()
    report.data = "failed" if report.problems else data
    if report.data == "verified" and options.examiners and examiner_state(value, options.examiners) != "named":
        report.data = "incomplete"
    return "incomplete" if report.data == "verified" else report.data, report  # the page around the data is not looked at


# ---- Certificates of retention, R70 to R76 ----------------------------------------------------------

CERTIFICATE_TYPE = "countersign.retention-certificate.v1"
DAYS = integer(0, 366000)
CERTIFICATE = members(
    type=one_of(CERTIFICATE_TYPE), org_id=IDENTIFIER, sweep_id=IDENTIFIER, actor=IDENTIFIER, begun_at=TIME, ended_at=TIME,
    stopped_because=nullable(one_of("asked", "rules_changed")), rules_digest=DIGEST,
    rules=array_of(members(before=nullable(TIME), erased=COUNT, rule=members(
        optional=("agent_id", "operation_type", "profile"), name=text(1, 1024), agent_id=IDENTIFIER,
        operation_type=text(1, 128), profile=text(1, 128), floor_days=DAYS, ceiling_days=nullable(DAYS))), 1000),
    holds=array_of(members(hold_id=IDENTIFIER, kind=one_of("case", "person", "agent", "session", "range", "records"),
                           selection_digest=DIGEST, placed_at=TIME, released_at=nullable(TIME)), 100000),
    agents=array_of(members(
        agent_id=IDENTIFIER, records=NUMBER,
        runs=matching("[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?(,[1-9][0-9]{0,15}(-[1-9][0-9]{0,15})?)*", "runs")), 32768),
    records=COUNT, operations_digest=DIGEST, service_kid=text(43, 43), service_public_key=KEY, service_signature=SIGNATURE)
PLACE = members(optional=("agent_id", "from_seq_no", "to_seq_no", "from_time", "to_time"), kind=one_of("agent", "range"),
                agent_id=IDENTIFIER, from_seq_no=NUMBER, to_seq_no=NUMBER, from_time=TIME, to_time=TIME)
STATEMENTS = {
    "signature": "SIGNATURE_INVALID", "sums": "SUMS_DIFFER", "logged": "NOT_LOGGED", "begun": "SWEEP_DIFFERS",
    "stopped": "STOP_DIFFERS", "rules": "RULES_DIFFER", "holds": "HOLDS_DIFFER", "erasures": "ERASURES_DIFFER",
    "records": "RECORDS_DIFFER", "due": "NOT_DUE", "held": "ERASED_UNDER_HOLD"}
CONFIRMED, CONTRADICTED, UNSAID = "confirmed", "contradicted", "open"


def time_or_null(value):
    return None if value is None else parse_time(value)


def runs_of(value):
    """`1-500,502` as pairs, both ends inclusive; None where the text is not such runs."""
    if value == "":
        return []
    runs = []
    for part in value.split(","):
        match = re.fullmatch("([0-9]{1,16})(?:-([0-9]{1,16}))?", part)
        if not match:
            return None
        first, last = int(match.group(1)), int(match.group(2) or match.group(1))
        if first > last or last > MAX_SAFE:
            return None
        runs.append((first, last))
    return runs


def runs_of_event(value, most):
    runs = runs_of(value) if isinstance(value, str) else None
    return [] if runs is None or len(runs) > most or overlap(runs) else runs


def is_within(runs, number):
    place = bisect.bisect_right(runs, (number, MAX_SAFE)) - 1
    return place >= 0 and runs[place][1] >= number


def held_runs(details):
    """The runs of a hold on records (R76), none of any other."""
    selection = details.get("selection")
    if details.get("kind") != "records" or not isinstance(selection, dict) or selection.keys() != {"kind", "runs"}:
        return []
    return runs_of_event(selection["runs"], 10000) if selection["kind"] == "records" else []


def length_of(runs):
    return sum(last - first + 1 for first, last in runs)


def overlap(runs):
    return any(after[0] <= before[1] for before, after in zip(runs, runs[1:]))


def rules_digest(rules):
    return digest_text(sha256(jcs(rules)))


def read_certificate(opener):
    """The certificate in a file, or None where the file is something else."""
    with opener() as file:
        data = file.read(MAX_RECORD + 1)
    if len(data) > MAX_RECORD or CERTIFICATE_TYPE.encode("ascii") not in data:
        return None
    data = without_mark(data)
    try:
        Scanner(io.BytesIO(data)).value(MAX_RECORD)  # before it is parsed: how many values it has
        value = parse_json(data)
    except (Stop, Unreadable):
        return None
    if not isinstance(value, dict) or value.get("type") != CERTIFICATE_TYPE:
        return None
    value = parse_json(data, True)
    problem = problems_of(CERTIFICATE, value, "certificate")
    if problem is not None:
        raise Unreadable(problem)
    return value


def certified_runs(certificate):
    """Runs by agent; None where those of one are not in order."""
    runs = {agent["agent_id"]: runs_of(agent["runs"]) for agent in certificate["agents"]}
    return None if any(own is None or overlap(own) for own in runs.values()) else runs


def due_before(rule, begun):
    if rule["ceiling_days"] is None:
        return None
    return max(0, begun - max(rule["floor_days"], rule["ceiling_days"]) * 86400000)


def sums_hold(certificate):
    rules, records, begun = certificate["rules"], certificate["records"], parse_time(certificate["begun_at"])
    names = [ruled["rule"]["name"] for ruled in rules]
    holds = [hold["hold_id"] for hold in certificate["holds"]]
    ids = [agent["agent_id"].encode("utf-16-be") for agent in certificate["agents"]]
    runs = certified_runs(certificate)
    return (
        rules_digest([ruled["rule"] for ruled in rules]) == certificate["rules_digest"]
        and len(set(names)) == len(names) and len(set(holds)) == len(holds)
        and all(time_or_null(ruled["before"]) == due_before(ruled["rule"], begun) for ruled in rules)
        and all(ruled["erased"] == 0 if ruled["rule"]["ceiling_days"] is None
                else ruled["rule"]["ceiling_days"] >= ruled["rule"]["floor_days"] for ruled in rules)
        and all(before < after for before, after in zip(ids, ids[1:])) and runs is not None
        and all(agent["records"] <= length_of(runs[agent["agent_id"]]) for agent in certificate["agents"])
        and sum(agent["records"] for agent in certificate["agents"]) == records
        and sum(ruled["erased"] for ruled in rules) == records)


def is_about(rule, eor, agent_id):
    """Is a rule about a record? None where only a profile that is not shown is left to decide."""
    wanted, kind = rule.get("operation_type"), eor["operation_type"]
    if rule.get("agent_id", agent_id) != agent_id:
        return False
    if wanted is not None and not (kind.startswith(wanted[:-1]) if wanted.endswith(".*") else kind == wanted):
        return False
    if "profile" not in rule:
        return True
    return eor["payload"].get("profile") == rule["profile"] if "payload" in eor else None


def coverage_of(details):
    """What the log says that a hold covers; None where only the service can tell."""
    selection = details.get("selection")
    if problems_of(PLACE, selection, "hold") is not None or selection["kind"] != details.get("kind"):
        return None
    since, until = (time_or_null(selection.get(name)) for name in ("from_time", "to_time"))

    def fits(first, last):
        return (since is None or last >= since) and (until is None or first < until)

    def covers(ear, received, stretch):
        return (selection.get("agent_id", ear["agent_id"]) == ear["agent_id"]
                and selection.get("from_seq_no", 1) <= ear["seq_no"] <= selection.get("to_seq_no", MAX_SAFE)
                and (fits(received, received) or (stretch is not None and fits(*stretch))))
    return covers


class RetentionEvidence:
    """One bundle, which is verified with it, as evidence about a certificate."""

    def __init__(self, certificate):
        self.certificate, self.digest = certificate, digest_text(sha256(jcs(certificate)))
        stated = [certificate["begun_at"], certificate["ended_at"]] + [hold["placed_at"] for hold in certificate["holds"]]
        self.times, self.withheld_at = {parse_time(value) for value in stated}, set()
        self.count = self.withheld = self.latest = 0
        self.begun = self.ended = self.placed_again = None
        self.is_twice, self.key, self.run_count = False, None, 0
        self.rules, self.stops, self.erasures, self.others = [], [], [], []
        self.holds, self.first_holds, self.unreleased = [], {}, {}
        self.runs = certified_runs(certificate) or {}
        self.first = min((own[0][0] for own in self.runs.values()), default=MAX_SAFE)
        self.last = max((own[-1][1] for own in self.runs.values()), default=0)
        self.seen, self.by_agent, self.ids, self.wrong = 0, {}, hashlib.sha256(), set()
        self.by_rule = [[0, 0] for _ in certificate["rules"]]

    def take_event(self, event):
        placed = (self.count, self.withheld, event)
        self.count, self.latest = self.count + 1, max(self.latest, event["created_at"])
        if is_withheld(event):
            self.withheld += 1
            if event["created_at"] in self.times:
                self.withheld_at.add(event["created_at"])
            return
        action, target, of_sweep = event["action"], event["target_id"], event["target_id"] == self.certificate["sweep_id"]
        if action == "retention.rules":
            self.rules.append(placed)
        elif action == "retention.hold":
            hold = {"id": target, "placed": placed, "released": None, "covers": coverage_of(event["details"])}
            runs = held_runs(event["details"])
            if runs:
                hold["runs"] = [] if self.has_too_many_runs() else self.meeting(runs)
                hold["covers"] = lambda ear, received, stretch: is_within(hold["runs"], ear["seq_no"])
            self.holds.append(hold)
            self.count_runs(hold.get("runs", ()))
            if self.first_holds.setdefault(target, hold) is not hold and self.placed_again is None:
                self.placed_again = placed[0]
            self.unreleased.setdefault(target, []).append(hold)
        elif action == "retention.release":
            for hold in self.unreleased.pop(target, []):
                hold["released"] = placed
        elif action == "retention.erase":
            self.take_erasure(placed[0], event["details"], of_sweep)
        elif action == "retention.stop" and of_sweep:
            self.stops.append(placed)
        elif action == "retention.sweep" and of_sweep:
            self.is_twice, self.begun = self.is_twice or self.begun is not None, placed
        elif action == "retention.certificate" and of_sweep:
            self.is_twice, self.ended = self.is_twice or self.ended is not None, placed

    def take_erasure(self, at, details, of_sweep):
        # R75
        runs, stated = [] if self.has_too_many_runs() else runs_of_event(details.get("seq_no"), 1024), details.get("records")
        if of_sweep:
            self.erasures.append((at, runs, stated if type(stated) in (int, float) else 0))
        else:
            runs = self.meeting(runs)
            self.others.append((at, runs))
        self.count_runs(runs)

    def meeting(self, runs):
        return [run for run in runs if run[0] <= self.last and run[1] >= self.first]

    def count_runs(self, runs):
        self.run_count += len(runs)
        if runs and self.has_too_many_runs():
            self.erasures = [(at, [], records) for at, _, records in self.erasures]
            self.others = []
            for hold in self.holds:
                if "runs" in hold:
                    hold["runs"] = []

    def has_too_many_runs(self):
        return self.run_count > 1048576

    def is_key_in_use(self):
        # V24, F102
        if self.ended is None and self.order.stated:
            return True
        time, until = parse_time(self.certificate["ended_at"]), self.key["retired_at"]
        if self.ended is not None:
            time = self.order.at("events", self.ended[0] + 1, time)
        return self.key["created_at"] <= time and (until is None or time <= until + self.order.total())

    def was_in_force(self, hold):
        """Was it in force at any erasure of the sweep: at the first after it, if at one?"""
        following = bisect.bisect(self.erasure_places, hold["placed"][0])
        return following < len(self.erasures) and (
            hold["released"] is None or self.erasure_places[following] < hold["released"][0])

    def stretch_of(self, seq_no, erased_at):
        """From when to when a record may have been received, if it lies in the stretch of a correction before the erasure."""
        found = self.order.before("seq_no", seq_no)
        if found == len(self.order.corrections):
            return None
        correction = self.order.corrections[found]
        if correction.jumps[0]["seq_no"] >= seq_no or correction.until["events"] >= erased_at:
            return None
        before = correction.jumps[0]["before"]
        return float("-inf") if before is None else before, correction.to

    def is_held(self, erased_at, ear, received):
        stretch = self.stretch_of(ear["seq_no"], erased_at)
        return any(hold["placed"][0] < erased_at and (hold["released"] is None or erased_at < hold["released"][0])
                   and hold["covers"](ear, received, stretch)
                   for agent_id in (ear["agent_id"], None) for hold in self.covering.get(agent_id, ()))

    def take_records(self, contents):
        self.order = contents.order
        self.erasure_places, self.covering = [erasure[0] for erasure in self.erasures], {}
        self.in_force = [hold for hold in self.holds if self.was_in_force(hold)]
        for hold in self.in_force:
            if hold["covers"] is not None:
                agent_id = hold["placed"][2]["details"]["selection"].get("agent_id")
                self.covering.setdefault(agent_id, []).append(hold)
        self.key = next((key for key in contents.service_keys if key["kid"] == self.certificate["service_kid"]), None)
        named = sorted(((run, place) for place, runs, _ in self.erasures for run in runs),
                       key=lambda one: (one[0][0], one[1]))
        at = 0
        for record, _ in contents.records():
            seq_no = record["ear"]["seq_no"]
            while at < len(named) and named[at][0][1] < seq_no:
                at += 1
            erased_at = named[at][1] if at < len(named) and named[at][0][0] <= seq_no else None
            self.take_record(record["eor"], record["ear"], record.get("disclosures", {}), erased_at)

    def take_record(self, eor, ear, disclosures, erased_at):
        seq_no, agent_id, payload = ear["seq_no"], ear["agent_id"], eor.get("payload")
        is_gone = is_within(self.runs.get(agent_id, []), seq_no)
        self.seen += self.first <= seq_no <= self.last
        if self.ended is not None and is_gone != (erased_at is not None):
            self.wrong.add("records")
        if not is_gone:
            return
        if self.ended is not None and payload is not None and (salted_digests(payload) is None or disclosures):
            self.wrong.add("records")
        self.by_agent[agent_id] = self.by_agent.get(agent_id, 0) + 1
        self.ids.update(ear["operation_id"].encode("utf-8") + b"\n")
        received, possible = parse_time(ear["server_received_at"]), []
        for at, ruled in enumerate(self.certificate["rules"]):
            matches = is_about(ruled["rule"], eor, agent_id)
            if matches is not False and received < (time_or_null(ruled["before"]) or 0):
                possible.append(at)
            if matches is True:
                break
        if not possible:
            self.wrong.add("due")
        for at in possible:
            self.by_rule[at][1] += 1
            self.by_rule[at][0] += len(possible) == 1
        if erased_at is not None and "held" not in self.wrong and self.is_held(erased_at, ear, received):
            self.wrong.add("held")

    def states(self):
        """The state of each statement that log and records speak about."""
        whole = self.begun is not None and self.ended is not None
        unknown = {name: UNSAID for name in ("erasures", "records", "held")} if self.has_too_many_runs() else {}
        return dict(self.of_records(), logged=self.logged(), begun=self.begun_as_logged(),
                    stopped=self.stopped() if whole else UNSAID, rules=self.rules_in_force() if self.begun else UNSAID,
                    holds=self.holds_in_force() if whole else UNSAID, erasures=self.erased() if self.ended else UNSAID) | unknown

    def logged(self):
        certificate, time = self.certificate, parse_time(self.certificate["ended_at"])
        if self.ended is None:
            is_gone = time not in self.withheld_at and self.latest > time and not self.order.stated
            return CONTRADICTED if is_gone else UNSAID
        event = self.ended[2]
        wanted = {"certificate_digest": self.digest, **{name: certificate[name] for name in
                                                        ("records", "operations_digest", "rules_digest")}}
        same = all(same_json(event["details"].get(name), value) for name, value in wanted.items())
        same = same and not self.is_twice and event["actor"] == certificate["actor"] and event["created_at"] == time
        return CONFIRMED if same else CONTRADICTED

    def begun_as_logged(self):
        certificate, time = self.certificate, parse_time(self.certificate["begun_at"])
        if self.begun is None:
            return CONTRADICTED if time not in self.withheld_at and self.ended is not None else UNSAID
        at, _, event = self.begun
        same = event["created_at"] == time and event["actor"] == certificate["actor"] and \
            event["details"].get("rules_digest") == certificate["rules_digest"] and (self.ended is None or at < self.ended[0])
        return CONFIRMED if same else CONTRADICTED

    def between(self, events):
        return [event for at, _, event in events if self.begun[0] < at < self.ended[0]]

    def stopped(self):
        why, hidden = self.certificate["stopped_because"], self.ended[1] > self.begun[1]
        stops = bool(self.between(self.stops))
        changed = any(event["details"].get("rules_digest") != self.certificate["rules_digest"]
                      for event in self.between(self.rules))
        if {"asked": stops, "rules_changed": changed, None: not stops and not hidden}[why]:
            return CONFIRMED
        return UNSAID if hidden and not (why is None and stops) else CONTRADICTED

    def rules_in_force(self):
        before = [placed for placed in self.rules if placed[0] < self.begun[0]]
        if self.begun[1] > (before[-1][1] if before else 0):
            return UNSAID
        in_force = before[-1][2]["details"].get("rules_digest") if before else rules_digest([])
        return CONFIRMED if in_force == self.certificate["rules_digest"] else CONTRADICTED

    def holds_in_force(self):
        found = [self.hold_as_logged(hold) for hold in self.certificate["holds"]]
        listed = {hold["hold_id"] for hold in self.certificate["holds"]}
        if CONTRADICTED in found or any(hold["id"] not in listed for hold in self.in_force):
            return CONTRADICTED
        if self.placed_again is not None and self.placed_again < self.ended[0]:
            return CONTRADICTED
        return UNSAID if UNSAID in found or self.ended[1] else CONFIRMED

    def hold_as_logged(self, hold):
        placed_at = parse_time(hold["placed_at"])
        found = self.first_holds.get(hold["hold_id"])
        if found is None:
            return UNSAID if placed_at in self.withheld_at else CONTRADICTED
        (at, withheld, event), released = found["placed"], found["released"]
        same = at < self.ended[0] and event["created_at"] == placed_at and all(
            event["details"].get(name) == hold[name] for name in ("kind", "selection_digest"))
        if not same or (released is not None and released[0] < self.begun[0]):
            return CONTRADICTED
        before = released[2]["created_at"] if released is not None and released[0] < self.ended[0] else None
        if before == time_or_null(hold["released_at"]):
            return CONFIRMED
        return UNSAID if before is None and self.ended[1] > withheld else CONTRADICTED

    def erased(self):
        total, hidden = self.certificate["records"], self.ended[1] != (self.begun[1] if self.begun else 0)
        if any(at > self.ended[0] or (self.begun is not None and at < self.begun[0]) for at, _, _ in self.erasures):
            return CONTRADICTED
        if any(length_of(runs) != records for _, runs, records in self.erasures):
            return CONTRADICTED
        logged = sum(records for _, _, records in self.erasures)
        if logged > total or (logged < total and not hidden):
            return CONTRADICTED
        if logged < total:
            return UNSAID
        runs = [run for _, own, _ in self.erasures for run in own]
        runs += [run for at, met in self.others if at < self.ended[0] for run in met]
        return CONTRADICTED if overlap(sorted(runs)) else CONFIRMED

    def of_records(self):
        certificate = self.certificate
        if certificate["records"] and self.seen != self.last - self.first + 1:
            return {name: CONTRADICTED if name in self.wrong else UNSAID for name in ("records", "due", "held")}
        same = all(self.by_agent.get(agent["agent_id"]) == agent["records"] for agent in certificate["agents"]) and \
            digest_text(self.ids.digest()) == certificate["operations_digest"]
        erased = [ruled["erased"] for ruled in certificate["rules"]]
        fits = all(least <= count <= most for count, (least, most) in zip(erased, self.by_rule))
        exact = all(least == most for least, most in self.by_rule)
        plain = self.ended is not None and not self.ended[1] and all(hold["covers"] is not None for hold in self.in_force)
        return {"records": CONTRADICTED if "records" in self.wrong or not same else CONFIRMED if self.ended else UNSAID,
                "due": CONTRADICTED if "due" in self.wrong or not fits else CONFIRMED if exact else UNSAID,
                "held": CONTRADICTED if "held" in self.wrong else CONFIRMED if plain else UNSAID}


def same_json(one, other):
    """Is it the same JSON value? Python takes true for 1."""
    return type(one) is type(other) and one == other


def certificate_signature(certificate, trusted, held):
    public = b64url_decode(certificate["service_public_key"], 32)
    signed = jcs({name: certificate[name] for name in certificate if name != "service_signature"})
    holds = PublicKey(public).verify(b64url_decode(certificate["service_signature"], 64), signed)
    kid = certificate["service_kid"]
    if not holds or thumbprint(public) != kid:
        return CONTRADICTED
    verified = [evidence for verdict, evidence in held if verdict == "verified"]
    if any(evidence.ended is not None if evidence.key is None else not evidence.is_key_in_use() for evidence in verified):
        return CONTRADICTED
    named = any(key in (kid, key_digits(kid)) and org_id in (None, certificate["org_id"])
                for key, org_id in (trust_entry(entry) for entry in trusted))
    return CONFIRMED if named or any(evidence.key is not None for evidence in verified) else UNSAID


def judge_certificate(certificate, options):
    """What the certificate says, held against the bundles that were given."""
    if options.receipts or options.checkpoints or options.witnesses or options.agent_keys or options.examiners or options.made_not_before is not None:
        raise Unreadable("a certificate of retention is held against bundles alone")
    held, evidence, sound = [], [], []
    for name, opener in options.against:
        found = RetentionEvidence(certificate)
        try:
            contents = Contents(opener, found.take_event)
            verdict = Verifier(contents, Options(options.trusted)).run().verdict()
        except Unreadable:  # no bundle: it says nothing of the certificate
            evidence.append({"name": name, "verdict": "failed", "used": False})
            continue
        manifest = contents.manifest or {}
        used = manifest.get("org_id") == certificate["org_id"] and verdict != "failed" and (
            verdict == "verified" or manifest.get("service_kid") == certificate["service_kid"])
        if used:
            sound.append((name, opener, verdict, contents, found))
        else:
            evidence.append({"name": name, "verdict": verdict, "used": False})
    for at, (name, opener, verdict, contents, found) in enumerate(sound):
        others = [(other[0], other[1]) for index, other in enumerate(sound) if index != at]
        if others and Verifier(Contents(opener), Options(options.trusted, against=others)).run().verdict() == "failed":
            evidence.append({"name": name, "verdict": "failed", "used": False})
            continue
        evidence.append({"name": name, "verdict": verdict, "used": True})
        found.take_records(contents)
        held.append((verdict, found))
    said = [found.states() for _, found in held]
    alone = {"signature": certificate_signature(certificate, options.trusted, held),
             "sums": CONFIRMED if sums_hold(certificate) else CONTRADICTED}
    statements = []
    for name, code in STATEMENTS.items():
        states = [alone[name]] if name in alone else [one[name] for one in said]
        state = next((state for state in (CONTRADICTED, CONFIRMED) if state in states), UNSAID)
        if name not in alone and state == CONFIRMED and alone["signature"] == UNSAID:
            state = UNSAID
        statements.append({"statement": name, "state": state, "code": code if state == CONTRADICTED else None})
    states = {statement["state"] for statement in statements}
    verdict = "failed" if CONTRADICTED in states else "incomplete" if UNSAID in states else "verified"
    return {"type": "countersign.retention-judgement.v1", "verdict": verdict, "statements": statements, "evidence": evidence}


def print_certificate(judged):
    print("verdict: " + judged["verdict"])
    for statement in judged["statements"]:
        print("  %-10s %-13s %s" % (statement["statement"], statement["state"], statement["code"] or ""))
    for one in judged["evidence"]:
        print("held against %s, %s%s" % (one["name"], one["verdict"], "" if one["used"] else ": not used"))


def verify(bundle, trusted=(), **others):
    # R6
    """(verdict, report) for the bytes of a bundle, or for a function that opens it; raises Unreadable for anything else."""
    opener = bundle if callable(bundle) else lambda: io.BytesIO(bundle)
    options = Options(trusted, **others)
    is_html = looks_like_html(opener)
    if options.examiners and not is_html:
        raise Unreadable("no report of chosen records, which alone says who made it")
    if is_html and not options.are_for_bundles:
        return verify_html_report(opener, options)
    if not is_html and not is_record_proof(opener):
        report = Verifier(Contents(opener), options).run()
    elif options.are_for_bundles:
        raise Unreadable("a proof of records is compared with nothing, and does not say when it was made")
    else:
        report = ProofVerifier(ProofContents(opener), options).run()
    return report.verdict(), report


def opener_of(name):
    """A file's opener. A pipe that nobody writes into would hold the reader for ever, and none can be read twice."""
    if not stat.S_ISREG(os.stat(name).st_mode):
        raise OSError("%s: is not a regular file" % name)
    with open(name, "rb") as file:  # what cannot be opened is a matter of usage, not of comparison
        is_packed = file.read(2) == b"\x1f\x8b"
    return lambda: (gzip.open if is_packed else open)(name, "rb")


def surroundings(opener):
    # F2
    """What programs that save a file again put around what is signed, in words."""
    with opener() as file:
        chunks = iter(lambda: file.read(1 << 20), b"")
        first = next(chunks, b"")
        returns = b"\r" in first or any(b"\r" in chunk for chunk in chunks)
    return ["a byte order mark"] * (without_mark(first) != first) + ["carriage returns"] * returns


def print_report(verdict, report):
    print("verdict: " + verdict)
    for name, check in report.checks.items():
        reason = check.get("reason") or check.get("remark")
        print("  %-17s %-15s %d checked%s" % (name, check["status"], check["count"], ", " + reason if reason else ""))
    if report.data:
        print("data: %s; only they are proven, the page around them was not compared" % report.data)
    for code, sentence in report.problems:
        print("error %s: %s" % (code, sentence))
    for finding in report.findings:
        where = " ".join("%s=%s" % (name, json.dumps(value)) for name, value in finding["where"].items())
        print("%s %s: %s %s" % (finding["severity"], finding["code"], finding["message"], where))


def options_of(arguments):
    agent_keys = {}
    for entry in arguments.trust:
        if not re.fullmatch("[A-Za-z0-9_-]{43}|[0-9]{60}", trust_entry(entry)[0]):
            raise ValueError("neither a kid nor the 60 digits of a fingerprint: %r" % entry)
    for entry in arguments.trust_agent:
        agent_id, key = agent_key_entry(entry)
        agent_keys.setdefault(agent_id, set()).add(key)
    examiners = [examiner_entry(entry) for entry in arguments.examiner]
    if any(key == other and person != theirs for key, person in examiners for other, theirs in examiners):
        raise ValueError("a key belongs to one person")
    witnesses = None
    if arguments.witnesses is not None:
        with opener_of(arguments.witnesses)() as file:
            witnesses = Policy(file.read(1048576))
    made_not_before = None
    if arguments.made_not_before is not None:
        made_not_before = parse_time(arguments.made_not_before)
        if made_not_before is None:
            raise ValueError("not an RFC 3339 time: %r" % arguments.made_not_before)
    return {"receipts": [(name, opener_of(name)) for name in arguments.receipts],
            "against": [(name, opener_of(name)) for name in arguments.against],
            "checkpoints": [(name, opener_of(name)) for name in arguments.checkpoint],
            "agent_keys": agent_keys, "made_not_before": made_not_before, "examiners": examiners, "witnesses": witnesses}


def joined(arguments, parser):
    """Each option with its value in one argument: a kid may begin with a hyphen, which argparse takes for an option."""
    taking = {flag for action in parser._actions if action.nargs is None for flag in action.option_strings}
    given, done = list(arguments), []
    while given:
        argument = given.pop(0)
        if argument == "--":
            return done + [argument] + given
        done.append("%s=%s" % (argument, given.pop(0)) if argument in taking and given else argument)
    return done


def main():
    # V160, V163
    parser = argparse.ArgumentParser(description="Verify a Countersign bundle, a proof of records, an HTML report, or a certificate of retention.")
    # R43
    parser.add_argument("bundle")
    parser.add_argument("--trust", action="append", default=[], metavar="KEY[@ORG_ID]",
                        help="service key you trust: its kid, or the 60 digits of its fingerprint")
    parser.add_argument("--trust-agent", action="append", default=[], metavar="AGENT=KEY",
                        help="an agent's public key, or its thumbprint, that you know")
    parser.add_argument("--receipts", action="append", default=[], metavar="FILE", help="kept receipts, one per line")
    parser.add_argument("--against", action="append", default=[], metavar="BUNDLE", help="another bundle of the organization")
    parser.add_argument("--checkpoint", action="append", default=[], metavar="FILE", help="a checkpoint of its log")
    parser.add_argument("--witnesses", metavar="FILE", help="witnesses that must have cosigned such a checkpoint, as JSON")
    parser.add_argument("--examiner", action="append", default=[], metavar="KEY=PERSON",
                        help="the key of who made a report, and the name that the report has for them")
    parser.add_argument("--made-not-before", metavar="TIME", help="when the bundle was made at the earliest, as you know better")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    arguments = parser.parse_args(joined(sys.argv[1:], parser))  # exits with 2 on wrong usage
    sys.stdout.reconfigure(errors="backslashreplace")
    sys.stderr.reconfigure(errors="backslashreplace")
    try:
        opener, options = opener_of(arguments.bundle), options_of(arguments)
        certificate = read_certificate(opener)
        if certificate is not None:
            judged = judge_certificate(certificate, Options(arguments.trust, **options))
        else:
            verdict, report = verify(opener, arguments.trust, **options)
            around = surroundings(opener)
    except (OSError, EOFError, zlib.error, ValueError, Unreadable) as error:
        print("%s: %s" % (arguments.bundle, error), file=sys.stderr)
        return 2
    except Exception:  # a defect of this program must not pass for a verdict
        traceback.print_exc()
        return 2
    try:
        if certificate is not None:
            verdict = judged["verdict"]
            print(json.dumps(judged, indent=1)) if arguments.json else print_certificate(judged)
        elif arguments.json:
            print(json.dumps({"verdict": verdict, **({"data": report.data} if report.data else {}), "checks": report.checks, "withheld": report.withheld, "corrected_times": report.corrected_times,
                              **({"witnessed": report.witnessed if verdict != "failed" else {"size": 0, "until": None}} if report.demanded else {}),
                              **({"around": around} if around else {}),
                              "problems": [{"code": code, "message": message} for code, message in report.problems],
                              "findings": report.findings}, indent=1))
        else:
            print_report(verdict, report)
            if around:
                print("around what is signed: " + " and ".join(around))
            if report.demanded is None:
                print("witnessed: not checked: no witnesses were named%s" % (
                    "; the file carries checkpoints that others cosigned" if report.carried else ""))
            elif verdict != "failed":
                print("witnessed: records up to No. %(size)d, by witnesses who saw no other log until %(until)s" % report.witnessed)
        sys.stdout.flush()
    except BrokenPipeError:  # nobody reads on; the verdict stays what it is
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return {"verified": 0, "failed": 1, "incomplete": 3}[verdict]


if __name__ == "__main__":
    sys.exit(main())
