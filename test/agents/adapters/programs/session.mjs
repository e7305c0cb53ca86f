import { Agent } from '@countersign/agent';

const { SERVICE: serviceUrl, TOKEN: token, ORG: orgId, AGENT: agentId, KEY: privateKey } = process.env;

/** The agent that the test registered. */
export const agent = new Agent({ serviceUrl, token, orgId, agentId, kid: 'key-1', privateKey, retryForMs: 0 });

/** Ends the session and prints what the program saw, for the test. */
export async function finish(session, seen) {
  await session.end();
  await agent.close();
  process.stdout.write(`${JSON.stringify({ ...seen, counts: session.counts })}\n`);
}
