// SERVICE=http://127.0.0.1:8787 TOKEN=… ORG=… node first-operation.mjs
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, generateKeyPair, ServiceClient } from '@countersign/agent';

const { SERVICE: serviceUrl, TOKEN: token, ORG: orgId } = process.env;
const [agentId, kid, keyFile] = ['billing-bot', 'key-1', 'billing-bot.pem'];

// Once: make a key, and register the agent with its public half.
if (!existsSync(keyFile)) {
  const { publicKey, privateKeyPem } = generateKeyPair();
  const keys = [{ kid, public_key: publicKey, algorithm: 'ed25519' }];
  await new ServiceClient({ serviceUrl, token }).post('/v1/agents/register', { agent_id: agentId, keys });
  writeFileSync(keyFile, privateKeyPem, { mode: 0o600 });
}

const agent = new Agent({
  serviceUrl,
  token,
  orgId,
  agentId,
  kid,
  privateKey: readFileSync(keyFile, 'utf8'),
  receiptsFile: 'billing-bot.receipts.jsonl',
});
const receipt = await agent.submit({
  operationType: 'invoice.create',
  subject: 'invoice/7',
  action: 'create',
  payload: { total: 1250, currency: 'EUR' },
});
console.log(`accepted: seq_no ${receipt.seq_no}, ${receipt.chain_hash}`);
await agent.close();
