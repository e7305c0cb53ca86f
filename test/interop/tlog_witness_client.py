"""A log's side of C2SP tlog-witness, written from the texts of C2SP and RFC 6962 and 8032 alone, with what Python brings along.

    tlog_witness_client.py URL CHECKPOINT-FILE LEAF-HASHES-FILE VKEY

Asks from the size 0, learns the size from a 409, sends the consistency proof from there, and verifies the cosignature in Ed25519.
Prints what each request was answered, and the time of the cosignature, as JSON.
"""

import base64
import hashlib
import json
import struct
import sys
import urllib.error
import urllib.request

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def root(leaves):
    """RFC 6962, 2.1: MTH, over hashes of leaves."""
    if len(leaves) == 1:
        return leaves[0]
    k = split(len(leaves))
    return hashlib.sha256(b"\x01" + root(leaves[:k]) + root(leaves[k:])).digest()


def split(n):
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def subproof(m, leaves, whole):
    """RFC 6962, 2.1.2."""
    n = len(leaves)
    if m == n:
        return [] if whole else [root(leaves)]
    k = split(n)
    if m <= k:
        return subproof(m, leaves[:k], whole) + [root(leaves[k:])]
    return subproof(m - k, leaves[k:], False) + [root(leaves[:k])]


def add(p, q):
    """RFC 8032, 6."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def multiply(s, p):
    q = (0, 1, 1, 0)
    while s > 0:
        if s & 1:
            q = add(q, p)
        p, s = add(p, p), s >> 1
    return q


def decompress(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    xx = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(xx, (P + 3) // 8, P)
    if (x * x - xx) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - xx) % P:
        raise ValueError("no point")
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


BASE = decompress(bytes([0x58]) + bytes([0x66]) * 31)


def ed25519_holds(public, message, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % L
    left, right = multiply(s, BASE), add(decompress(r), multiply(h, decompress(public)))
    same = (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0
    return s < L and same


def ask(url, old, proof, checkpoint):
    hashes = "".join(base64.b64encode(one).decode() + "\n" for one in proof)
    body = f"old {old}\n{hashes}\n{checkpoint}".encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url + "/add-checkpoint", data=body)) as answer:
            return answer.status, answer.headers["Content-Type"], answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers["Content-Type"], error.read()


def cosigned_at(lines, checkpoint, vkey):
    """C2SP tlog-cosignature: the time of the cosignature by the key, of the type 0x04."""
    name, key_id, material = vkey.split("+", 2)
    key = base64.b64decode(material)
    assert key[0] == 4
    assert hashlib.sha256(name.encode() + b"\n" + key).digest()[:4].hex() == key_id
    text = checkpoint[: checkpoint.rindex("\n\n") + 1]
    assert lines.endswith("\n")
    for line in lines[:-1].split("\n"):
        dash, by, signature = line.split(" ")
        assert dash == "\u2014"
        raw = base64.b64decode(signature, validate=True)
        if by != name or raw[:4].hex() != key_id:
            continue
        (time,) = struct.unpack(">Q", raw[4:12])
        message = f"cosignature/v1\ntime {time}\n{text}".encode()
        assert ed25519_holds(key[1:], message, raw[12:])
        return time
    return None


def main():
    url, checkpoint_file, leaves_file, vkey = sys.argv[1:]
    checkpoint = open(checkpoint_file, encoding="utf-8", newline="").read()
    leaves = [bytes.fromhex(line) for line in open(leaves_file, encoding="ascii").read().split()]
    size = int(checkpoint.split("\n")[1])
    assert size == len(leaves) and base64.b64encode(root(leaves)).decode() == checkpoint.split("\n")[2]
    answers = []
    status, kind, body = ask(url, 0, [], checkpoint)
    answers.append([status, kind])
    if status == 409:
        assert kind == "text/x.tlog.size"
        old = int(body.decode().removesuffix("\n"))
        status, kind, body = ask(url, old, subproof(old, leaves, True) if old else [], checkpoint)
        answers.append([status, kind])
    time = cosigned_at(body.decode(), checkpoint, vkey) if status == 200 else None
    print(json.dumps({"answers": answers, "time": time}))


main()
