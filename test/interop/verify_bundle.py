#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verify a Countersign bundle, independently of the Countersign code base.

    python3 verify_bundle.py BUNDLE [--trust KEY[@ORG_ID]]... [--receipts FILE]... [--json]

Written from docs/protocol.md alone, with nothing but the Python standard library (3.9 or newer), so
that it can be read in one sitting and so that it fails where the other implementation is wrong. If the
`cryptography` package can be imported it checks the curve equation faster; the point checks that make
section 2 of the protocol strict are always done here.

Exit status: 0 verified, 1 failed, 3 incomplete, 2 not readable, not a bundle, or wrong usage.
"""

import argparse
import base64
import bisect
import datetime
import hashlib
import json
import re
import sys
from fractions import Fraction

try:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
except ImportError:  # everything works without it, only slower
    Ed25519PublicKey = None

MAX_SAFE = 2 ** 53 - 1
CHECKS = ("issuer", "agent_signatures", "payloads", "chains", "receipts", "epochs", "completeness",
          "admin_log", "time", "reconciliation")


# ---- JSON in: I-JSON, RFC 7493 -------------------------------------------------------------------

class Unreadable(Exception):
    """The input is not JSON, or is JSON that I-JSON forbids."""


def _number(text):
    # Every JSON number is an IEEE 754 double (RFC 7493 section 2.2, RFC 8785 section 3.2.2.3).
    # Integral doubles in the safe range become int, which also turns -0 and 1.0 into 0 and 1.
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise Unreadable("number out of range: " + text[:40])
    return int(value) if abs(value) <= MAX_SAFE and value == int(value) else value


def _object(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):  # RFC 7493 section 2.3; readers would disagree about the value
        raise Unreadable("duplicate member in an object")
    return members


def _constant(name):
    raise Unreadable("not a JSON value: " + name)


def _refuse_lone_surrogates(text):
    if re.search("[\ud800-\udfff]", text):
        raise Unreadable("lone surrogate in a string")  # RFC 7493 section 2.1


def parse_json(data):
    """Bytes (or text) to a value; raises Unreadable."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_int=_number, parse_float=_number,
                           parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable("not JSON: %s" % error)
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, str):
            _refuse_lone_surrogates(item)
        elif isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            stack.extend(item)
            stack.extend(item.values())
    return value


# ---- JSON out: the JSON Canonicalization Scheme, RFC 8785 ----------------------------------------

_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def format_number(value):
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
    return '"' + re.sub(r'[\x00-\x1f"\\]', lambda m: _ESCAPES.get(m.group(), "\\u%04x" % ord(m.group())), text) + '"'


def _utf16(text):
    return text.encode("utf-16-be", "surrogatepass")  # big-endian bytes sort as code units do, section 3.2.3


def canonical_text(value):
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, (int, float)):
        return format_number(value)
    if isinstance(value, str):
        return format_string(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical_text, value)) + "]"
    return "{" + ",".join(format_string(k) + ":" + canonical_text(value[k]) for k in sorted(value, key=_utf16)) + "}"


def jcs(value):
    return canonical_text(value).encode("utf-8")


# ---- Digests, base64url, times -------------------------------------------------------------------

def sha256(data):
    return hashlib.sha256(data).digest()


def digest_text(raw):
    return "sha256:" + raw.hex()


def digest_raw(text):
    return bytes.fromhex(text[7:])


def b64url_encode(raw):
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode("ascii")


def b64url_decode(text, length):
    """Strict RFC 4648 section 5 without padding: the one spelling of `length` bytes, or None."""
    if not re.fullmatch("[A-Za-z0-9_-]*", text):
        return None
    try:
        raw = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return raw if len(raw) == length and b64url_encode(raw) == text else None  # also refuses trailing bits


_TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?"
                   r"(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))")


def parse_time(text):
    """RFC 3339 section 5.6 to exact milliseconds since 1970, or None. Leap seconds are refused."""
    match = _TIME.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    offset = 60 * int(match.group(9) or 0) + int(match.group(10) or 0)
    if hour > 23 or minute > 59 or second > 59 or int(match.group(9) or 0) > 23 or int(match.group(10) or 0) > 59:
        return None
    try:
        days = datetime.date(year, month, day).toordinal() - 719163
    except ValueError:
        return None
    seconds = days * 86400 + hour * 3600 + minute * 60 + second - (-60 if match.group(8) == "-" else 60) * offset
    return (seconds + Fraction("0" + (match.group(7) or ".0"))) * 1000


# ---- Ed25519, RFC 8032, with the strict rule of section 2 ----------------------------------------

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


def is_small_order(p):
    return is_identity(point_multiply(8, p))


def strict_public_key(data):
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
        if self.point is None or len(signature) != 64 or int.from_bytes(signature[32:], "little") >= L:
            return False
        r = point_decode(signature[:32])
        # A has no torsion component, so the equation leaves none in R: small order is all that remains.
        return r is not None and not is_small_order(r) and _equation_holds(self.data, self.point, signature, message)


def thumbprint(public):
    """RFC 7638 over the members RFC 8037 section 2 requires."""
    return b64url_encode(sha256(jcs({"crv": "Ed25519", "kty": "OKP", "x": b64url_encode(public)})))


# ---- Merkle trees, RFC 6962 section 2.1 ----------------------------------------------------------

def merkle_root(hashes):
    if not hashes:
        return sha256(b"")
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    return sha256(b"\x01" + merkle_root(hashes[:split]) + merkle_root(hashes[split:]))


def root_from_path(leaf, index, size, path):
    """The root an inclusion proof leads to (RFC 9162 section 2.1.3.2), or None for a wrong length."""
    node, last = index, size - 1
    for sibling in path:
        if last == 0:
            return None
        if node & 1 or node == last:
            leaf = sha256(b"\x01" + sibling + leaf)
            while node and not node & 1:
                node, last = node >> 1, last >> 1
        else:
            leaf = sha256(b"\x01" + leaf + sibling)
        node, last = node >> 1, last >> 1
    return leaf if last == 0 else None


# ---- Signed and hashed statements, sections 3 to 8 -----------------------------------------------

def without(members, *names):
    return {name: value for name, value in members.items() if name not in names}


def record_bytes(eor):
    return jcs(without(eor, "payload", "signature"))


def chain_hash(eor):
    return digest_text(sha256(record_bytes(eor) + b64url_decode(eor["signature"], 64)))


def receipt_statement(ear):
    return jcs(dict(without(ear, "service_signature"), type="countersign.receipt.v1"))


def leaf_hash(ear):
    return sha256(b"\x00" + receipt_statement(ear))


def epoch_statement(epoch):
    return jcs(dict(without(epoch, "signature_by_service"), type="countersign.epoch.v1"))


def admin_event_statement(event):
    return jcs(dict(without(event, "event_hash"), type="countersign.admin-event.v1"))


def agent_key_statement(key, org_id):
    return jcs(dict(without(key, "attestation"), org_id=org_id, type="countersign.agent-key.v1"))


def service_key_statement(key):
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
    # "Characters" are code points here; the lower bound counts UTF-16 units, the more lenient reading.
    return check_if(lambda v: isinstance(v, str) and len(v) <= high and len(_utf16(v)) // 2 >= low,
                    "a string of %d to %d characters" % (low, high))


def integer(low, high=MAX_SAFE):
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
    """An administrative event of which only the time and the place in the chain are there, section 8."""
    return isinstance(event, dict) and set(event) == {"created_at", "prev_event_hash", "event_hash"}


def whole_or_withheld(whole):
    def shape(value, path, problems):
        withheld = members(created_at=COUNT, prev_event_hash=nullable(DIGEST), event_hash=DIGEST)
        (withheld if is_withheld(value) else whole)(value, path, problems)
    return shape


def array(inner):
    def shape(value, path, problems):
        if not isinstance(value, list):
            problems.append((path, "is not an array"))
            return
        for index, item in enumerate(value):
            inner(item, "%s[%d]" % (path, index), problems)
    return shape


ANY_TEXT = check_if(lambda v: isinstance(v, str), "a string")
NAME = check_if(lambda v: isinstance(v, str) and v != "", "a string that is not empty")
OBJECT = check_if(lambda v: isinstance(v, dict), "an object")
DIGEST = matching("sha256:[0-9a-f]{64}", "sha256: and 64 lowercase hex digits")
TIME = check_if(lambda v: isinstance(v, str) and parse_time(v) is not None, "an RFC 3339 time")
AGENT_ID = matching("[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}", "an agent_id")
COUNT, NUMBER, SIGNATURE, KEY = integer(0), integer(1), encoded(64), encoded(32)

EOR = members(
    optional=("payload",), op_version=integer(1), org_id=NAME, agent_id=AGENT_ID, issued_at=TIME,
    operation_id=matching("(?i)[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "a UUID v4"),
    ttl_ms=integer(1, 86400000), nonce=text(8, 256), subject=text(1, 512), action=text(1, 128), payload=OBJECT,
    operation_type=matching(r"(?=.{1,128}\Z)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*", "an operation type"),
    payload_hash=DIGEST, prev_chain_hash=nullable(DIGEST), agent_pubkey_kid=NAME, signature=SIGNATURE)
EAR = members(receipt_id=NAME, operation_id=NAME, org_id=NAME, agent_id=NAME, seq_no=NUMBER, chain_hash=DIGEST,
              server_received_at=TIME, service_kid=NAME, service_signature=SIGNATURE)
BUNDLE = members(
    format=one_of("countersign.bundle.v1"),
    service_keys=array(members(
        kid=NAME, algorithm=one_of("ed25519"), public_key=KEY, status=one_of("active", "retired"), created_at=COUNT,
        retired_at=nullable(COUNT), prev_kid=nullable(NAME), self_signature=SIGNATURE,
        prev_signature=nullable(SIGNATURE))),
    org=members(org_id=NAME, name=ANY_TEXT),
    agents=array(members(
        agent_id=AGENT_ID, org_id=NAME, display_name=ANY_TEXT, responsible_entity=nullable(ANY_TEXT),
        integration_type=NAME, status=one_of("active", "frozen", "revoked", "deleted"), created_at=COUNT,
        updated_at=COUNT, keys=array(members(
            kid=NAME, agent_id=AGENT_ID, public_key=KEY, algorithm=one_of("ed25519"), status=one_of("active", "revoked"),
            created_at=COUNT, retired_at=nullable(COUNT), service_kid=NAME, attestation=SIGNATURE)))),
    epochs=array(members(
        epoch_id=NAME, epoch_no=NUMBER, org_id=NAME, start_time=TIME, end_time=TIME, first_seq_no=NUMBER,
        last_seq_no=NUMBER, leaf_count=NUMBER, root_hash=DIGEST, hash_alg=one_of("SHA-256"),
        prev_epoch_hash=nullable(DIGEST), admin_head_hash=nullable(DIGEST), service_kid=NAME,
        signature_by_service=SIGNATURE)),
    admin_events=array(whole_or_withheld(members(
        event_id=NAME, org_id=NAME, actor=ANY_TEXT, action=NAME, target_type=ANY_TEXT, target_id=ANY_TEXT,
        details=OBJECT, created_at=COUNT, prev_event_hash=nullable(DIGEST), event_hash=DIGEST))),
    records=array(members(
        optional=("inclusion",), eor=EOR, ear=EAR,
        inclusion=members(epoch_id=NAME, leaf_index=COUNT, path=array(DIGEST)))),
    manifest=members(
        optional=("withheld_events_digest",), withheld_events_digest=DIGEST, type=one_of("countersign.manifest.v1"), export_id=NAME, org_id=NAME, created_at=TIME,
        filter=members(start_time=TIME, end_time=TIME, agent_id=nullable(AGENT_ID)),
        record_count=COUNT, first_seq_no=nullable(NUMBER), last_seq_no=nullable(NUMBER),
        log_head=members(seq_no=COUNT, epoch_no=COUNT), records_digest=DIGEST, epochs_digest=DIGEST,
        admin_events_digest=DIGEST, directory_digest=DIGEST, redacted_count=COUNT, service_kid=NAME),
    manifest_signature=SIGNATURE)


# ---- The report ----------------------------------------------------------------------------------

class Report:
    def __init__(self):
        self.findings = []
        self.checks = {name: {"status": None, "count": 0, "failed": 0} for name in CHECKS}

    def add(self, check, code, message, caused_by=None, severity="error", expected=None, actual=None, **where):
        """Append a finding and return its index, which a later finding may give as its cause."""
        finding = {"code": code, "severity": severity, "check": check, "where": where, "message": message}
        for name, value in (("expected", expected), ("actual", actual), ("caused_by", caused_by)):
            if value is not None:
                finding[name] = value
        self.findings.append(finding)
        self.checks[check]["failed"] += severity == "error"
        return len(self.findings) - 1

    def count(self, check, number=1):
        self.checks[check]["count"] += number

    def not_checked(self, check, reason):
        self.checks[check].setdefault("reason", reason)

    def verdict(self):
        for check in self.checks.values():
            check["status"] = ("fail" if check["failed"] else "not_checked" if "reason" in check
                               else "pass" if check["count"] else "not_applicable")
        statuses = [check["status"] for check in self.checks.values()]
        return "failed" if "fail" in statuses else "incomplete" if "not_checked" in statuses else "verified"


# ---- Whom the reader trusts, sections 7 and 9 ------------------------------------------------------

def key_digits(kid):
    """The fingerprint of a service key: 60 decimal digits."""
    digest = hashlib.sha512(jcs({"kid": kid, "type": "countersign.key-fingerprint.v1"})).digest()
    return "".join("%05d" % (int.from_bytes(digest[5 * n:5 * n + 5], "big") % 100000) for n in range(12))


def trust_entry(text):
    """(kid or 60 digits, org_id or None) of `KEY` or `KEY@ORG_ID`."""
    name, at, org_id = text.partition("@")
    digits = re.sub(r"[\s-]", "", name)
    key = digits if re.fullmatch(r"[0-9]{60}", digits) else re.sub(r"\s", "", name)
    return key, org_id if at else None


# ---- Verification, section 9 ---------------------------------------------------------------------

class Verifier:
    def __init__(self, bundle, trusted, receipts):
        self.bundle, self.receipts, self.report = bundle, receipts, Report()
        self.trusted = [trust_entry(text) for text in trusted]

    def run(self):
        if self.shapes_are_right():
            self.index()
            for step in (self.check_issuer, self.check_directory, self.check_records, self.check_chains,
                         self.check_sequence, self.check_reuse, self.check_times, self.check_epochs,
                         self.check_inclusion, self.check_admin_events, self.check_manifest, self.check_receipts):
                step()
        else:
            for name in CHECKS:
                self.report.not_checked(name, "the bundle is malformed")
        return self.report

    def shapes_are_right(self):
        problems = []
        BUNDLE(self.bundle, "bundle", problems)
        for path, sentence in problems:
            self.report.add("completeness", "MALFORMED", "%s %s." % (path, sentence), path=path)
        return not problems

    def index(self):
        bundle = self.bundle
        self.manifest, self.records, self.epochs = bundle["manifest"], bundle["records"], bundle["epochs"]
        self.filter = self.manifest["filter"]
        self.range = parse_time(self.filter["start_time"]), parse_time(self.filter["end_time"])
        self.service_keys = {key["kid"]: key for key in bundle["service_keys"]}
        self.agent_keys = {(a["agent_id"], k["kid"]): k for a in bundle["agents"] for k in a["keys"]}
        self.public, self.weak = {}, {}  # kid or (agent_id, kid) -> PublicKey; -> the finding of weakness
        self.leaves, self.by_seq = [leaf_hash(record["ear"]) for record in self.records], {}
        for number, record in enumerate(self.records):
            self.by_seq.setdefault(record["ear"]["seq_no"], number)
        first = self.epochs[0] if self.epochs else None
        # Does the run of seq_no that the range selects begin with the first operation of the organization?
        self.from_the_start = self.by_seq.get(1) is not None or bool(
            first and first["first_seq_no"] == 1 and parse_time(first["start_time"]) >= self.range[0])

    @staticmethod
    def where(record):
        ear = record["ear"]
        return {"seq_no": ear["seq_no"], "operation_id": ear["operation_id"], "agent_id": ear["agent_id"]}

    def add_key(self, name, key, check, **where):
        self.public[name] = PublicKey(b64url_decode(key["public_key"], 32))
        if self.public[name].point is None:
            self.weak[name] = self.report.add(
                check, "KEY_WEAK", "The public key is not a canonical point of prime order.", kid=key["kid"], **where)
        if (key["retired_at"] is None) != (key["status"] == "active"):
            code = "SERVICE_KEY_INVALID" if check == "issuer" else "KEY_ATTESTATION_INVALID"
            self.report.add(check, code, "status and retired_at of the key contradict each other.", kid=key["kid"], **where)

    def signed_by_service(self, service_kid, signature, statement, check, code, sentence, **where):
        """True if that service key of this bundle made the signature; a finding otherwise."""
        if service_kid not in self.public:
            self.report.add(check, "KEY_UNKNOWN", "The bundle has no such service key.", service_kid=service_kid, **where)
            return False
        if self.public[service_kid].verify(b64url_decode(signature, 64), statement):
            return True
        self.report.add(check, code, sentence, self.weak.get(service_kid), **where)
        return False

    # Issuer: each service key is sound, and a pinned one vouches for all of them.

    def check_issuer(self):
        report, keys = self.report, self.bundle["service_keys"]
        report.count("issuer", len(keys))
        for key in keys:
            self.add_key(key["kid"], key, "issuer")
        if len(self.service_keys) != len(keys):
            report.add("issuer", "SERVICE_KEY_INVALID", "Two service keys have the same kid.")
        sound = {key["kid"] for key in keys if self.service_key_is_sound(key)}
        org_id = self.bundle["org"]["org_id"]
        trusted = self.vouched_for(sound, [key for key, org in self.trusted if org in (None, org_id)])
        known = self.vouched_for(sound, [key for key, org in self.trusted])
        for kid in [key["kid"] for key in keys if key["kid"] not in trusted]:
            if kid in known:
                report.add("issuer", "ORGANIZATION_NOT_CONFIRMED", "The key is trusted for other organizations only.",
                           None, "warning", kid=kid)
                report.not_checked("issuer", "this organization was not confirmed under a service key")
                continue
            report.add("issuer", "ISSUER_NOT_PINNED", "No pinned key vouches for this service key.", None, "warning", kid=kid)
            report.not_checked("issuer", "a service key is known only from the bundle itself")
        if not keys:
            report.not_checked("issuer", "the bundle has no service key")

    def vouched_for(self, sound, named):
        """The sound keys that are named, by kid or digits, and those that rotations link with them."""
        trusted = {kid for kid in sound if kid in named or key_digits(kid) in named}
        before = None
        while before != len(trusted):  # along rotations, in both directions
            before = len(trusted)
            for kid in sound:
                prev = self.service_keys[kid]["prev_kid"]
                if prev in trusted:
                    trusted.add(kid)  # its predecessor signed it
                elif kid in trusted and prev in sound:
                    trusted.add(prev)  # it names its predecessor under its own signature
        return trusted

    def service_key_is_sound(self, key):
        prev, statement, problems = key["prev_kid"], service_key_statement(key), []
        if thumbprint(b64url_decode(key["public_key"], 32)) != key["kid"]:
            problems.append("The kid is not the RFC 7638 thumbprint of the key.")
        if not self.public[key["kid"]].verify(b64url_decode(key["self_signature"], 64), statement):
            problems.append("The key's signature over its own statement is invalid.")
        if (prev is None) != (key["prev_signature"] is None):
            problems.append("prev_kid and prev_signature must be present together.")
        elif prev in self.public and not self.public[prev].verify(b64url_decode(key["prev_signature"], 64), statement):
            problems.append("The signature by the previous service key is invalid.")
        for sentence in problems:
            self.report.add("issuer", "SERVICE_KEY_INVALID", sentence, self.weak.get(key["kid"]), kid=key["kid"])
        return not problems

    # Agents and their keys.

    def check_directory(self):
        report, org_id = self.report, self.manifest["org_id"]
        owners = [("org", self.bundle["org"])] + [(name, item) for name in ("agents", "epochs", "admin_events")
                                                  for item in self.bundle[name]]
        for name, item in owners:
            if not is_withheld(item) and item["org_id"] != org_id:
                report.add("completeness", "MANIFEST_MISMATCH", "A member of %s is of another organization." % name,
                           expected=org_id, actual=item["org_id"])
        agents = self.bundle["agents"]
        if len({agent["agent_id"] for agent in agents}) != len(agents):
            report.add("agent_signatures", "KEY_ATTESTATION_INVALID", "An agent appears twice in the directory.")
        for agent in agents:
            if len({key["kid"] for key in agent["keys"]}) != len(agent["keys"]):
                report.add("agent_signatures", "KEY_ATTESTATION_INVALID", "Two keys of an agent have the same kid.",
                           agent_id=agent["agent_id"])
            for key in agent["keys"]:
                where = {"agent_id": agent["agent_id"]}
                report.count("agent_signatures")
                self.add_key((agent["agent_id"], key["kid"]), key, "agent_signatures", **where)
                if key["agent_id"] != agent["agent_id"]:
                    report.add("agent_signatures", "KEY_ATTESTATION_INVALID", "The key is of another agent.", **where)
                self.signed_by_service(key["service_kid"], key["attestation"], agent_key_statement(key, org_id),
                                       "agent_signatures", "KEY_ATTESTATION_INVALID",
                                       "The service's signature over the agent key is invalid.", kid=key["kid"], **where)

    # Each record by itself: signature, payload, chain hash, receipt.

    def check_records(self):
        report = self.report
        self.sound_receipt, self.hash_finding = [], {}
        for number, record in enumerate(self.records):
            eor, ear, where = record["eor"], record["ear"], self.where(record)
            if eor["op_version"] != 1:
                report.add("agent_signatures", "UNSUPPORTED_VERSION", "The record has another op_version.", **where)
            report.count("agent_signatures")
            self.check_agent_signature(eor, ear, where)
            if "payload" in eor:
                report.count("payloads")
                actual = digest_text(sha256(jcs(eor["payload"])))
                if actual != eor["payload_hash"]:
                    report.add("payloads", "PAYLOAD_HASH_MISMATCH", "The payload is not the one that was signed.",
                               expected=eor["payload_hash"], actual=actual, **where)
            report.count("receipts")
            computed = chain_hash(eor)
            if computed != ear["chain_hash"]:
                self.hash_finding[number] = report.add(
                    "chains", "CHAIN_HASH_MISMATCH", "The receipt's chain hash is not that of the record.",
                    expected=computed, actual=ear["chain_hash"], **where)
            for name in ("operation_id", "org_id", "agent_id"):
                if eor[name] != ear[name]:
                    report.add("receipts", "RECEIPT_MISMATCH", "Receipt and record differ in %s." % name,
                               expected=eor[name], actual=ear[name], **where)
            if ear["org_id"] != self.manifest["org_id"]:
                report.add("receipts", "RECEIPT_MISMATCH", "The receipt is of another organization.", **where)
            self.sound_receipt.append(self.signed_by_service(
                ear["service_kid"], ear["service_signature"], receipt_statement(ear), "receipts",
                "RECEIPT_SIGNATURE_INVALID", "The service's signature over the receipt is invalid.", **where))

    def check_agent_signature(self, eor, ear, where):
        name = (eor["agent_id"], eor["agent_pubkey_kid"])
        if name not in self.public:
            self.report.add("agent_signatures", "KEY_UNKNOWN", "The agent has no such key.", kid=name[1], **where)
            return
        if not self.public[name].verify(b64url_decode(eor["signature"], 64), record_bytes(eor)):
            self.report.add("agent_signatures", "SIGNATURE_INVALID", "The agent's signature over the record is invalid.",
                            self.weak.get(name), kid=name[1], **where)
        retired = self.agent_keys[name]["retired_at"]
        if retired is not None and retired < parse_time(ear["server_received_at"]):
            self.report.add("agent_signatures", "KEY_USED_AFTER_REVOCATION",
                            "The record was received after its key was revoked.", kid=name[1],
                            expected=retired, actual=ear["server_received_at"], **where)

    # Records together: chains, sequence, nonces, times.

    def check_chains(self):
        report, heads, seen = self.report, {}, set()
        for number, record in enumerate(self.records):
            agent, prev, where = record["eor"]["agent_id"], record["eor"]["prev_chain_hash"], self.where(record)
            report.count("chains")
            if (agent, prev) in seen:
                report.add("chains", "CHAIN_FORK", "Two records of the agent follow the same record.", actual=prev, **where)
            elif agent in heads and prev != heads[agent][0]:
                report.add("chains", "CHAIN_BROKEN", "The record does not follow the agent's record before it.",
                           self.hash_finding.get(heads[agent][1]), expected=heads[agent][0], actual=prev, **where)
            elif agent not in heads and prev is not None and self.from_the_start:
                report.add("chains", "CHAIN_BROKEN", "The agent's first record names one before it.", actual=prev, **where)
            seen.add((agent, prev))
            heads[agent] = (chain_hash(record["eor"]), number)

    def check_sequence(self):
        report, last = self.report, None
        for number, record in enumerate(self.records):
            seq, where = record["ear"]["seq_no"], self.where(record)
            report.count("completeness")
            other = self.by_seq[seq]
            if other != number:
                if self.sound_receipt[number] and self.sound_receipt[other] and self.leaves[number] != self.leaves[other]:
                    report.add("reconciliation", "EQUIVOCATION", "The service signed two receipts for one seq_no.", **where)
                report.add("completeness", "SEQUENCE_DUPLICATE", "The seq_no appears twice.", **where)
            elif last is not None and seq < last:
                report.add("completeness", "SEQUENCE_ORDER", "The seq_no is lower than the one before.", actual=seq, **where)
            elif last is not None and seq != last + 1 and self.filter["agent_id"] is None:
                report.add("completeness", "SEQUENCE_GAP", "Records between this one and the one before are missing.",
                           expected=last + 1, actual=seq, **where)
            last = seq

    def check_reuse(self):
        nonces, operations = set(), set()
        for record in self.records:
            eor, where = record["eor"], self.where(record)
            if (eor["agent_id"], eor["nonce"]) in nonces:
                self.report.add("completeness", "NONCE_REUSED", "The agent used this nonce before.", **where)
            # UUIDs are the same in either case (RFC 9562).
            operation = eor["operation_id"].lower()
            if operation in operations:
                self.report.add("completeness", "OPERATION_ID_REUSED", "The operation_id was used before.", **where)
            nonces.add((eor["agent_id"], eor["nonce"]))
            operations.add(operation)

    def check_times(self):
        report, last = self.report, None
        for record in self.records:
            eor, where, shown = record["eor"], self.where(record), record["ear"]["server_received_at"]
            received, issued = parse_time(shown), parse_time(eor["issued_at"])
            report.count("time")
            if last is not None and received < last:
                report.add("time", "TIME_ORDER", "The record was received before the one preceding it.", actual=shown, **where)
            if received > issued + eor["ttl_ms"]:
                report.add("time", "TTL_VIOLATED", "The record was received after its time to live.", actual=shown, **where)
            if issued > received + 300000:  # section 4, check 11
                report.add("time", "TTL_VIOLATED", "The record was issued more than five minutes after it was received.",
                           expected=shown, actual=eor["issued_at"], **where)
            if not self.range[0] <= received < self.range[1]:
                report.add("time", "MANIFEST_MISMATCH", "The record was received outside the range of the filter.",
                           actual=shown, **where)
            last = received

    # Epochs.

    def check_epochs(self):
        report, ids, numbers = self.report, set(), {}
        for position, epoch in enumerate(self.epochs):
            statement, where = epoch_statement(epoch), {"epoch_id": epoch["epoch_id"]}
            report.count("epochs")
            signed = self.signed_by_service(epoch["service_kid"], epoch["signature_by_service"], statement, "epochs",
                                            "EPOCH_SIGNATURE_INVALID", "The service's signature over the epoch is invalid.",
                                            **where)
            other = numbers.setdefault(epoch["epoch_no"], (statement, signed))
            if signed and other[1] and other[0] != statement:
                report.add("reconciliation", "EQUIVOCATION", "The service signed two epochs with one epoch_no.", **where)
            if epoch["epoch_id"] in ids:
                report.add("epochs", "EPOCH_CHAIN_BROKEN", "Two epochs have the same epoch_id.", **where)
            ids.add(epoch["epoch_id"])
            self.check_epoch_link(self.epochs[position - 1] if position else None, epoch, where)
            self.check_epoch_leaves(epoch, where)

    def check_epoch_link(self, prev, epoch, where):
        report = self.report
        if prev is not None:
            if epoch["epoch_no"] != prev["epoch_no"] + 1 or epoch["first_seq_no"] != prev["last_seq_no"] + 1:
                report.add("epochs", "EPOCH_GAP", "The epoch does not begin where the one before ended.", **where)
            expected = digest_text(sha256(epoch_statement(prev)))
            if epoch["prev_epoch_hash"] != expected:
                report.add("epochs", "EPOCH_CHAIN_BROKEN", "The epoch does not name the one before it.",
                           expected=expected, actual=epoch["prev_epoch_hash"], **where)
            if parse_time(epoch["start_time"]) < parse_time(prev["start_time"]):
                report.add("time", "TIME_ORDER", "The epoch starts before the one preceding it.", **where)
        elif len({epoch["epoch_no"] == 1, epoch["first_seq_no"] == 1, epoch["prev_epoch_hash"] is None}) != 1:
            report.add("epochs", "EPOCH_CHAIN_BROKEN", "Only the first epoch starts at 1 and has none before it.", **where)

    def is_whole(self, epoch):
        """Is every leaf of the epoch a record of this bundle?"""
        run = range(epoch["first_seq_no"], epoch["last_seq_no"] + 1)
        return 0 < len(run) <= len(self.records) and all(seq in self.by_seq for seq in run)

    def check_epoch_leaves(self, epoch, where):
        report, first, last = self.report, epoch["first_seq_no"], epoch["last_seq_no"]
        if last - first + 1 != epoch["leaf_count"]:
            report.add("epochs", "EPOCH_ROOT_MISMATCH", "leaf_count is not the length of the run of seq_no.",
                       expected=last - first + 1, actual=epoch["leaf_count"], **where)
        elif self.is_whole(epoch):
            root = digest_text(merkle_root([self.leaves[self.by_seq[seq]] for seq in range(first, last + 1)]))
            if root != epoch["root_hash"]:
                report.add("epochs", "EPOCH_ROOT_MISMATCH", "The records do not give the epoch's root.",
                           expected=epoch["root_hash"], actual=root, **where)
        start, end = parse_time(epoch["start_time"]), parse_time(epoch["end_time"])
        if end < start:
            report.add("time", "TIME_ORDER", "The epoch ends before it starts.", **where)
        if first in self.by_seq and self.records[self.by_seq[first]]["ear"]["server_received_at"] != epoch["start_time"]:
            report.add("time", "TIME_ORDER", "start_time is not when the first leaf was received.", **where)
        # Only epochs that overlap the selected run belong here; what the range selects of them is here.
        if self.filter["agent_id"] is not None:
            if start >= self.range[1] or end < self.range[0]:
                report.add("epochs", "MANIFEST_MISMATCH", "The epoch lies outside the range of the filter.", **where)
            return
        low, high = (min(self.by_seq), max(self.by_seq)) if self.records else (1, 0)
        if first > high or last < low:
            report.add("epochs", "MANIFEST_MISMATCH", "The epoch covers no record of the bundle.", **where)
        if first < low <= last and start >= self.range[0]:
            report.add("completeness", "SEQUENCE_GAP", "Leaves before the first record belong to the range.", **where)
        if first <= high < last and end < self.range[1]:
            report.add("completeness", "SEQUENCE_GAP", "Leaves after the last record belong to the range.", **where)

    def check_inclusion(self):
        report = self.report
        epochs = sorted(self.epochs, key=lambda epoch: epoch["first_seq_no"])
        starts, whole = [epoch["first_seq_no"] for epoch in epochs], [self.is_whole(epoch) for epoch in epochs]
        for record, leaf in zip(self.records, self.leaves):
            seq, where, proof = record["ear"]["seq_no"], self.where(record), record.get("inclusion")
            position = bisect.bisect_right(starts, seq) - 1
            epoch = epochs[position] if position >= 0 else None
            if epoch is None or seq > epoch["last_seq_no"]:
                report.add("epochs", "EPOCH_GAP", "No epoch of the bundle covers the record.", **where)
                continue
            if parse_time(epoch["end_time"]) < parse_time(record["ear"]["server_received_at"]):
                report.add("time", "TIME_ORDER", "The record was received after its epoch had closed.", **where)
            if (proof is None) != whole[position]:
                report.add("epochs", "INCLUSION_INVALID", "An inclusion proof is present exactly where the epoch is not whole.",
                           epoch_id=epoch["epoch_id"], **where)
            elif proof is not None:
                index = seq - epoch["first_seq_no"]
                path = [digest_raw(item) for item in proof["path"]]
                if (proof["epoch_id"], proof["leaf_index"]) != (epoch["epoch_id"], index) or \
                        root_from_path(leaf, index, epoch["leaf_count"], path) != digest_raw(epoch["root_hash"]):
                    report.add("epochs", "INCLUSION_INVALID", "The proof does not lead to the epoch's root.",
                               epoch_id=epoch["epoch_id"], **where)

    # Administrative events.

    def check_admin_events(self):
        report, events, broken = self.report, self.bundle["admin_events"], "ADMIN_CHAIN_BROKEN"
        positions = {event["event_hash"]: number for number, event in enumerate(events)}
        report.count("admin_log", len(events))
        ids = [event["event_id"] for event in events if not is_withheld(event)]
        for number, event in enumerate(events):
            where = {} if is_withheld(event) else {"event_id": event["event_id"]}
            actual = event["event_hash"] if is_withheld(event) else digest_text(sha256(admin_event_statement(event)))
            if actual != event["event_hash"]:
                report.add("admin_log", broken, "The event's hash is not that of its members.",
                           expected=event["event_hash"], actual=actual, **where)
            if number and event["prev_event_hash"] != events[number - 1]["event_hash"]:
                report.add("admin_log", broken, "The event does not follow the one before it.", **where)
            if number and event["created_at"] < self.range[0]:
                report.add("admin_log", broken, "The run begins earlier than the newest event before the range.", **where)
            if not number and event["prev_event_hash"] is not None and event["created_at"] >= self.range[0]:
                report.add("admin_log", broken, "The run begins after the start of the range.", **where)
        if len(positions) != len(events) or len(set(ids)) != len(ids):
            report.add("admin_log", broken, "An event appears twice.")
        reached = -1  # the newest event that an epoch has committed to so far; the chain only grows
        from_first = not events or events[0]["prev_event_hash"] is None
        for epoch in self.epochs:
            head = epoch["admin_head_hash"]
            position = positions.get(head, -1)
            if (head is not None and position < 0) or (head is None and not from_first) or position < reached:
                report.add("admin_log", broken, "The epoch's admin head is not where it belongs in the admin chain.",
                           actual=head, epoch_id=epoch["epoch_id"])
            reached = max(reached, position)

    # Manifest.

    def check_manifest(self):
        report, manifest, records = self.report, self.manifest, self.records
        self.signed_by_service(manifest["service_kid"], self.bundle["manifest_signature"], jcs(manifest), "completeness",
                               "MANIFEST_SIGNATURE_INVALID", "The service's signature over the manifest is invalid.")
        directory = {name: self.bundle[name] for name in ("agents", "org", "service_keys")}
        withheld = [event for event in self.bundle["admin_events"] if is_withheld(event)]
        event_hashes = [digest_raw(event["event_hash"]) for event in self.bundle["admin_events"]]
        expected = {
            "record_count": len(records),
            "first_seq_no": records[0]["ear"]["seq_no"] if records else None,
            "last_seq_no": records[-1]["ear"]["seq_no"] if records else None,
            "redacted_count": sum("payload" not in record["eor"] for record in records),
            "records_digest": digest_text(sha256(b"".join(self.leaves))),
            "epochs_digest": digest_text(sha256(b"".join(sha256(epoch_statement(epoch)) for epoch in self.epochs))),
            "admin_events_digest": digest_text(sha256(b"".join(event_hashes))),
            "directory_digest": digest_text(sha256(jcs(directory))),
            "withheld_events_digest": digest_text(sha256(jcs(withheld))) if withheld else None,
        }
        for name, value in expected.items():
            if manifest.get(name) != value:
                report.add("completeness", "MANIFEST_MISMATCH", "The manifest's %s is not that of the bundle." % name,
                           expected=manifest.get(name), actual=value)
        agent_id = self.filter["agent_id"]
        if agent_id is not None:
            if [agent["agent_id"] for agent in self.bundle["agents"]] != [agent_id]:
                report.add("completeness", "MANIFEST_MISMATCH", "The agents are not the one that the filter names.")
            for record in records:
                if record["eor"]["agent_id"] != agent_id:
                    report.add("completeness", "MANIFEST_MISMATCH", "The record is of an agent the filter excludes.",
                               **self.where(record))
        head, last = manifest["log_head"], self.epochs[-1] if self.epochs else {"epoch_no": 0, "last_seq_no": 0}
        newer = head["epoch_no"] - last["epoch_no"]  # each newer epoch has at least one leaf
        if newer < 0 or head["seq_no"] < max([last["last_seq_no"] + newer] + list(self.by_seq)):
            report.add("completeness", "MANIFEST_MISMATCH", "The log head lies before the end of the bundle.",
                       expected=last["last_seq_no"], actual=head["seq_no"])
        # Everything there was when the bundle was made had been received by then.
        created = parse_time(manifest["created_at"])
        if records and agent_id is None and self.range[1] > created and max(self.by_seq) < head["seq_no"]:
            report.add("completeness", "SEQUENCE_GAP", "The range reaches beyond the making of the bundle, yet ends early.")
        if not records:
            report.not_checked("completeness", "the bundle has no records")

    # Receipts that agents kept.

    def check_receipts(self):
        for name, line, data in self.receipts:
            where = {"file": name, "line": line}
            self.report.count("reconciliation")
            try:
                ear, problems = parse_json(data), []
                EAR(ear, "receipt", problems)
            except Unreadable as error:
                ear, problems = None, [("receipt", str(error))]
            if problems:
                self.report.add("reconciliation", "MALFORMED", "%s: %s." % problems[0], **where)
            elif ear["service_kid"] not in self.public:
                self.report.add("reconciliation", "KEY_UNKNOWN", "The bundle has no key to check this receipt with.", None,
                                "warning", service_kid=ear["service_kid"], **where)
                self.report.not_checked("reconciliation", "a receipt is signed with a key that the bundle lacks")
            elif self.signed_by_service(ear["service_kid"], ear["service_signature"], receipt_statement(ear),
                                        "reconciliation", "RECEIPT_SIGNATURE_INVALID",
                                        "The service's signature over the kept receipt is invalid.", **where):
                self.reconcile(ear, where)

    def reconcile(self, ear, where):
        """A kept receipt, validly signed, against the records."""
        where = dict(where, seq_no=ear["seq_no"], operation_id=ear["operation_id"], agent_id=ear["agent_id"])
        received, created = parse_time(ear["server_received_at"]), parse_time(self.manifest["created_at"])
        position = self.by_seq.get(ear["seq_no"])
        if position is None:  # the same operation under another seq_no?
            position = next((number for number, record in enumerate(self.records)
                             if record["ear"]["operation_id"] == ear["operation_id"]), None)
        if ear["org_id"] != self.manifest["org_id"]:
            self.report.add("reconciliation", "RECEIPT_MISMATCH", "The kept receipt is of another organization.", **where)
        elif position is not None:
            if self.leaves[position] != leaf_hash(ear):
                self.report.add("reconciliation", "EQUIVOCATION", "The kept receipt and the one in the bundle differ.", **where)
        elif self.range[0] <= received < self.range[1] and self.filter["agent_id"] in (None, ear["agent_id"]) and (
                ear["seq_no"] <= self.manifest["log_head"]["seq_no"] or received < created):
            self.report.add("reconciliation", "RECORD_OMITTED", "The bundle lacks a record that was receipted.", **where)


# ---- Command line --------------------------------------------------------------------------------

def load_bundle(data):
    """The bundle in `data`; raises Unreadable where there is none that this program understands."""
    bundle = parse_json(data)
    kind = bundle.get("format") if isinstance(bundle, dict) else None
    if not isinstance(kind, str) or not kind.startswith("countersign.bundle."):
        raise Unreadable("not a Countersign bundle")
    if kind != "countersign.bundle.v1":
        raise Unreadable("UNSUPPORTED_VERSION: " + kind)
    return bundle


def verify(data, trusted=(), receipts=()):
    """(verdict, report) for the bytes of a bundle; receipts are (file name, line number, line)."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 5000))  # payloads may nest deeply
    report = Verifier(load_bundle(data), trusted, receipts).run()
    return report.verdict(), report


def read_receipts(name):
    with open(name, "rb") as file:
        return [(name, number, line) for number, line in enumerate(file.read().split(b"\n"), 1) if line.strip()]


def print_report(verdict, report):
    print("verdict: " + verdict)
    for name, check in report.checks.items():
        print("  %-17s %-15s %d checked%s" % (name, check["status"], check["count"],
                                              ", " + check["reason"] if "reason" in check else ""))
    for finding in report.findings:
        where = " ".join("%s=%s" % item for item in finding["where"].items())
        print("%s %s: %s %s" % (finding["severity"], finding["code"], finding["message"], where))


def main():
    parser = argparse.ArgumentParser(description="Verify a Countersign bundle.")
    parser.add_argument("bundle")
    parser.add_argument("--trust", action="append", default=[], metavar="KEY[@ORG_ID]",
                        help="service key you trust: its kid, or the 60 digits of its fingerprint")
    parser.add_argument("--receipts", action="append", default=[], metavar="FILE", help="kept receipts, one per line")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    options = parser.parse_args()  # exits with 2 on wrong usage
    try:
        with open(options.bundle, "rb") as file:
            data = file.read()
        receipts = [item for name in options.receipts for item in read_receipts(name)]
        verdict, report = verify(data, options.trust, receipts)
    except (OSError, Unreadable, RecursionError) as error:
        print("%s: %s" % (options.bundle, error), file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps({"verdict": verdict, "checks": report.checks, "findings": report.findings}, indent=1))
    else:
        print_report(verdict, report)
    return {"verified": 0, "failed": 1, "incomplete": 3}[verdict]


if __name__ == "__main__":
    sys.exit(main())
