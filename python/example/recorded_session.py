"""SERVICE=http://127.0.0.1:8787 TOKEN=… ORG=… python recorded_session.py"""

import os
from pathlib import Path

from countersign import Agent, Operation, ServiceClient, generate_key_pair, recorded

service, token, org_id = os.environ["SERVICE"], os.environ["TOKEN"], os.environ["ORG"]
key_file = Path("billing-bot.pem")

# Once: make a key, and register the agent with its public half.
if not key_file.exists():
    pair = generate_key_pair()
    keys = [{"kid": "key-1", "public_key": pair.public_key, "algorithm": "ed25519"}]
    ServiceClient(service, token).post("/v1/agents/register", {"agent_id": "billing-bot", "keys": keys})
    key_file.touch(mode=0o600)
    key_file.write_text(pair.private_key_pem)


@recorded({"name": "find_invoice", "type": "function"})
def find_invoice(number: str) -> dict:
    return {"number": number, "total": "12.50"}


names = {"org_id": org_id, "agent_id": "billing-bot", "kid": "key-1"}
with Agent(service_url=service, token=token, private_key=key_file.read_text(), **names) as agent:
    receipt = agent.submit(Operation("invoice.create", "invoice/7", "create", {"total": "12.50"}))
    print(f"accepted: seq_no {receipt['seq_no']}, {receipt['chain_hash']}")

    with agent.session(on_behalf_of="ada@example.org", model="some-model") as session:
        session.told(("user", "Pay invoice 7."))
        invoice = find_invoice("7")
        asked = session.ask("pay", invoice, presented="Pay 12.50 EUR?")
        approved = session.decided(asked, "approved", by={"kind": "human", "id": "ada@example.org"})
        with session.call("pay", question=approved) as call:
            call.output = "paid"
    print(f"{call.output}: {session.records} records")
