import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { Agent } from '../../../src/agent/index.ts';
import { nodeSigner } from '../../../src/node/index.ts';
import {
  chainHash,
  formatTime,
  fromBase64Url,
  isSalted,
  payloadHash,
  publicKeyOf,
  type RecordCore,
  recordSignedBytes,
  toBase64Url,
  verifyEd25519,
} from '../../../src/protocol/index.ts';
import type { AgentFile } from '../../../src/recorder/base/agent-file.ts';
import { Spool } from '../../../src/recorder/spool/spool.ts';
import type { WaitingRecord } from '../../../src/recorder/spool/waiting.ts';
import { installAgent, ledgerOf, openRecorder, type Stored, sent } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { noteSeen } from '../../support/stand-in-pipeline.ts';

const service = await TestService.start();
const owner = await service.signUp();
const port = Number(new URL(service.url).port);
const DAY_MS = 86_400_000;

/** Something submitted with an agent's own key, past the recorder. */
async function submitBeside(agent: AgentFile, operationId?: string): Promise<void> {
  const { service_url, org_id, agent_id, kid, private_key, token } = agent;
  const signing = { orgId: org_id, agentId: agent_id, kid, privateKey: private_key };
  const other = new Agent({ serviceUrl: service_url, token, ...signing });
  const operation = { operationType: 'other.writer', subject: 's', action: 'a', payload: { n: 1 } };
  await other.submit({ ...operation, ...(operationId === undefined ? {} : { operationId }) });
  await other.close();
}

/** A record that the agent signed when it says it did. */
function recordOf(agent: AgentFile, issuedAtMs: number, prev: string | null): Omit<WaitingRecord, 'seq'> {
  const payload = { profile: 'countersign.agent-action/1', phase: 'note', note: { kind: 'old' } };
  const core: RecordCore = {
    op_version: 1,
    operation_id: randomUUID(),
    org_id: agent.org_id,
    agent_id: agent.agent_id,
    issued_at: formatTime(issuedAtMs),
    ttl_ms: DAY_MS,
    nonce: randomBytes(16).toString('hex'),
    operation_type: 'recorder.note',
    subject: 'something',
    action: 'note',
    payload_hash: payloadHash(payload),
    prev_chain_hash: prev,
    agent_pubkey_kid: agent.kid,
  };
  const message = recordSignedBytes(core);
  const signature = nodeSigner(fromBase64Url(agent.private_key, 32)).sign(message);
  const body = JSON.stringify({ ...core, payload, signature: toBase64Url(signature) });
  const { operation_id, issued_at } = core;
  return { operation_id, issued_at, prev_chain_hash: prev, chain_hash: chainHash(message, signature), begins: 0, body };
}

/** The other members are those of the first time, and what was signed then can be checked without the recorder. */
function expectFirstSigned({ payload, shown }: Stored, agent: AgentFile): RecordCore {
  const first = shown['x_first_signed'] as unknown as { core: RecordCore; signature: string };
  const publicKey = publicKeyOf(fromBase64Url(agent.private_key, 32));
  const signature = fromBase64Url(first.signature, 64);
  expect(verifyEd25519({ publicKey, message: recordSignedBytes(first.core), signature })).toBe(true);
  if (!isSalted(payload)) throw new Error('the payload is not salted');
  const { x_first_signed: _, ...before } = payload._sd;
  expect(first.core.payload_hash).toBe(payloadHash({ ...payload, _sd: before }));
  return first.core;
}

it('a record is signed again where the chain continued without it, and proves when it was signed first', async () => {
  const { home, agent } = await installAgent(owner, service.kid);
  const recorder = openRecorder(home);
  await recorder.take('codex', [noteSeen()]);
  await sent(recorder);
  await submitBeside(agent);
  await service.stop();
  const taken = [await recorder.take('codex', [noteSeen()]), await recorder.take('codex', [noteSeen()])];
  await service.restart({ port });
  await recorder.take('codex', [noteSeen()]);
  await sent(recorder);
  const ledger = await ledgerOf(owner, agent);
  expect(ledger).toHaveLength(5);
  const ids = taken.flatMap(({ operation_ids }) => operation_ids);
  const again = ledger.filter(({ operation_id }) => ids.includes(operation_id));
  expect(again).toHaveLength(2);
  for (const record of again) expectFirstSigned(record, agent);
});

it('records that waited for longer than a day are signed again, in their order and under their ids', async () => {
  const { home, agent } = await installAgent(owner, service.kid);
  const first = recordOf(agent, Date.now() - DAY_MS - 3_600_000, null);
  const second = recordOf(agent, Date.now() - DAY_MS - 3_500_000, first.chain_hash);
  const spool = new Spool(home.spool);
  const { id } = spool.chains.open(agent);
  for (const record of [first, second]) spool.waiting.add(id, record);
  spool.chains.setHead(id, second.chain_hash);
  await spool.close();
  const recorder = openRecorder(home);
  const { operation_ids } = await recorder.take('codex', [noteSeen()]);
  await sent(recorder);
  const ledger = await ledgerOf(owner, agent);
  const ids = [first.operation_id, second.operation_id, ...operation_ids];
  expect(ledger.map(({ operation_id }) => operation_id)).toEqual(ids);
  const [one, two] = ledger.map(({ shown }) => shown['x_first_signed'] as { core: RecordCore } | undefined);
  expect([one?.core.issued_at, two?.core.issued_at]).toEqual([first.issued_at, second.issued_at]);
});

it('an operation whose id stands for another one is kept under a new id, with its first signature', async () => {
  const { home, agent } = await installAgent(owner, service.kid);
  const other = await installAgent(owner, service.kid);
  await service.stop();
  const before = openRecorder(home);
  const { operation_ids } = await before.take('codex', [noteSeen()]);
  const later = await before.take('codex', [noteSeen()]);
  await before.close();
  await service.restart({ port });
  const [taken = ''] = operation_ids;
  await submitBeside(other.agent, taken);
  await sent(openRecorder(home));
  const [again, next, ...more] = await ledgerOf(owner, agent);
  expect(more).toEqual([]);
  if (again === undefined) throw new Error('the operation is not in the ledger');
  expect(again.operation_id).not.toBe(taken);
  expect(expectFirstSigned(again, agent).operation_id).toBe(taken);
  expect(next?.operation_id).toBe(later.operation_ids[0]);
});
