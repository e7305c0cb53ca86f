"""Reads JSON texts, one a line, and writes the canonical form of each."""

import sys

from countersign import canonicalize, parse_json

for line in sys.stdin.buffer:
    sys.stdout.buffer.write(canonicalize(parse_json(line.decode("utf-8").rstrip("\n"))).encode("utf-8") + b"\n")
