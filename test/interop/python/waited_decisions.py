"""Waits for decisions on questions that it asks, as the test makes them: SERVICE, TOKEN, ORG, AGENT, KEY, KID, DECIDER.

Each line that it prints is a question, or what came of it; each that it reads says that a question was decided.
"""

import json
import os
import sys
import threading
from concurrent.futures import CancelledError
from dataclasses import asdict

from countersign import AgentError, DecisionError
from own_agent import own_agent

agent = own_agent(prove_service=False)
session = agent.session()


def say(value):
    print(json.dumps(value), flush=True)


def outcome(question, **options):
    try:
        decision = agent.wait_for_decision(question, interval=0.25, **{"timeout": 60, **options})
        return [decision.outcome, decision.by, decision.justification, decision.key_thumbprint == os.environ["DECIDER"]]
    except CancelledError:
        return "cancelled"
    except DecisionError as error:
        return [error.code, str(error), error.decision.outcome]
    except AgentError as error:
        return error.code


for line in sys.stdin:
    options = json.loads(line)
    question = session.ask("pay", {"to": "ACME", "amount": 12}, presented="Pay 12 to ACME?")
    say(asdict(question))
    if options.pop("refuse", False):
        session.refused(question)
    if options.pop("stop", False):
        options["stop"] = threading.Event()
        threading.Timer(0.4, options["stop"].set).start()
    sys.stdin.readline()
    result = outcome(question, **options)
    if isinstance(result, list) and result[0] == "approved":
        with session.call("pay", question=question) as call:
            call.output = "paid"
    say(result)
session.end()
agent.close()
