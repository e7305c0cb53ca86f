#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the test vectors beside this file: python3 test/vectors/generate.py

Deterministic: every key, nonce and identifier is derived from a fixed label, so running it again writes
the same bytes. Needs only the standard library; canonical JSON, curve arithmetic and statements come
from ../interop/verify_bundle.py, which is written from docs/protocol and shares no code with the
service. Whatever is written here has been checked against that verifier before.
"""

import base64
import datetime
import functools
import hashlib
import io
import json
import os
import struct
import sys
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(HERE, "..", "interop"))

import verify_bundle as v  # noqa: E402


# ---- Helpers -------------------------------------------------------------------------------------

def derive(label, length=32):
    """Bytes that depend on nothing but the label."""
    return hashlib.shake_256(b"countersign test vectors v1: " + label.encode("utf-8")).digest(length)


def derive_uuid(label):
    return str(uuid.UUID(bytes=derive("uuid " + label, 16), version=4))


def secret_scalar(seed):
    head = bytearray(hashlib.sha512(seed).digest()[:32])
    head[0] &= 248
    head[31] = head[31] & 127 | 64
    return int.from_bytes(head, "little")


@functools.lru_cache(maxsize=None)
def public_key(seed):
    return v.point_encode(v.point_multiply(secret_scalar(seed), v.BASE))


def challenge(r, a, message):
    return int.from_bytes(hashlib.sha512(r + a + message).digest(), "little") % v.L


def little(number):
    return number.to_bytes(32, "little")


def sign(seed, message):
    """RFC 8032 section 5.1.6."""
    prefix, a = hashlib.sha512(seed).digest()[32:], public_key(seed)
    nonce = int.from_bytes(hashlib.sha512(prefix + message).digest(), "little") % v.L
    r = v.point_encode(v.point_multiply(nonce, v.BASE))
    return r + little((nonce + challenge(r, a, message) * secret_scalar(seed)) % v.L)


class Raw(str):
    """JSON text to be written as it stands, for numbers such as -0 that no value keeps."""


def minimal(value):
    """JSON without white space, members in the order given; numbers and strings as ECMAScript writes them."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(minimal, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(v.format_string(name) + ":" + minimal(item) for name, item in value.items()) + "}"
    return v.canonical_text(value)


def save(name, content):
    data = content.encode("utf-8")
    assert len(data) < 200000, name
    with open(os.path.join(HERE, name), "wb") as file:
        file.write(data)


def arrays_of_lines(sections):
    """Members of an object that are arrays, one element per line."""
    return ",\n".join('"%s":[\n%s\n]' % (name, ",\n".join(map(minimal, items))) for name, items in sections.items())


def save_array(name, items):
    # ASCII, so that no editor or transport can normalise what a vector wants to keep apart
    save(name, "[\n" + ",\n".join(json.dumps(item) for item in items) + "\n]\n")


# ---- canonical.json ------------------------------------------------------------------------------

# IEEE 754 bits and the text RFC 8785 appendix B gives for them.
RFC_8785_NUMBERS = """
0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2
"""

NUMBERS = """
0 -0 -0.0 0e0 1 -1 1.0 10 100 1e2 1E2 1e+2 1.5 -1.5 0.1 0.2 0.30000000000000004 0.5 123456789 9007199254740990
9007199254740991 9007199254740992 9007199254740994 -9007199254740991 100000000000000000000 1e20
123456789012345680000 999999999999999900000 1e21 1000000000000000000000 1e22 1.5e21 1.7976931348623157e308
-1.7976931348623157e308 0.001 0.0001 0.00001 0.000001 1e-6 0.0000001 1e-7 1.5e-7 0.0000012345 123e-20
2.2250738585072014e-308 2.225073858507201e-308 5e-324 1e-323 1.5e-323 4.35 0.000035 1.005 2.675
1.1920928955078125e-7 4503599627370495.5 5e-1 3.0e0 7e-10 -1e-7 -1e21 1e300 -1e-300 8.41 1.0000000000000002
0.9999999999999999 6.02214076e23 6.62607015e-34 12345678901234567000 1e23 100000000000000000000000
0.1000000000000000000000 10000000000000000000000e-22 1e0000000000000000000000001 0e999999999999999999999
0.000000000000000000000000000
"""

# Of which a double keeps another value than the text has (F5).
INEXACT = """
9007199254740993 -9007199254740993 9007199254740991.5 18446744073709551615 18446744073709551616
9223372036854775807 999999999999999999999 1.7976931348623158e308 2.2250738585072011e-308
4.9406564584124654e-324 2e-324 1e-400 4503599627370496.5 12345678901234567890 0.1234567890123456789
179769313486231570814527423731704356798070e267 3.141592653589793238462643383279 0.30000000000000000001
0.10000000000000000555 1e-324 1e999999999999999999999 1e-999999999999999999999 1.00000000000000000000000001
"""

BACKSLASH = "\\"


def canonical_cases():
    cases = []

    def case(name, text, expected=None):
        canonical = v.canonical_text(v.parse_json(text))
        assert expected is None or canonical == expected, name
        cases.append({"name": name, "input": text, "canonical": canonical})

    def error(name, text):
        try:
            v.canonical_text(v.parse_json(text))
        except v.Unreadable:
            cases.append({"name": name, "input": text, "error": True})
        else:
            raise AssertionError(name)

    def escape(code):
        return BACKSLASH + "u%04x" % code

    case("RFC 8785 section 3.2.2, with the digits of the double",
         '{\n  "numbers": [333333333.3333333, 1E30, 4.50,\n              2e-3, 0.000000000000000000000000001],\n'
         '  "string": "' + escape(0x20ac) + "$" + BACKSLASH + "u000F" + BACKSLASH + "u000aA'" + BACKSLASH + "u0042" + BACKSLASH +
         "u0022" + BACKSLASH + "u005c" + BACKSLASH * 2 + BACKSLASH + '"' + BACKSLASH + '/",\n  "literals": [null, true, false]\n}',
         '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"\u20ac$'
         + BACKSLASH + "u000f" + BACKSLASH + "nA'B" + BACKSLASH + '"' + BACKSLASH * 4 + BACKSLASH + '"/"}')
    keys = [(0x20ac, "Euro Sign"), (0x0d, "Carriage Return"), (0xfb33, "Hebrew Letter Dalet With Dagesh"), (0x31, "One"),
            (0x1f600, "Emoji: Grinning Face"), (0x80, "Control"), (0xf6, "Latin Small Letter O With Diaeresis")]
    case("RFC 8785 section 3.2.3, sorting", json.dumps({chr(code): name for code, name in keys}))

    for line in RFC_8785_NUMBERS.split("\n")[1:-1]:
        bits, expected = line.split(" ")
        case("RFC 8785 appendix B, " + bits, repr(struct.unpack(">d", bytes.fromhex(bits))[0]), expected)
    for text in NUMBERS.split():
        case("number " + text, text)
    for text in INEXACT.split():
        error("a number that a double does not keep: " + text, text)
    error("RFC 8785 section 3.2.2, its number of 17 digits", "[333333333.33333329]")
    for exponent in range(-9, 25):
        case("power of ten, exponent %d" % exponent, "%d.5e%d" % (7, exponent))
    for number in range(24):
        value = struct.unpack(">d", derive("double %d" % number, 8))[0]
        if value == value and abs(value) != float("inf"):
            case("double from bits %s" % struct.pack(">d", value).hex(), repr(value))
    error("number overflows to infinity", "1e400")
    error("negative number overflows to infinity", "[-1e309]")

    case("sorting by UTF-16 code units, not code points",
         json.dumps({"\ue000": 1, "\U0001f600": 2, "\uffff": 3, "\ud7ff": 4, "\U00010000": 5, "a": 6}, ensure_ascii=False))
    case("sorting surrogate pairs by their second half",
         json.dumps({"\U0001f602": 1, "\U0001f600": 2, "\U0001f601": 3, "\U0001f600a": 4}, ensure_ascii=False))
    case("sorting: prefixes, digits, case", '{"aa":1,"a":2,"":3,"B":4,"b":5,"A":6,"10":7,"9":8,"1":9,"_":10," ":11}')
    case("sorting: escaped and plain spellings of keys", '{"' + escape(0x62) + '":1,"a":2,"' + escape(0x63) + '":3}')
    case("sorting: nested objects, arrays keep their order", '{"z":{"b":1,"a":[{"d":1,"c":2},3,1,2]},"y":[]}')
    case("names that objects of some languages treat specially",
         '{"constructor":1,"__proto__":{"b":1,"a":2},"toString":3,"hasOwnProperty":null,"length":0,"2":0,"10":0,"01":0}')
    for code in range(0x20):
        case("control character U+%04X" % code, '"x' + escape(code) + 'y"')
    case("upper-case hex in an escape", '"' + BACKSLASH + "u00E9" + BACKSLASH + "u001F" + BACKSLASH + 'uD83D' + BACKSLASH + 'uDE00"')
    case("short escapes", '"' + "".join(BACKSLASH + c for c in 'bfnrt"/') + BACKSLASH * 2 + '"')
    case("DEL, C1 controls and separators stay as they are", '"\x7f\x80\x9f\u2028\u2029\ufeff"')
    case("noncharacters stay as they are", '"' + escape(0xfffe) + escape(0xffff) + '\U0010ffff"')
    case("characters for HTML stay as they are", '"<script>&amp;\'</script>"')
    case("control character as a member name", '{"' + escape(1) + '":1,"' + BACKSLASH + 'n":2,"' + escape(0) + '":3}')
    case("surrogate pair as escapes", '"' + escape(0xd83d) + escape(0xde00) + '"')
    lone = {"high surrogate alone": escape(0xd800), "low surrogate alone": escape(0xdc00),
            "high surrogate, then a letter": escape(0xdbff) + "a", "two high surrogates": escape(0xd83d) * 2,
            "low before high": escape(0xde00) + escape(0xd83d), "pair, then a low": "\U0001f600" + escape(0xdfff)}
    for name, text in lone.items():
        error("lone surrogate: " + name, '"' + text + '"')
    error("lone surrogate in a member name", '{"' + escape(0xd800) + '":1}')
    error("lone surrogate deep inside", '[[{"a":["' + escape(0xdead) + '"]}]]')
    error("duplicate member", '{"a":1,"b":2,"a":1}')
    error("duplicate member, spelled differently", '{"a":1,"' + escape(0x61) + '":2}')

    for name, text in {"composed": "\u00e9", "decomposed": "e\u0301", "angstrom sign": "\u212b", "ligature": "\ufb01",
                       "hangul jamo": "\u1112\u1161\u11ab", "full width": "\uff21", "dotted capital i": "\u0130"}.items():
        case("no normalisation: " + name, '{"' + text + '":"' + text + '"}')
    case("composed and decomposed are different names", '{"\u00e9":1,"e\u0301":2}')
    case("several scripts", '"Gr\u00fc\u00dfe, \u041f\u0440\u0438\u0432\u0435\u0442, \u65e5\u672c\u8a9e, \u0633\u0644\u0627\u0645, \U0001f44d\U0001f3fd"')
    for text in ("{}", "[]", '""', "null", "true", "false", "[[]]", "[{}]", '{"a":{}}', '{"a":[]}', '{"":""}', "[null]"):
        case("small value " + text, text)
    case("white space", " \t\r\n[ 1 ,\n2 , { \"a\" :\r\n3 } ] \n")
    for depth in (10, 50, 100):
        case("arrays nested %d deep" % depth, "[" * depth + "]" * depth)
        case("objects nested %d deep" % depth, '{"b":1,"a":' * depth + "null" + "}" * depth)
    case("arrays and objects nested 100 deep", '[{"k": ' * 50 + "1.50" + "}]" * 50)
    return cases


# ---- ed25519.json --------------------------------------------------------------------------------

def torsion_points():
    """The eight points of order dividing 8."""
    counter = 0
    while True:
        point = v.point_decode(derive("point %d" % counter))
        counter += 1
        if point is not None:
            point = v.point_multiply(v.L, point)
            if not v.is_identity(v.point_multiply(4, point)):  # a generator: order 8
                return [v.point_multiply(n, point) for n in range(8)]


def small_order_encodings(points):
    """All encodings that some decoder might read as a small-order point, and whether they are canonical."""
    encodings = [(v.point_encode(point), True) for point in points]
    sign = 1 << 255
    for y in (1, v.P - 1):  # x = 0, so a set sign bit is not canonical
        encodings.append((little(y | sign), False))
    for y in (v.P, v.P + 1):  # not reduced: y = 0 and y = 1
        encodings += [(little(y), False), (little(y | sign), False)]
    return encodings


def ed25519_cases():
    cases, torsion = [], torsion_points()
    seed, other = derive("ed25519 key 1"), derive("ed25519 key 2")
    a, public = secret_scalar(seed), public_key(seed)
    message = b"Countersign test message"
    good = sign(seed, message)

    def add(name, key, text, signature, valid=False):
        assert v.PublicKey(key).verify(signature, text) is valid, name
        cases.append({"name": name, "public_key": key.hex(), "message": text.hex(), "signature": signature.hex(), "valid": valid})

    def holds(key_point, r_point, key, signature, text, cofactor):
        """Does [c][S]B = [c]R + [c][k]A, whatever the points are?"""
        k, s = challenge(signature[:32], key, text), int.from_bytes(signature[32:], "little")
        left = v.point_multiply(cofactor * s, v.BASE)
        right = v.point_multiply(cofactor, v.point_add(r_point, v.point_multiply(k, key_point)))
        return v.is_identity(v.point_add(left, v.point_negate(right)))

    for length in (0, 1, 2, 31, 32, 33, 63, 64, 111, 112, 127, 128, 129, 1000):
        text = derive("message of %d" % length, length)
        key = derive("signer %d" % length)
        add("valid, message of %d bytes" % length, public_key(key), text, sign(key, text), True)
    for number in range(6):
        text, key = '{"n":%d}' % number, derive("json signer %d" % number)
        add("valid, JSON %d" % number, public_key(key), text.encode(), sign(key, text.encode()), True)

    for bit in (0, 7, 100, 254, 255, 256, 300, 400, 507, 508, 509, 510, 511):
        flipped = bytearray(good)
        flipped[bit // 8] ^= 1 << bit % 8
        add("bit %d of the signature flipped" % bit, public, message, bytes(flipped))
    for bit in (0, 100, 254, 255):
        flipped = bytearray(public)
        flipped[bit // 8] ^= 1 << bit % 8
        add("bit %d of the key flipped" % bit, bytes(flipped), message, good)
    add("message changed", public, message + b".", good)
    add("message empty", public, b"", good)
    add("key of somebody else", public_key(other), message, good)
    add("R and S exchanged", public, message, good[32:] + good[:32])
    add("S of another signature", public, message, good[:32] + sign(seed, b"another")[32:])
    add("signature all zero", public, message, bytes(64))
    add("signature all ones", public, message, b"\xff" * 64)

    s = int.from_bytes(good[32:], "little")
    for factor in range(1, 16):
        if s + factor * v.L < 2 ** 256:
            add("S + %d L" % factor, public, message, good[:32] + little(s + factor * v.L))
    for name, value in (("L", v.L), ("L - 1", v.L - 1), ("2^252", 2 ** 252), ("2^253", 2 ** 253), ("2^255", 2 ** 255)):
        add("S = " + name, public, message, good[:32] + little(value))
    add("S = 0", public, message, good[:32] + bytes(32))

    for length in (0, 1, 32, 63, 65, 96, 128):
        add("signature of %d bytes" % length, public, message, (good + bytes(64))[:length])
    for length in (0, 31, 33, 64):
        add("key of %d bytes" % length, (public + bytes(32))[:length], message, good)

    # y >= p: 19 values, each with both signs, as A and as R
    for y in range(v.P, 2 ** 255):
        for sign_bit in (0, 1):
            data = little(y | sign_bit << 255)
            if y - v.P > 1 or sign_bit:
                add("A with y = p + %d, sign %d" % (y - v.P, sign_bit), data, message, good)
                add("R with y = p + %d, sign %d" % (y - v.P, sign_bit), public, message, data + good[32:])
    off_curve = next(little(y) for y in range(2, 100) if v.point_decode(little(y)) is None)
    add("A not on the curve", off_curve, message, good)
    add("R not on the curve", public, message, off_curve + good[32:])

    for data, canonical in small_order_encodings(torsion):
        kind = "%s (%s)" % (data.hex(), "canonical" if canonical else "not canonical")
        masked = little(int.from_bytes(data, "little") % 2 ** 255 % v.P | (data[31] & 128) << 248)
        point = v.point_decode(masked) or v.point_decode(masked[:31] + bytes([masked[31] & 127]))
        for counter in range(1000):  # [k]A is the identity: both equations hold
            text, nonce = b"small order %d" % counter, 1 + counter
            signature = v.point_encode(v.point_multiply(nonce, v.BASE)) + little(nonce)
            if holds(point, v.point_multiply(nonce, v.BASE), data, signature, text, 1):
                break
        else:
            raise AssertionError(kind)
        add("small-order A, equation holds: " + kind, data, text, signature)
        add("small-order A and R, S = 0: " + kind, data, message, data + bytes(32))
        signature = data + little(challenge(data, public, message) * a % v.L)
        assert holds(v.point_decode(public), point, public, signature, message, 8)
        add("small-order R, S = k a: " + kind, public, message, signature)

    identity = little(1)
    signature = identity + little(challenge(identity, public, message) * a % v.L)
    assert holds(v.point_decode(public), v.IDENTITY, public, signature, message, 1)
    add("R is the identity, S = k a, both equations hold", public, message, signature)

    nonce = int.from_bytes(derive("nonce"), "little") % v.L
    for order, t in ((2, torsion[4]), (4, torsion[2]), (8, torsion[1]), (8, torsion[3])):
        mixed_point = v.point_add(v.point_decode(public), t)
        mixed_key = v.point_encode(mixed_point)
        r_point = v.point_multiply(nonce, v.BASE)
        r = v.point_encode(r_point)
        wanted = {True, False}
        for counter in range(1000):
            text = b"mixed order %d" % counter
            signature = r + little((nonce + challenge(r, mixed_key, text) * a) % v.L)
            assert holds(mixed_point, r_point, mixed_key, signature, text, 8)
            both = holds(mixed_point, r_point, mixed_key, signature, text, 1)
            if both in wanted:
                wanted.discard(both)
                add("mixed-order A, torsion of order %d, %s" % (order, "both equations hold" if both else "cofactored only"),
                    mixed_key, text, signature)
        r_point = v.point_add(v.point_multiply(nonce, v.BASE), t)
        r = v.point_encode(r_point)
        signature = r + little((nonce + challenge(r, public, message) * a) % v.L)
        assert holds(v.point_decode(public), r_point, public, signature, message, 8)
        assert not holds(v.point_decode(public), r_point, public, signature, message, 1)
        add("mixed-order R, torsion of order %d, cofactored only" % order, public, message, signature)
        for counter in range(1000):
            text = b"mixed order twice %d" % counter
            signature = r + little((nonce + challenge(r, mixed_key, text) * a) % v.L)
            if holds(mixed_point, r_point, mixed_key, signature, text, 1):
                add("mixed-order A and R, torsion of order %d, both equations hold" % order, mixed_key, text, signature)
                break
        else:
            raise AssertionError("no message found")
    return cases


def merkle_root(hashes):
    # F72
    if not hashes:
        return v.sha256(b"")
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    return v.node_hash(merkle_root(hashes[:split]), merkle_root(hashes[split:]))


def is_consistent(first, second, first_root, second_root, path):
    # F89
    return v.consistency_roots(first, second, first_root, path) == (first_root, second_root)



# ---- merkle.json ---------------------------------------------------------------------------------

def inclusion_path(index, hashes):
    """RFC 6962 section 2.1.1, as the recursion stands there."""
    if len(hashes) == 1:
        return []
    split = 1
    while split * 2 < len(hashes):
        split *= 2
    if index < split:
        return inclusion_path(index, hashes[:split]) + [merkle_root(hashes[split:])]
    return inclusion_path(index - split, hashes[split:]) + [merkle_root(hashes[:split])]


def merkle_vectors():
    leaves = [hashlib.sha256(b"\x00" + derive("leaf %d" % number)).digest() for number in range(40)]
    larger = [(index, size) for size in (31, 32, 33, 40) for index in (0, 1, 15, 16, 30, size - 2, size - 1)]
    wanted = [(index, size) for size in range(1, 18) for index in range(size)] + sorted(set(larger), key=lambda p: (p[1], p[0]))
    inclusion = []
    for index, size in wanted:
        path = inclusion_path(index, leaves[:size])
        inclusion.append({"index": index, "size": size, "path": [item.hex() for item in path]})
    roots = {str(size): merkle_root(leaves[:size]).hex() for size in range(41)}
    lines = ['"leaves":[\n' + ",\n".join(minimal(leaf.hex()) for leaf in leaves) + "\n]",
             '"roots":{\n' + ",\n".join('"%s":"%s"' % item for item in roots.items()) + "\n}",
             '"inclusion":[\n' + ",\n".join(map(minimal, inclusion)) + "\n]"]
    return "{" + ",\n".join(lines) + "}\n"


# ---- log.json ------------------------------------------------------------------------------------

def cover(first, hashes):
    """The roots of the largest complete subtrees within some leaves of a log, of which `first` come before (F81)."""
    if not hashes:
        return []
    size = 1 << len(hashes).bit_length() - 1
    while first % size:
        size //= 2
    return [merkle_root(hashes[:size])] + cover(first + size, hashes[size:])


def consistency_path(size, hashes, whole=True):
    """RFC 6962 section 2.1.2, SUBPROOF as the recursion stands there."""
    if size == len(hashes):
        return [] if whole else [merkle_root(hashes)]
    split = 1 << (len(hashes) - 1).bit_length() - 1
    if size <= split:
        return consistency_path(size, hashes[:split], whole) + [merkle_root(hashes[split:])]
    return consistency_path(size - split, hashes[split:], False) + [merkle_root(hashes[:split])]


# The leaves and roots that implementations of Certificate Transparency share.
CT_LEAVES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
CT_ROOTS = """
6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d
fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125
aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77
d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7
4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4
76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef
ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c
5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328
""".split()


def log_of(leaves, pairs):
    def hexes(items):
        return [item.hex() for item in items]

    sizes = []
    for size in range(1, len(leaves) + 1):
        root, log = merkle_root(leaves[:size]), v.Log()
        for height, item in zip(v.cover(0, size), cover(0, leaves[:size])):
            log.append(item, height)
        assert log.root() == root
        sizes.append({"size": size, "root": root.hex()})
    covers = [{"first": first, "end": end, "hashes": hexes(cover(first, leaves[first:end]))}
              for first in range(9) for end in list(range(first + 1, 13)) + [31, 40] if end <= len(leaves)]
    proofs = []
    for first, second in pairs:
        path = consistency_path(first, leaves[:second])
        assert is_consistent(first, second, merkle_root(leaves[:first]), merkle_root(leaves[:second]), path)
        proofs.append({"first": first, "second": second, "path": hexes(path)})
    lines = ['"leaves":[\n' + ",\n".join(minimal(leaf.hex()) for leaf in leaves) + "\n]",
             '"sizes":[\n' + ",\n".join(map(minimal, sizes)) + "\n]",
             '"covers":[\n' + ",\n".join(map(minimal, covers)) + "\n]",
             '"consistency":[\n' + ",\n".join(map(minimal, proofs)) + "\n]"]
    return "{" + ",\n".join(lines) + "}"


def log_vectors():
    leaves = [hashlib.sha256(b"\x00" + derive("log leaf %d" % number)).digest() for number in range(40)]
    pairs = [(first, second) for second in list(range(1, 18)) + [31, 32, 33, 40] for first in range(1, second + 1)]
    ct_leaves = [hashlib.sha256(b"\x00" + bytes.fromhex(leaf)).digest() for leaf in CT_LEAVES]
    for size, root in enumerate(CT_ROOTS, 1):
        assert merkle_root(ct_leaves[:size]).hex() == root
    ct_pairs = [(first, second) for second in range(1, 9) for first in range(1, second + 1)]
    return '{"log":%s,\n"certificate_transparency":%s}\n' % (log_of(leaves, pairs), log_of(ct_leaves, ct_pairs))


# ---- ledger.json and the bundles -----------------------------------------------------------------

EARLIER_LENGTH = 25  # operations there are in bundle-earlier.json
DAY = 1772323200000  # 2026-03-01T00:00:00Z
OPEN = DAY + 9 * 3600000
ORG_ID = "org_" + derive_uuid("organization").replace("-", "")[:20]
PAYLOADS = [
    "{}",
    '{"amount":1e21,"rate":0.1,"debt":-0,"tiny":1e-7}',
    '{"text":"Gr\u00fc\u00dfe, \u041f\u0440\u0438\u0432\u0435\u0442, \u65e5\u672c\u8a9e, \u0633\u0644\u0627\u0645","\U0001f600":1,"\ufb33":2,"\u20ac":3}',
    '{"n":[0,1,-1,9007199254740991,9007199254740992,5e-324,1.7976931348623157e308,333333333.3333333]}',
    '{"z":[1,2,{"b":null,"a":true}],"a":"","A":false}',
    '{"control":"\\u0000\\b\\t\\n\\f\\r\\u001f\\"\\\\/","separators":"\u2028\u2029\x7f"}',
    '{"composed":"\u00e9","decomposed":"e\u0301","nested":[[[[{}]]]]}',
    '{"10":1,"9":2,"":{"__proto__":0,"constructor":[]}}',
]
EPOCH_ENDS = (5, 14, 17, 25, 31)
# Who performs operation 1, 2, ...; the third epoch holds nothing but operations of one agent.
PERFORMERS = "bofbo" "fbbforbor" "bbb" "robofblo" "lbolbl"
AGENTS = {
    "b": ("billing.bot", "\u8acb\u6c42\u66f8\u30dc\u30c3\u30c8", "\u0411\u0443\u0445\u0433\u0430\u043b\u0442\u0435\u0440\u0438\u044f", "enterprise", ("2026-a", "2026-b")),
    "o": ("ops@site:7", "\u0639\u0645\u0644\u064a\u0627\u062a", None, "sdk", ("k1",)),
    "f": ("Frost_1", "Frost \u2744\ufe0f", "cold storage", "letta", ("k1",)),
    "r": ("removed-agent", "removed-agent", "", "other", ("key \u2116 1",)),
    "l": ("late.agent", "Late", "night shift", "codex", ("k1",)),
    "s": ("salting.agent", "Salt", None, "sdk", ("k1",)),
}
# What happens before which operation.
FROZEN_BEFORE, UNFROZEN_BEFORE, REVOKED_BEFORE, HOOKED_BEFORE, KEY_CHANGED_BEFORE = 7, 9, 13, 17, 19
ROTATED_BEFORE, REMOVED_BEFORE, REGISTERED_BEFORE, FROZEN_FOR_GOOD_BEFORE = 21, 22, 24, 31


def iso(ms):
    moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(milliseconds=ms)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (moment.microsecond // 1000)


def issued(ms, seq):
    """The spellings of a time that agents use."""
    if seq % 5 == 1:
        return iso(ms + 5400000)[:-1] + "+01:30"
    if seq % 5 == 2:
        return iso(ms - 3 * 3600000)[:-5] + "-03:00"
    return iso(ms)[:-1] + "417Z" if seq % 5 == 3 else iso(ms)


CLOCK_CORRECTED = "ledger.clock_corrected"

# When bundle-whole.json is made, and its range.
WHOLE = DAY + 12 * 3600000, iso(DAY), iso(DAY + 86400000)


class Ledger:
    """One small organization, played from its beginning to an operation that ends an epoch."""

    org = {"org_id": ORG_ID, "name": "Nordlicht \u2013 \u03a9mega \u682a\u5f0f\u4f1a\u793e"}
    first_service_key = "service 1"

    def __init__(self, length=len(PERFORMERS)):
        self.org_id = self.org["org_id"]
        self.service_keys, self.service_seeds, self.agents, self.agent_seeds = [], {}, {}, {}
        self.admin_events, self.operations, self.epochs = [], [], []
        self.owner = derive_uuid("owner")
        self.clock = 0
        self.new_service_key(self.first_service_key, DAY - 86400000)
        self.play(length)

    def at(self, ms):
        """The service's clock: the time asked for, but never before the one it gave last."""
        self.clock = max(self.clock, ms)
        return self.clock

    # Service keys

    def new_service_key(self, label, now):
        now, seed = self.at(now), derive(label)
        public = public_key(seed)
        key = {"kid": v.thumbprint(public), "algorithm": "ed25519", "public_key": v.b64url_encode(public), "status": "active",
               "created_at": now, "retired_at": None, "prev_kid": None, "self_signature": None, "prev_signature": None}
        if self.service_keys:
            prev = self.service_keys[-1]
            key["prev_kid"] = prev["kid"]
            key["prev_signature"] = v.b64url_encode(sign(self.service_seeds[prev["kid"]], v.service_key_statement(key)))
            prev.update(status="retired", retired_at=now)
            self.admin(now, "service_key.rotate", "service_key", key["kid"], {"prev_kid": prev["kid"]})
        key["self_signature"] = v.b64url_encode(sign(seed, v.service_key_statement(key)))
        self.service_keys.append(key)
        self.service_seeds[key["kid"]] = seed

    @property
    def service_kid(self):
        return self.service_keys[-1]["kid"]

    def service_sign(self, statement):
        return v.b64url_encode(sign(self.service_seeds[self.service_kid], statement))

    # Administration

    def admin(self, now, action, target_type, target_id, details):
        prev = self.admin_events[-1]["event_hash"] if self.admin_events else None
        event = {"event_id": derive_uuid("event %d" % len(self.admin_events)), "org_id": self.org_id, "actor": self.owner,
                 "action": action, "target_type": target_type, "target_id": target_id, "details": details,
                 "created_at": now, "prev_event_hash": prev}
        event["event_hash"] = v.digest_text(v.sha256(v.admin_event_statement(event)))
        self.admin_events.append(event)

    def agent_event(self, letter, now, action, details):
        self.agents[letter]["updated_at"] = now
        self.admin(now, action, "agent", self.agents[letter]["agent_id"], details)

    def attest(self, key):
        key["service_kid"] = self.service_kid
        key["attestation"] = self.service_sign(v.agent_key_statement(key, self.org_id))

    def new_agent_key(self, letter, kid, now):
        agent = self.agents[letter]
        seed = derive("agent %s %s" % (agent["agent_id"], kid))
        key = {"kid": kid, "agent_id": agent["agent_id"], "public_key": v.b64url_encode(public_key(seed)), "algorithm": "ed25519",
               "status": "active", "created_at": now, "retired_at": None, "service_kid": None, "attestation": None}
        self.attest(key)
        agent["keys"].append(key)
        self.agent_seeds[agent["agent_id"], kid] = seed
        return {"kid": kid, "thumbprint": v.thumbprint(public_key(seed))}

    def register(self, letter, now):
        now = self.at(now)
        agent_id, display_name, entity, integration_type, kids = AGENTS[letter]
        self.agents[letter] = {
            "agent_id": agent_id, "org_id": self.org_id, "display_name": display_name, "responsible_entity": entity,
            "integration_type": integration_type, "status": "active", "created_at": now, "updated_at": now, "keys": []}
        keys = [self.new_agent_key(letter, kid, now) for kid in kids]
        self.agent_event(letter, now, "agent.register", {"keys": keys, "display_name": display_name,
                                                          "integration_type": integration_type, "responsible_entity": entity})

    def add_key(self, letter, kid, now):
        now = self.at(now)
        self.agent_event(letter, now, "agent.add_key", self.new_agent_key(letter, kid, now))

    def revoke_key(self, letter, now):
        now, key = self.at(now), self.agents[letter]["keys"][0]
        key.update(status="revoked", retired_at=now)
        self.attest(key)
        self.agent_event(letter, now, "agent.revoke_key", {"kid": key["kid"], "reason": "lost \U0001f511"})

    def set_status(self, letter, status, action, now):
        self.agents[letter]["status"] = status
        self.agent_event(letter, self.at(now), action, {"reason": "\u043f\u0440\u043e\u0432\u0435\u0440\u043a\u0430"})

    # Operations and epochs

    def payload(self, seq):
        return PAYLOADS[seq % len(PAYLOADS)]

    def operate(self, letter, seq, now):
        now = self.at(now)
        agent, payload = self.agents[letter], self.payload(seq)
        key = next(key for key in agent["keys"] if key["status"] == "active")
        prev = [op for op in self.operations if op["eor"]["agent_id"] == agent["agent_id"]]
        canonical = v.jcs(v.parse_json(payload))
        eor = {"op_version": 1, "operation_id": derive_uuid("operation %d" % seq), "org_id": self.org_id,
               "agent_id": agent["agent_id"], "issued_at": issued(now - 900 - seq, seq), "ttl_ms": 60000 if seq % 4 else 86400000,
               "nonce": derive("nonce %d" % seq, 8 + seq % 9).hex(), "operation_type": ("invoice.create", "note", "file.read-only")[seq % 3],
               "subject": "\u0441\u0447\u0451\u0442/%d \u2192 \U0001f4c4" % seq, "action": ("create", "write", "\u8aad\u3080")[seq % 3],
               "payload": Raw(payload), "payload_hash": v.digest_text(v.sha256(canonical)),
               "prev_chain_hash": prev[-1]["chain_hash"] if prev else None, "agent_pubkey_kid": key["kid"], "signature": None}
        signed = v.record_bytes(eor)
        eor["signature"] = v.b64url_encode(sign(self.agent_seeds[agent["agent_id"], key["kid"]], signed))
        ear = {"receipt_id": derive_uuid("receipt %d" % seq), "operation_id": eor["operation_id"], "org_id": self.org_id,
               "agent_id": eor["agent_id"], "seq_no": seq, "chain_hash": v.chain_hash(eor), "server_received_at": iso(now),
               "service_kid": self.service_kid}
        ear["service_signature"] = self.service_sign(v.receipt_statement(ear))
        self.operations.append({
            "seq_no": seq, "eor": eor, "payload_canonical": canonical.decode(), "signed_bytes_utf8": signed.decode(),
            "signature": eor["signature"], "chain_hash": ear["chain_hash"], "ear": ear,
            "receipt_statement_utf8": v.receipt_statement(ear).decode(), "leaf_hash": v.digest_text(v.leaf_hash(ear))})

    def close_epoch(self, now):
        now = self.at(now)
        prev = self.epochs[-1] if self.epochs else None
        first = prev["last_seq_no"] + 1 if prev else 1
        run = self.operations[first - 1:]
        epoch = {"epoch_id": derive_uuid("epoch %d" % first), "epoch_no": len(self.epochs) + 1, "org_id": self.org_id,
                 "start_time": run[0]["ear"]["server_received_at"], "end_time": iso(now), "first_seq_no": first,
                 "last_seq_no": first + len(run) - 1, "leaf_count": len(run),
                 "root_hash": v.digest_text(merkle_root(self.leaves(first, first + len(run) - 1))),
                 "log_root": v.digest_text(merkle_root(self.leaves(1, first + len(run) - 1))), "hash_alg": "SHA-256",
                 "prev_epoch_hash": v.digest_text(v.sha256(v.epoch_statement(prev))) if prev else None,
                 "admin_head_hash": self.admin_events[-1]["event_hash"], "service_kid": self.service_kid}
        epoch["signature_by_service"] = self.service_sign(v.epoch_statement(epoch))
        self.epochs.append(epoch)

    def leaves(self, first, last):
        return [v.digest_raw(op["leaf_hash"]) for op in self.operations[first - 1:last]]

    def create_organization(self):
        self.admin(self.at(OPEN - 3600000), "org.create", "organization", self.org_id, {"name": self.org["name"], "type": "organization"})

    def play(self, length):
        self.create_organization()
        self.admin(self.at(OPEN - 3500000), "member.invite", "member", "zo\u00eb@example.org",
                   {"email": "zo\u00eb@example.org", "role": "compliance_auditor"})
        for number, letter in enumerate("bofr"):
            self.register(letter, OPEN - 3000000 + number)
        now = OPEN
        for seq, letter in enumerate(PERFORMERS[:length], 1):
            now += 0 if seq % 6 == 0 else 4000 + 137 * seq  # some are received in the same millisecond
            self.administer(seq, now)
            self.operate(letter, seq, now)
            if seq in EPOCH_ENDS:
                now += 2000
                self.close_epoch(now)
            if seq == EARLIER_LENGTH:  # an event that no epoch of bundle-earlier.json seals
                self.admin(self.at(now + 500), "export.create", "export", derive_uuid("export bundle-earlier.json"), {"format": "json"})
        self.end = now

    def administer(self, seq, now):
        """What the owner does shortly before an operation."""
        if seq == FROZEN_BEFORE:
            self.set_status("f", "frozen", "agent.freeze", now - 1100)
        if seq == UNFROZEN_BEFORE:
            self.set_status("f", "active", "agent.unfreeze", now)
        if seq == REVOKED_BEFORE:
            self.revoke_key("b", now - 1000)
        if seq == HOOKED_BEFORE:
            self.admin(self.at(now - 950), "webhook.register", "webhook", derive_uuid("webhook"),
                       {"url": "https://example.org/hook", "event_types": ["receipt.created"]})
        if seq == KEY_CHANGED_BEFORE:
            self.add_key("o", "k2", now - 940)
            self.revoke_key("o", now - 930)
        if seq == ROTATED_BEFORE:
            self.new_service_key("service 2", now - 900)
        if seq == REMOVED_BEFORE:
            self.set_status("r", "deleted", "agent.delete", now - 800)
        if seq == REGISTERED_BEFORE:
            self.register("l", now - 700)
        if seq == FROZEN_FOR_GOOD_BEFORE:
            self.set_status("f", "frozen", "agent.freeze", now - 600)

    # Bundles

    def placed(self, op):
        """The time by which an operation lies in a range."""
        return op["ear"]["server_received_at"]

    def shown(self, seq):
        """The disclosures that a bundle shows of a record, as they stand in it."""
        return {}

    def withheld_members(self, seq):
        """How many names of a record have no disclosure in a bundle."""
        return 0

    def gap(self, after, before, epochs):
        """What a bundle states of the receipts between two that it shows: cut where the epoch of the first ends."""
        cuts = {epoch["last_seq_no"] for epoch in epochs if epoch["first_seq_no"] <= after <= epoch["last_seq_no"]}
        ends = sorted({before - 1} | {cut for cut in cuts if after < cut < before - 1})
        hashes, first = [], after
        for end in ends:
            hashes += cover(first, self.leaves(first + 1, end))
            first = end
        return [v.digest_text(item) for item in hashes]

    def with_gaps(self, shown, epochs, head):
        """The same parts, each with its gap, and the rest of the log."""
        last, parts = 0, []
        for part in shown:
            gap = self.gap(last, part["ear"]["seq_no"], epochs)
            parts.append(dict(part, gap=gap) if gap else part)
            last = part["ear"]["seq_no"]
        return parts, self.gap(last, head["last_seq_no"] + 1, epochs)

    def epoch_of(self, seq):
        return next(epoch for epoch in self.epochs if epoch["first_seq_no"] <= seq <= epoch["last_seq_no"])

    def neighbour(self, op, with_record=False):
        if op is None:
            return None
        neighbour = {"ear": op["ear"]}
        return dict(neighbour, eor=v.without(op["eor"], "payload")) if with_record else neighbour

    def neighbours(self, start, end, agent_id):
        candidates = [op for op in self.operations if agent_id in (None, op["eor"]["agent_id"])]
        before = [op for op in candidates if self.placed(op) < start]
        after = [op for op in candidates if self.placed(op) >= end]
        return self.neighbour(before[-1] if before else None), self.neighbour(after[0] if after else None, agent_id is not None)

    def bundle(self, name, made_at, start, end, agent_id=None, redacted=(), withhold=lambda event: False, carried=None):
        selected = [op for op in self.operations if start <= self.placed(op) < end]
        run = {op["seq_no"] for op in selected}
        epochs = [epoch for epoch in self.epochs
                  if not run.isdisjoint(range(epoch["first_seq_no"], epoch["last_seq_no"] + 1))]
        selected = [op for op in selected if agent_id in (None, op["eor"]["agent_id"])]
        present, records = {op["seq_no"] for op in selected}, []
        for op in selected:
            eor = v.without(op["eor"], "payload") if op["seq_no"] in redacted else op["eor"]
            record = {"eor": eor, "ear": op["ear"]}
            if self.shown(op["seq_no"]):
                record["disclosures"] = self.shown(op["seq_no"])
            records.append(record)
        agents = [agent for agent in self.agents.values() if agent_id in (None, agent["agent_id"])]
        before, after = self.neighbours(start, end, agent_id)
        parts = ([before] if before else []) + records + ([after] if after else [])
        parts, rest = self.with_gaps(parts, epochs if selected else [], self.epochs[-1])
        edges = {"before": parts[0] if before else None, "after": parts[-1] if after else None, "rest": rest, "head": self.epochs[-1], **(carried or {})}
        records = parts[bool(before):len(parts) - bool(after)]
        withheld_names = ("created_at", "prev_event_hash", "event_hash")
        withheld = [{name: event[name] for name in withheld_names} for event in self.admin_events if withhold(event)]
        events = [{name: event[name] for name in withheld_names} if withhold(event) else event for event in self.admin_events]
        directory = v.jcs({"agents": agents, "org": self.org, "service_keys": self.service_keys})
        heads = [op for op in self.operations if op["eor"]["agent_id"] == agent_id]

        incomplete = [seq for seq in present if seq in redacted or self.withheld_members(seq)]

        def digest(items):
            return v.digest_text(v.sha256(b"".join(items)))

        manifest = {
            "type": "countersign.manifest.v1", "export_id": derive_uuid("export " + name), "org_id": self.org_id,
            "created_at": iso(made_at), "filter": {"start_time": start, "end_time": end, "agent_id": agent_id},
            "record_count": len(records), "first_seq_no": selected[0]["seq_no"] if selected else None,
            "last_seq_no": selected[-1]["seq_no"] if selected else None,
            "log_head": {"seq_no": len(self.operations), "epoch_no": len(self.epochs)},
            "agent_head": {"seq_no": heads[-1]["seq_no"], "chain_hash": heads[-1]["chain_hash"]} if heads else None,
            "admin_log": {"count": len(self.admin_events), "head_hash": self.admin_events[-1]["event_hash"]},
            "records_digest": digest(v.digest_raw(op["leaf_hash"]) for op in selected),
            "epochs_digest": digest(v.sha256(v.epoch_statement(epoch)) for epoch in epochs),
            "edges_digest": v.digest_text(v.sha256(v.jcs(edges))),
            "admin_events_digest": digest(v.digest_raw(event["event_hash"]) for event in events),
            "directory_digest": v.digest_text(v.sha256(directory)), "redacted_count": len(incomplete),
            "service_kid": self.service_kid}
        corrections = sum(event["action"] == CLOCK_CORRECTED for event in self.admin_events if not withhold(event))
        if corrections:
            manifest["clock_corrections"] = corrections
        if withheld:
            manifest["withheld_events_digest"] = v.digest_text(v.sha256(v.jcs(withheld)))
        disclosed = [v.shown_names_hash(op["seq_no"], self.shown(op["seq_no"])) for op in selected if self.shown(op["seq_no"])]
        if disclosed:
            manifest["disclosures_digest"] = digest(disclosed)
        statement = v.jcs(manifest)
        signature = self.service_sign(statement)
        lines = ['{"format":"countersign.bundle.v1"', '"service_keys":' + minimal(self.service_keys), '"org":' + minimal(self.org),
                 '"agents":' + minimal(agents), '"epochs":' + minimal(epochs), '"edges":' + minimal(edges),
                 '"admin_events":' + minimal(events),
                 '"records":[' + ("\n" + ",\n".join(map(minimal, records)) + "\n" if records else "") + "]",
                 '"manifest":' + minimal(manifest), '"manifest_signature":' + minimal(signature) + "}"]
        text = ",\n".join(lines)
        self.expect(text, "verified" if records else "incomplete", name)
        return text, {"file": name, "directory_utf8": directory.decode(), "edges_utf8": v.jcs(edges).decode(),
                      "statement_utf8": statement.decode(), "signature": signature}

    def proof(self, seqs, redacted=()):
        """A proof of records, R1, as its text."""
        records, epoch = [], self.epoch_of(seqs[-1])
        for op in (self.operations[seq - 1] for seq in seqs):
            eor = v.without(op["eor"], "payload") if op["seq_no"] in redacted else op["eor"]
            record = {"eor": eor, "ear": op["ear"]}
            if self.shown(op["seq_no"]):
                record["disclosures"] = self.shown(op["seq_no"])
            records.append(record)
        records, rest = self.with_gaps(records, [], epoch)
        signed = {(record["eor"]["agent_id"], record["eor"]["agent_pubkey_kid"]) for record in records}
        agents = [dict(agent_id=agent["agent_id"], keys=sorted((key for key in agent["keys"] if (agent["agent_id"], key["kid"]) in signed),
                                                               key=lambda key: key["kid"].encode("utf-16-be")))
                  for agent in sorted(self.agents.values(), key=lambda agent: agent["agent_id"].encode("utf-16-be"))
                  if agent["agent_id"] in {agent_id for agent_id, _ in signed}]
        whole = {"type": "countersign.record-proof.v1", "org_id": self.org_id, "records": records, "seal": {"epoch": epoch, "rest": rest},
                 "agents": agents, "service_keys": self.service_keys}
        return v.jcs(v.parse_json(minimal(whole).encode("utf-8"))).decode("utf-8")

    def tlog_proof(self, seq, note):
        """C2SP tlog-proof of a receipt against a checkpoint."""
        size = int(note.split("\n")[1])
        lines = ["c2sp.org/tlog-proof@v1",
                 "extra " + base64.b64encode(v.receipt_statement(self.operations[seq - 1]["ear"])).decode("ascii"),
                 "index %d" % (seq - 1),
                 *(base64.b64encode(item).decode("ascii") for item in inclusion_path(seq - 1, self.leaves(1, size))), ""]
        return "".join(line + "\n" for line in lines) + note

    def expect(self, text, wanted, name):
        """Every bundle written here passes the verifier, whichever of the two service keys is trusted."""
        for trusted in [[key["kid"]] for key in self.service_keys] + [[]]:
            verdict, report = v.verify(text.encode("utf-8"), trusted)
            assert verdict == (wanted if trusted else "incomplete"), (name, trusted, report)

    def described_keys(self):
        return {
            "service_keys": [{"seed_hex": self.service_seeds[key["kid"]].hex(), "key": key,
                              "statement_utf8": v.service_key_statement(key).decode()} for key in self.service_keys],
            "agents": [v.without(agent, "keys") for agent in self.agents.values()],
            "agent_keys": [{"seed_hex": self.agent_seeds[agent["agent_id"], key["kid"]].hex(), "key": key,
                            "attestation_statement_utf8": v.agent_key_statement(key, self.org_id).decode()}
                           for agent in self.agents.values() for key in agent["keys"]]}

    def describe(self, manifests):
        """ledger.json: every intermediate value, one thing per line."""
        sections = {
            **self.described_keys(),
            "admin_events": [{"event": event, "statement_utf8": v.admin_event_statement(event).decode()} for event in self.admin_events],
            "operations": self.operations,
            "epochs": [{"epoch": epoch, "statement_utf8": v.epoch_statement(epoch).decode(),
                        "epoch_hash": v.digest_text(v.sha256(v.epoch_statement(epoch)))} for epoch in self.epochs],
            "manifests": manifests,
        }
        return '{"org":' + minimal(self.org) + ",\n" + arrays_of_lines(sections) + "}\n"


# ---- disclosures.json and bundle-disclosures.json ------------------------------------------------

# RFC 9901: the example of section 4.2.2 is a disclosure without a name. Its JSON text has white space behind its comma and so is
# not canonical: of it base64url and digest (which section 4.2.4.2 has) are given, and the steps of the same disclosure without.
RFC_9901_EXAMPLE = ("WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIkZSIl0", "w0I8EKcdCtUPkGCNUrfwVp2xEgNjtoIDlOxc9-PlOhs")
RFC_9901_CANONICAL = ["lklxF5jMYlGTPUovMNIvCA", "FR"]


def disclosure_steps(disclosure):
    """From a disclosure, as an agent writes it, to its digest."""
    canonical = v.jcs(v.parse_json(minimal(disclosure)))
    encoded = v.b64url_encode(canonical)
    digest = v.b64url_encode(v.sha256(encoded.encode("ascii")))
    return {"disclosure": disclosure, "canonical": canonical.decode(), "base64url": encoded, "digest": digest}


def rfc_9901_cases():
    encoded, digest = RFC_9901_EXAMPLE
    assert v.b64url_encode(v.sha256(encoded.encode("ascii"))) == digest
    return [{"source": "RFC 9901 section 4.2.2, with white space and so not canonical", "base64url": encoded, "digest": digest},
            dict({"source": "the same without white space; the RFC gives no digest of this spelling"},
                 **disclosure_steps(RFC_9901_CANONICAL))]


def odd(number):
    return {"size": number, "parts": [{"b": Raw("-0"), "a": Raw("1e21")}, None]}


# Of each operation: `plain`, the payload as it stands; or `members` that are salted, of which a bundle does not show those in
# `withheld`, and which the agent never handed over where they are in `kept`. Whole payloads are withheld in WITHHELD_WHOLE.
SALTED = [
    {"members": {"amount": Raw("1250.50"), "currency": "EUR", "recipient": "ACME"}, "profile": "example.payment.v1"},
    {"members": {"amount": 7, "recipient": "Jane Roe", "reason": None}, "withheld": ("recipient",)},
    {"members": {"amount": 8, "recipient": "John Doe"}, "withheld": ("amount", "recipient")},
    {"plain": '{"amount":9,"note":"plain"}'},
    {"plain": '{"amount":10}'},
    {"members": {"\u0441\u0447\u0451\u0442": "\u8acb\u6c42\u66f8 \U0001f4c4", "\U0001f600": odd(1), "__proto__": {"x": []}, "e\u0301": "\u00e9"}},
    {"members": {"shown": True, "kept": "never handed over"}, "kept": ("kept",), "profile": "\u0420\u0435\u0446\u0435\u043f\u0442 \u2116 1"},
    {"plain": '{"_sd":{"profile":"a name that is not taken"},"profile":"plain all the same"}'},
    {"members": {"only": ""}, "salt": 64, "withheld": ("only",)},
    {"plain": '{"amount":11}'},
    {"plain": '{"amount":12}'},
    {"members": {"n%d" % number: number for number in range(20)}, "salt": 17, "withheld": ("n3", "n17"), "kept": ("n5",)},
    {"members": {"last": False, "...x": {}, "a": [], "b": "\u0000\"\\\u2028"}, "profile": "example.payment.v1"},
]
WITHHELD_WHOLE = (5, 10, 11)
SALTED_EPOCH_ENDS = (4, 9, 13)
SALTED_FILE = "bundle-disclosures.json"


class SaltedLedger(Ledger):
    """Another small organization, of one agent that salts its payloads."""

    org = {"org_id": "org_" + derive_uuid("salted organization").replace("-", "")[:20], "name": "Discreet Ltd"}
    first_service_key = "service of the salted ledger"

    def play(self, length):
        self.create_organization()
        self.register("s", OPEN - 3000000)
        now = OPEN
        for seq in range(1, len(SALTED) + 1):
            now += 3000 + 100 * seq
            self.operate("s", seq, now)
            if seq in SALTED_EPOCH_ENDS:
                now += 2000
                self.close_epoch(now)

    def steps(self, seq):
        """Of each member of a salted payload, in the order of the names; nothing of a plain one."""
        entry = SALTED[seq - 1]
        length, members = entry.get("salt", 16), entry.get("members", {})
        return {name: disclosure_steps([v.b64url_encode(derive("salt %d %s" % (seq, name), length)), members[name]])
                for name in sorted(members, key=lambda name: name.encode("utf-16-be"))}

    def payload(self, seq):
        entry, digests = SALTED[seq - 1], {name: steps["digest"] for name, steps in self.steps(seq).items()}
        if not digests:
            return entry["plain"]
        profile = {"profile": entry["profile"]} if "profile" in entry else {}
        return minimal({"_sd": digests, **profile})

    def shown(self, seq):
        hidden = SALTED[seq - 1].get("withheld", ()) + SALTED[seq - 1].get("kept", ())
        return {name: steps["disclosure"] for name, steps in self.steps(seq).items() if name not in hidden}

    def withheld_members(self, seq):
        return len(self.steps(seq)) - len(self.shown(seq))

    def describe_disclosures(self, text, manifest):
        """disclosures.json: how each digest comes about, and what a report says of the bundle."""
        _, report = v.verify(text.encode("utf-8"), [self.service_kid])
        payloads = [{"seq_no": seq, "payload": Raw(self.payload(seq)), "members": self.steps(seq),
                     "never_handed_over": list(entry.get("kept", ())),
                     "withheld_from_the_bundle": list(entry.get("withheld", ()))}
                    for seq, entry in enumerate(SALTED, 1) if self.steps(seq)]
        expected = {"counts": report.checks["payloads"]["counts"], "reason": report.checks["payloads"]["remark"],
                    "withheld": report.withheld}
        assert report.checks["payloads"]["status"] == "pass"
        return ('{"rfc_9901":[\n' + ",\n".join(map(minimal, rfc_9901_cases())) + '\n],\n"expected":' + minimal(expected)
                + ',\n"org":' + minimal(self.org) + ",\n"
                + arrays_of_lines(dict(self.described_keys(), payloads=payloads, manifests=[manifest])) + "}\n")


# ---- clock.json and bundle-clock*.json -----------------------------------------------------------

JUMP = 400 * 86400000
CORRECTED_AT = OPEN + 200000


def clock_jump(before, after, seq_no, epoch_no, events):
    return {"before": before, "after": after, "seq_no": seq_no, "epoch_no": epoch_no, "events": events}


class CorrectedLedger(Ledger):
    """Another small organization, whose clock was 400 days ahead for a while. `lie` is what a dishonest operator states."""

    org = {"org_id": "org_" + derive_uuid("corrected organization").replace("-", "")[:20], "name": "Timely Ltd"}
    first_service_key = "service of the corrected ledger"

    def __init__(self, lie=None):
        self.lie, self.corrected = lie, []  # (seq_no at a correction, time from which the ledger continues)
        Ledger.__init__(self)

    def play(self, length):
        self.create_organization()
        for number, letter in enumerate("bf"):
            self.register(letter, OPEN - 3000000 + number)
        self.operate("b", 1, OPEN)
        self.operate("f", 2, OPEN + 60000)
        self.close_epoch(OPEN + 70000)
        self.operate("b", 3, OPEN + 120000)
        wrong = OPEN + 130000 + JUMP
        self.register("l", wrong)
        self.operate("l", 4, wrong + 1000)
        self.set_status("f", "frozen", "agent.freeze", wrong + 1500)
        self.operate("b", 5, wrong + 2000)
        self.close_epoch(wrong + 3000)
        if self.lie != "none":
            self.correct({"jumps": [clock_jump(OPEN + 120000, wrong, 3, 1, 3)], "last_time": wrong + 10000,
                          "until": {"seq_no": 5, "epoch_no": 2}}, CORRECTED_AT)
        self.clock = 0
        self.set_status("f", "active", "agent.unfreeze", CORRECTED_AT + 1000)
        self.operate("l", 6, CORRECTED_AT + 2000)
        self.operate("f", 7, CORRECTED_AT + 3000)
        self.close_epoch(CORRECTED_AT + 4000)
        if self.lie == "one jump twice":
            self.correct({"jumps": [clock_jump(OPEN + 120000, wrong, 3, 1, 3)], "last_time": wrong + 10000,
                          "until": {"seq_no": 7, "epoch_no": 3}}, CORRECTED_AT + 1000)

    def correct(self, details, now):
        if self.lie == "an earlier time before":
            details["jumps"][0]["before"] -= 1000
        if self.lie == "a later beginning":
            details["jumps"][0]["after"] += 1200
        if self.lie == "more than the jump":
            now = OPEN + 120001
        if self.lie == "behind what came before":
            details["last_time"], now = details["jumps"][0]["after"], OPEN + 110000
        if self.lie == "a stretch of records":
            details["jumps"] = [clock_jump(OPEN, OPEN + 60000, 1, 0, 3)]
        if self.lie == "another place":
            details["until"]["seq_no"] -= 1
        if self.lie == "unclear":
            del details["last_time"]
        if self.lie == "an invented time before":
            details["jumps"] = [clock_jump(OPEN - 3600000 - JUMP, OPEN - 3600000, 0, 0, 0)]
        if self.lie == "nothing before":
            details["jumps"] = [clock_jump(None, OPEN - 3600000, 0, 0, 0)]
        self.clock = 0
        self.admin(self.at(now), CLOCK_CORRECTED, "ledger", self.org_id, dict(details, reason="dead battery"))
        self.corrected.append((details["until"]["seq_no"], iso(now)))

    def placed(self, op):
        times = [time for seq, time in self.corrected if op["seq_no"] <= seq]
        return min([op["ear"]["server_received_at"]] + times)


class TwiceWrongLedger(CorrectedLedger):
    """A clock that was two hours ahead, right again for a while, and then 400 days ahead: one correction of both jumps."""

    def play(self, length):
        self.create_organization()
        self.register("b", OPEN - 3000000)
        self.operate("b", 1, OPEN)
        self.close_epoch(OPEN + 10000)
        first = OPEN + 20000 + 2 * 3600000
        self.operate("b", 2, first)
        self.register("f", first + 1000)
        # The clock is right again, and the ledger stands where it was.
        self.operate("b", 3, first + 1000)
        second = OPEN + 60000 + JUMP
        self.operate("f", 4, second)
        self.close_epoch(second + 1000)
        jumps = [clock_jump(OPEN + 10000, first, 1, 1, 2), clock_jump(first + 1000, second, 3, 1, 3)]
        self.correct({"jumps": jumps, "last_time": second + 1000, "until": {"seq_no": 4, "epoch_no": 2}}, CORRECTED_AT)
        self.operate("f", 5, CORRECTED_AT + 1000)
        self.close_epoch(CORRECTED_AT + 2000)

    def correct(self, details, now):
        jumps, gap = details["jumps"], details["jumps"][1]
        if self.lie == "two jumps that take back more":
            now = jumps[0]["before"] + 1
            details["last_time"] += 2000
        if self.lie == "a first jump alone":
            del jumps[1]
        if self.lie == "a last jump alone":
            del jumps[0]
        if self.lie == "a gap with a record in it":
            gap.update(before=gap["before"] - 1000, after=gap["after"] - 1)
        if self.lie == "a jump that began before the one before it ended":
            gap["before"] = jumps[0]["after"] - 1
        if self.lie == "jumps in another order":
            jumps.reverse()
        if self.lie == "five jumps":
            details["jumps"] = [dict(jumps[0], after=jumps[0]["before"])] * 3 + jumps
        if self.lie == "a gap of everyday work besides":
            jumps.insert(0, clock_jump(OPEN, OPEN + 10000, 1, 0, 2))
        if self.lie == "no jumps":
            details["jumps"] = []
        if self.lie == "nothing before the second jump":
            gap["before"] = None
        CorrectedLedger.correct(self, details, now)


class WrongClockLedger(CorrectedLedger):
    """The same, as long as nobody had corrected it."""

    def correct(self, details, now):
        raise StopIteration

    def play(self, length):
        try:
            CorrectedLedger.play(self, length)
        except StopIteration:
            pass


CLOCK_CASES = [
    ("an earlier time before", "failed", ["TIME_ORDER"]), ("a later beginning", "failed", ["TIME_ORDER"]),
    ("more than the jump", "failed", ["TIME_ORDER"]), ("behind what came before", "failed", ["TIME_ORDER"]),
    ("a stretch of records", "failed", ["TIME_ORDER"]), ("another place", "failed", ["TIME_ORDER"]),
    ("one jump twice", "failed", ["TIME_ORDER"]), ("unclear", "failed", ["TIME_ORDER"]), ("none", "failed", ["TIME_ORDER"]),
    ("an invented time before", "failed", ["TIME_ORDER"]),
    ("withheld", "failed", ["ADMIN_CHAIN_BROKEN"]), ("nothing before", "incomplete", ["CLOCK_CORRECTED"]),
]

JUMP_CASES = [(lie, "failed", ["TIME_ORDER"]) for lie in (
    "two jumps that take back more", "a first jump alone", "a last jump alone", "a gap with a record in it",
    "a jump that began before the one before it ended", "jumps in another order", "five jumps", "a gap of everyday work besides", "no jumps",
    "nothing before the second jump")]


def clock_lies(kind, cases, always):
    lies = []
    for lie, verdict, codes in cases:
        ledger = kind(lie)
        ledger.expect = lambda *_: None
        text, _ = ledger.bundle("bundle of a lie: " + lie, CORRECTED_AT + 60000, *always, None, (),
                                lambda event: lie == "withheld" and event["action"] == CLOCK_CORRECTED)
        found, report = v.verify(text.encode("utf-8"), [ledger.service_kid])
        assert found == verdict and set(codes) <= set(report.counts), (lie, found, report.counts)
        lies.append({"lie": lie, "verdict": verdict, "codes": codes, "bundle": text})
    return lies


def clock_vectors():
    """clock.json: a ledger whose clock was corrected, and what a dishonest operator makes of that."""
    honest, wrong, always = CorrectedLedger(), WrongClockLedger(), (iso(DAY), iso(DAY + 500 * 86400000))
    files = []
    for whole, name, *arguments in (
            (honest, "bundle-clock.json", CORRECTED_AT + 60000, *always),
            (honest, "bundle-clock-range.json", CORRECTED_AT + 60000, iso(OPEN + 100000), iso(CORRECTED_AT + 3000)),
            (wrong, "bundle-clock-wrong.json", OPEN + 140000 + JUMP, *always),
            (TwiceWrongLedger(), "bundle-clock-jumps.json", CORRECTED_AT + 60000, *always)):
        text, _ = whole.bundle(name, *arguments)
        save(name, text)
        files.append((name, text))
    lies = clock_lies(CorrectedLedger, CLOCK_CASES, always) + clock_lies(TwiceWrongLedger, JUMP_CASES, always)
    for (name, text), (other, theirs) in ((files[0], files[2]), (files[2], files[0]), (files[1], files[2]), (files[2], files[1])):
        against = [(other, lambda data=theirs.encode("utf-8"): io.BytesIO(data))]
        found, report = v.verify(text.encode("utf-8"), [honest.service_kid], against=against)
        assert found == "verified", (name, other, report.findings)
    corrections = [event for event in honest.admin_events if event["action"] == CLOCK_CORRECTED]
    head = '{"service_kid":' + minimal(honest.service_kid) + ",\n"
    sections = {**honest.described_keys(), "corrections": corrections, "lies": lies[:6]}
    save("clock.json", head + arrays_of_lines(sections) + "}\n")
    for number, name in enumerate(("clock-more.json", "clock-jumps.json")):
        save(name, head + arrays_of_lines({"lies": (lies[6:12], lies[12:])[number]}) + "}\n")


# ---- Checkpoints ---------------------------------------------------------------------------------

def checkpoint(seed, origin, size, root, extensions=(), others=()):
    """A signed note; `others` are further signature lines."""
    text = "".join(line + "\n" for line in (origin, str(size), base64.b64encode(root).decode("ascii"), *extensions))
    signature = v.key_id_of(origin, public_key(seed)) + sign(seed, text.encode("utf-8"))
    lines = ["\u2014 %s %s" % (origin, base64.b64encode(signature).decode("ascii")), *others]
    return text + "\n" + "".join(line + "\n" for line in lines)


def checkpoint_vectors(ledger):
    """checkpoints.json, and the note of each as a file: what it says, and what comes of it with bundle-whole.json."""
    origin, length = v.log_origin(ORG_ID), len(ledger.operations)
    seeds = [ledger.service_seeds[key["kid"]] for key in ledger.service_keys]
    ends, whole = [epoch["last_seq_no"] for epoch in ledger.epochs], ledger.bundle("bundle-whole.json", *WHOLE)[0]

    def root(size):
        return merkle_root(ledger.leaves(1, size))

    def named(name, raw):
        return "\u2014 %s %s" % (name, base64.b64encode(raw).decode("ascii"))

    witness = named("witness.example/w1", derive("witness", 76))
    between = next(size for size in range(1, length) if size not in ends)
    notes = [
        ("checkpoint.txt", checkpoint(seeds[-1], origin, ends[-1], root(ends[-1])), "verified", []),
        ("checkpoint-earlier.txt", checkpoint(seeds[0], origin, ends[1], root(ends[1])), "verified", []),
        ("checkpoint-witnessed.txt", checkpoint(seeds[-1], origin, ends[2], root(ends[2]), ["an extension"], [witness]), "verified", []),
        ("checkpoint-between.txt", checkpoint(seeds[-1], origin, between, root(between)), "verified", []),
        ("checkpoint-wrong.txt", checkpoint(seeds[-1], origin, ends[-1], derive("wrong root")), "failed", ["EQUIVOCATION"]),
        ("checkpoint-wrong-between.txt", checkpoint(seeds[-1], origin, between, derive("wrong root")), "failed", ["CONTRADICTION"]),
        ("checkpoint-beyond.txt", checkpoint(seeds[-1], origin, length + 1, derive("a root")), "incomplete", ["NOT_COMPARED"]),
        ("checkpoint-stranger.txt", checkpoint(derive("stranger"), origin, ends[-1], root(ends[-1])), "incomplete",
         ["RECEIPT_SIGNATURE_INVALID", "NOT_COMPARED"]),
        ("checkpoint-other-log.txt", checkpoint(seeds[-1], v.log_origin("another"), ends[-1], root(ends[-1])), "incomplete",
         ["NOT_COMPARED"]),
    ]
    cases = []
    for name, text, verdict, codes in notes:
        save(name, text)
        options = {"checkpoints": [(name, lambda data=text.encode("utf-8"): io.BytesIO(data))]}
        found, report = v.verify(whole.encode("utf-8"), [ledger.service_kid], **options)
        assert (found, sorted(report.counts)) == (verdict, sorted(codes)), (name, found, report.findings)
        cases.append({"file": name, "verdict": verdict, "codes": codes})
    def proof(first, second, second_root, path):
        lines = ["old %d" % first, *(base64.b64encode(item).decode("ascii") for item in path), ""]
        return "".join(line + "\n" for line in lines) + checkpoint(seeds[-1], origin, second, second_root)

    # bundle-range.json does not come to the size 3: it goes from 4 to 6.
    received = {op["seq_no"]: op["ear"]["server_received_at"] for op in ledger.operations}
    part, leaves = ledger.bundle("bundle-range.json", WHOLE[0], received[9], received[22])[0], ledger.leaves(1, ends[-1])
    kept = ("checkpoint-kept.txt", checkpoint(seeds[0], origin, 3, root(3)))
    links = [
        ([kept], "incomplete", ["NOT_COMPARED"]),
        ([kept, ("consistency.txt", proof(3, ends[-1], root(ends[-1]), consistency_path(3, leaves)))], "verified", []),
        ([kept, ("consistency-wrong.txt", proof(3, ends[-1], root(ends[-1]), consistency_path(3, leaves)[::-1]))],
         "incomplete", ["NOT_COMPARED", "NOT_COMPARED"]),
        ([("checkpoint-kept-other.txt", checkpoint(seeds[0], origin, 3, derive("another log"))),
          ("consistency.txt", proof(3, ends[-1], root(ends[-1]), consistency_path(3, leaves)))], "failed", ["CONTRADICTION"]),
    ]
    linked = []
    for files, verdict, codes in links:
        for name, text in files:
            save(name, text)
        given = [(name, lambda data=text.encode("utf-8"): io.BytesIO(data)) for name, text in files]
        found, report = v.verify(part.encode("utf-8"), [ledger.service_kid], checkpoints=given)
        assert (found, [one["code"] for one in report.findings]) == (verdict, codes), (files, found, report.findings)
        linked.append({"files": [name for name, _ in files], "verdict": verdict, "codes": codes})
    vkeys = ["%s+%s+%s" % (origin, v.key_id_of(origin, public_key(seed)).hex(),
                           base64.b64encode(b"\x01" + public_key(seed)).decode("ascii")) for seed in seeds]
    lines = ['{"org_id":' + minimal(ORG_ID), '"origin":' + minimal(origin), '"vkeys":' + minimal(vkeys),
             '"with_bundle_whole":[\n' + ",\n".join(map(minimal, cases)) + "\n]",
             '"with_bundle_range":[\n' + ",\n".join(map(minimal, linked)) + "\n]"]
    save("checkpoints.json", ",\n".join(lines) + "}\n")
    witness_vectors(ledger, origin, lambda size, others: checkpoint(seeds[-1], origin, size, root(size), (), others),
                    lambda size: proof(size, ends[-1], root(ends[-1]), consistency_path(size, leaves)))


COSIGNED_AT = 1800000000


def witness_vectors(ledger, origin, signed_by_log, proof_from):
    """bundle-witnessed.json carries what two witnesses cosigned; witnessed.json says how far that reaches to whom."""
    def of(name):
        seed, material = derive("witness " + name), b"\x04" + public_key(derive("witness " + name))
        identity = v.sha256(name.encode("utf-8") + b"\n" + material)[:4]
        return name, seed, identity, "%s+%s+%s" % (name, identity.hex(), base64.b64encode(material).decode("ascii"))

    def line(witness, size, at):
        name, seed, identity, _ = witness
        note = signed_by_log(size, ()).partition("\n\n")[0] + "\n"
        signature = sign(seed, ("cosignature/v1\ntime %d\n%s" % (at, note)).encode("utf-8"))
        return "\u2014 %s %s" % (name, base64.b64encode(identity + at.to_bytes(8, "big") + signature).decode("ascii"))

    alpha, beta, stranger = of("alpha.example.org"), of("beta.example.org"), of("stranger.example.org")
    last, middle = ledger.epochs[-1]["last_seq_no"], ledger.epochs[2]["last_seq_no"]
    cosigned = [signed_by_log(last, [line(alpha, last, COSIGNED_AT + 60)]),
                signed_by_log(middle, [line(alpha, middle, COSIGNED_AT), line(beta, middle, COSIGNED_AT + 1)]), proof_from(middle)]
    text, _ = ledger.bundle("bundle-witnessed.json", *WHOLE, carried={"cosigned": cosigned})
    save("bundle-witnessed.json", text)
    cases = []
    for threshold, witnesses, verdict, size, until in (
            (1, (alpha, beta), "verified", last, COSIGNED_AT + 60), (2, (alpha, beta), "incomplete", middle, COSIGNED_AT),
            (1, (beta,), "incomplete", middle, COSIGNED_AT + 1), (1, (stranger,), "incomplete", 0, None)):
        policy = {"threshold": threshold, "organizations": [{"name": name, "keys": [key]} for name, _, _, key in witnesses]}
        found, report = v.verify(text.encode("utf-8"), [ledger.service_kid], witnesses=v.Policy(minimal(policy).encode("utf-8")))
        witnessed = {"size": size, "until": None if until is None else iso(until * 1000)}
        assert (found, report.witnessed) == (verdict, witnessed), (policy, found, report.witnessed)
        cases.append({"policy": policy, "verdict": verdict, "witnessed": witnessed})
    save_array("witnessed.json", cases)


# ---- Proofs of records ---------------------------------------------------------------------------

def changed_at(value, path, new):
    """The same value with another at a path, or without what stands there where the new one is `...`."""
    step, *rest = path
    copy = list(value) if isinstance(value, list) else dict(value)
    if rest:
        copy[step] = changed_at(value[step], rest, new)
    elif new is ...:
        del copy[step]
    else:
        copy[step] = new
    return copy


def damaged_proofs(proof):
    """What is done to a proof, and a code that a verifier must then name."""
    first, last = proof["records"][0], proof["records"][-1]
    return [
        ("SIGNATURE_INVALID", ["records", 0, "eor", "subject"], first["eor"]["subject"] + "."),
        ("PAYLOAD_HASH_MISMATCH", ["records", 0, "eor", "payload", "one more"], 1),
        ("KEY_UNKNOWN", ["records", 0, "eor", "agent_pubkey_kid"], "another"),
        ("DISCLOSURE_INVALID", ["records", 0, "disclosures"], {"amount": ["c2FsdHNhbHRzYWx0c2FsdA", 1]}),
        ("CHAIN_HASH_MISMATCH", ["records", 0, "ear", "chain_hash"], last["ear"]["chain_hash"]),
        ("RECEIPT_SIGNATURE_INVALID", ["records", 0, "ear", "server_received_at"], last["ear"]["server_received_at"]),
        ("RECEIPT_MISMATCH", ["records", 0, "ear", "agent_id"], "another"),
        ("INCLUSION_INVALID", ["records", 0, "gap"], first["gap"] + first["gap"]),
        ("INCLUSION_INVALID", ["records", 1, "gap"], ...),
        ("LOG_ROOT_MISMATCH", ["records", 1, "gap", 0], last["gap"][0]),
        ("MALFORMED", ["records", 0, "gap"], []),
        ("SEQUENCE_ORDER", ["records"], proof["records"][::-1]),
        ("SEQUENCE_DUPLICATE", ["records"], [first] + proof["records"]),
        ("MALFORMED", ["records"], []),
        ("MALFORMED", ["records"], proof["records"][:1]),
        ("EPOCH_SIGNATURE_INVALID", ["seal", "epoch", "root_hash"], last["gap"][0]),
        ("LOG_ROOT_MISMATCH", ["seal", "epoch", "log_root"], last["gap"][0]),
        ("INCLUSION_INVALID", ["seal", "rest"], first["gap"]),
        ("EPOCH_GAP", ["records"], proof["records"][:-1]),
        ("MALFORMED", ["seal"], {}),
        ("KEY_ATTESTATION_INVALID", ["agents", 0, "keys", 0, "created_at"], 1),
        ("KEY_UNKNOWN", ["agents"], proof["agents"][1:]),
        ("SERVICE_KEY_INVALID", ["service_keys", 0, "created_at"], 1),
        ("RECEIPT_MISMATCH", ["org_id"], "another"),
        ("MALFORMED", ["org"], {"org_id": ORG_ID, "name": "Northern Bank"}),
        ("MALFORMED", ["agents", 0, "display_name"], "Ada Lovelace (CFO)"),
        ("MALFORMED", ["comment"], "no such member"),
        ("MALFORMED", ["seal"], ...),
        ("UNSUPPORTED_VERSION", ["type"], "countersign.record-proof.v2"),
    ]


def record_proof_vectors(ledger, salted):
    """record-proofs.json, and the proofs as files."""
    proofs = [("proof-one.json", ledger, ledger.proof([16])),
              ("proof-some.json", ledger, ledger.proof([3, 9, 10, 16, 22, 31], redacted=(16,))),
              ("proof-disclosures.json", salted, salted.proof([1, 2, 3, 4, 7], redacted=()))]
    for name, whole, text in proofs:
        save(name, text)
        whole.expect(text, "verified", name)
    base, damaged = proofs[1][2], []
    for code, path, new in damaged_proofs(json.loads(base)):
        text = v.jcs(changed_at(v.parse_json(base.encode("utf-8")), path, new)).decode("utf-8")
        verdict, report = v.verify(text.encode("utf-8"), [ledger.service_kid])
        assert verdict == "failed" and code in report.counts, (code, path, report.counts)
        change = {"path": path} if new is ... else {"path": path, "value": new}
        damaged.append({"code": code, **change})
    note = checkpoint(ledger.service_seeds[ledger.service_kid], v.log_origin(ORG_ID), ledger.epochs[-1]["last_seq_no"],
                      merkle_root(ledger.leaves(1, ledger.epochs[-1]["last_seq_no"])))
    save("proof-one.tlog-proof", ledger.tlog_proof(16, note))
    save("record-proofs.json", '{"base":"proof-some.json",\n' + arrays_of_lines({"damaged": damaged}) + "}\n")


def main():
    save_array("canonical.json", canonical_cases())
    save_array("ed25519.json", ed25519_cases())
    save("merkle.json", merkle_vectors())
    save("log.json", log_vectors())
    ledger, earlier = Ledger(), Ledger(EARLIER_LENGTH)
    received = {op["seq_no"]: op["ear"]["server_received_at"] for op in ledger.operations}
    noon, *day = WHOLE
    agent_id = AGENTS["b"][0]

    def not_about_the_agent(event):
        return event["target_type"] != "organization" and event["action"] != "service_key.rotate" and \
            (event["target_type"], event["target_id"]) != ("agent", agent_id)

    manifests = []
    for whole, name, *arguments in (
            (ledger, "bundle-whole.json", noon, *day),
            (ledger, "bundle-range.json", noon, received[9], received[22]),
            (ledger, "bundle-agent.json", noon, day[0], received[30], agent_id),
            (ledger, "bundle-redacted.json", noon, *day, None, (2, 3, 16, 31)),
            (ledger, "bundle-withheld.json", noon, received[15], received[18], agent_id, (), not_about_the_agent),
            (ledger, "bundle-empty-range.json", noon, iso(earlier.end), received[26]),
            (earlier, "bundle-earlier.json", earlier.end + 1000, *day)):
        text, manifest = whole.bundle(name, *arguments)
        save(name, text)
        manifests.append(manifest)
    save("ledger.json", ledger.describe(manifests))
    salted = SaltedLedger()
    text, manifest = salted.bundle(SALTED_FILE, noon, *day, None, WITHHELD_WHOLE)
    save(SALTED_FILE, text)
    save("disclosures.json", salted.describe_disclosures(text, manifest))
    kept = [op["ear"] for op in ledger.operations if op["eor"]["agent_id"] in ("billing.bot", "removed-agent")]
    save("receipts.jsonl", "\n".join(map(minimal, kept)))
    clock_vectors()
    checkpoint_vectors(ledger)
    record_proof_vectors(ledger, salted)


if __name__ == "__main__":
    main()
