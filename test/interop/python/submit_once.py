"""Submits one operation, and prints the sequence number of its receipt, or the code of what was raised."""

import os

from countersign import AgentError, Operation
from own_agent import own_agent

with own_agent(receipts_file=os.environ["RECEIPTS"]) as agent:
    try:
        print(agent.submit(Operation("test", "test/1", "run", {"n": 1}))["seq_no"])
    except AgentError as error:
        print(error.code)
