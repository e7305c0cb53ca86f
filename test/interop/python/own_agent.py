"""The agent that a test describes in the environment: SERVICE, TOKEN, ORG, AGENT, KEY, KID."""

import os

from countersign import Agent


def own_agent(**options):
    return Agent(
        service_url=os.environ["SERVICE"],
        token=os.environ["TOKEN"],
        org_id=os.environ["ORG"],
        agent_id=os.environ["AGENT"],
        kid="key-1",
        private_key=os.environ["KEY"],
        service_kid=os.environ["KID"],
        retry_for=10,
        **options
    )
