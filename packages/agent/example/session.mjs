// SERVICE=http://127.0.0.1:8787 TOKEN=… ORG=… node session.mjs (after first-operation.mjs, which registers the agent)
import { readFileSync } from 'node:fs';
import { Agent } from '@countersign/agent';

const { SERVICE: serviceUrl, TOKEN: token, ORG: orgId } = process.env;
const privateKey = readFileSync('billing-bot.pem', 'utf8');
const agent = new Agent({ serviceUrl, token, orgId, agentId: 'billing-bot', kid: 'key-1', privateKey });

const session = agent.session({ onBehalfOf: 'ada@example.org', model: 'some-model' });
await session.told({ kind: 'user', value: 'Pay invoice 7.' });

const find = session.recorded({ name: 'find_invoice', type: 'function' }, async (id) => ({ id, total: '12.50' }));
const invoice = await find('7');

// Somebody is asked; the answer is recorded as this agent's word.
const asked = await session.ask({ tool: 'pay', input: invoice, presented: 'Pay 12.50 EUR?' });
const by = { kind: 'human', id: 'ada@example.org', mode: 'interactive' };
const approved = await session.decided(asked, { outcome: 'approved', by });
const touched = [{ kind: 'payment', id: 'invoice/7', access: 'write', amount: { value: '12.50', currency: 'EUR' } }];
const paid = await session.call({ tool: 'pay', question: approved, touched }, async () => 'paid');

await session.end();
await agent.close();
console.log(`${paid}: ${session.counts.records} records`);
