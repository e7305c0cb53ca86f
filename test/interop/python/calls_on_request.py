"""Calls a tool before the recorder of this user for each line that comes in, which it answers with a line."""

import sys

from countersign import RecorderClient

with RecorderClient("codex", retry_for=0).session(on_failure="continue") as session:
    for line in sys.stdin:
        with session.call("look", line.strip()):
            pass
        print("done", flush=True)
