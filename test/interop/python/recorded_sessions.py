"""Records sessions with the agent library for Python, as the test asks: SERVICE, TOKEN, ORG, AGENT, KEY, RECEIPTS, KID."""

import asyncio
import os

from countersign import Agent, AgentError, EndNotRecorded, Operation, current_session, recorded
from own_agent import own_agent

agent = own_agent(receipts_file=os.environ["RECEIPTS"])


@recorded("double")
def double(number):
    return number * 2


@recorded({"name": "wait", "type": "function"})
async def wait(text):
    assert double(2) == 4
    await asyncio.sleep(0)
    return text


try:
    double(1)
except AgentError as error:
    assert error.code == "SESSION_ENDED"

with agent.session(id="one", on_behalf_of="ada", model={"name": "m"}, program="p") as session:
    session.told(("system", "Be brief."), ("user", {"text": "Häuser \U0001f600", "n": 1e21}))
    assert current_session() is session
    with session.call({"name": "read", "type": "file"}, {"path": "a"}) as call:
        call.touch({"kind": "file", "id": "/a", "access": "read"})
        with session.child(id="two", sub_agent={"id": "s"}) as child:
            assert double(4) == 8
        call.output = b"bytes"
    assert asyncio.run(wait("x")) == "x"
    try:
        with session.call("fail"):
            raise RuntimeError("far\ud800")
    except RuntimeError:
        pass
    asked = session.ask("pay", {"amount": 12}, presented="Pay?")
    changed = session.decided(asked, "modified", {"kind": "human", "id": "ada"}, input={"amount": 10})
    with session.call("pay", question=changed):
        pass
    session.refused(session.ask("drop"), message="No.")
    long = session.begin("long", "é" * 100_000)
    session.begin("left open")
    long.completed(float("nan"))
    session.note("done")

operation = Operation("a.b", "s", "c", {"n": 1}, "6b5a8f3e-0c1d-4e2f-8a3b-4c5d6e7f8091")
first = agent.submit(operation)
assert agent.submit(operation) == first
try:
    agent.submit(Operation("a.b", "s", "c", {"n": 2}, operation.operation_id))
except AgentError as error:
    assert error.code == "REPLAY_DETECTED"
agent.close()

# A service that is away: what cannot be recorded is not carried out, or is, as the caller said.
names = {"org_id": os.environ["ORG"], "agent_id": os.environ["AGENT"], "kid": "key-1", "private_key": os.environ["KEY"]}
away = Agent(service_url="http://127.0.0.1:1", token="t", retry_for=0, **names)
done = []
try:
    with away.session().call("t"):
        done.append("thrown")
except AgentError as error:
    assert error.code == "SERVICE_UNAVAILABLE" and not isinstance(error, EndNotRecorded)
losses = []
session = away.session(on_failure="continue", on_loss=lambda error, moment: losses.append(moment.phase))
with session.call("t"):
    done.append("continued")
session.end()
assert done == ["continued"], done
assert losses == ["session_started", "started", "completed", "session_ended"], losses
assert (session.records, session.lost) == (0, 4)
print("ok")
