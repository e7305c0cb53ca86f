// What an agent keeps of the ledger next to its receipts (protocol F90), against real services. Set back behind running processes: test/faults/forked-ledger.test.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Agent, type AgentOptions, type Operation } from '../../src/agent/index.ts';
import { parseCheckpoint, parseEquivocationProof, verifyEquivocationProof } from '../../src/protocol/index.ts';
import { codeOf, messageOf } from '../../src/protocol/light.ts';
import { restoreBackup } from '../../src/service/index.ts';
import { copyOfRunning, temporaryFolder } from '../support/folders.ts';
import { TestProxy } from '../support/proxy.ts';
import { type Account, backupOf, registerAgent, signInAt, submitNext, TestService } from '../support/service.ts';
import type { Signer } from '../support/signer.ts';

const EXCHANGE = /^\/v1\/ledger\/exchange/;
const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder, `receipts-${files++}.jsonl`);
const operation = (n: number): Operation => ({
  operationType: 'file.write',
  subject: `file ${n}`,
  action: 'write',
  payload: { n },
});

function agentOf({ client }: Account, signer: Signer, receiptsFile: string, more: Partial<AgentOptions> = {}): Agent {
  const { orgId, agentId, kid, seed: privateKey } = signer;
  const options = { orgId, agentId, kid, privateKey, receiptsFile, serviceUrl: client.url, token: client.token ?? '' };
  return new Agent({ ...options, retryForMs: 10_000, ...more });
}

/** Submits some, and has what there is sealed. */
async function sealed(account: Account, signer: Signer, records: number): Promise<void> {
  for (let n = 0; n < records; n++) await submitNext(account, signer);
  await account.client.ok('closeEpoch');
}

const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(() => null).catch((error: unknown) => error);
const sizeIn = (path: string): number => parseCheckpoint(readFileSync(path)).size;

async function proofIn(path: string, kid: string): Promise<string> {
  const proof = parseEquivocationProof(readFileSync(path));
  const { verdict } = await verifyEquivocationProof(proof, { trustedKids: [kid] });
  return `${verdict} ${proof.kind}`;
}

describe('the checkpoint of an honest service', () => {
  it('is kept and replaced as the log grows, by a token that only submits', async () => {
    const service = await TestService.start({ epochIntervalSeconds: 3600 });
    const owner = await service.signUp();
    const [signer, other, file] = [await registerAgent(owner), await registerAgent(owner), newFile()];
    const body = { name: 'agent', scope: 'submit', agent_id: signer.agentId, ttl_seconds: null } as const;
    const { token } = await owner.client.ok('createToken', { body });
    const agent = agentOf(owner, signer, file, { token });
    await agent.submit(operation(1));
    expect(existsSync(`${file}.checkpoint`)).toBe(false);
    await sealed(owner, other, 2);
    await agent.submit(operation(2));
    expect(sizeIn(`${file}.checkpoint`)).toBe(3);
    await owner.client.ok('closeEpoch');
    await agent.submit(operation(3));
    // A proof from 4 would not hold its root.
    expect(sizeIn(`${file}.checkpoint`)).toBe(3);
    await sealed(owner, other, 2);
    await agent.submit(operation(4));
    expect(sizeIn(`${file}.checkpoint`)).toBe(7);
    expect(existsSync(`${file}.fork.json`)).toBe(false);
    await agent.close();
  });

  it('is not there where the service knows no exchange, or does not answer, and nothing fails', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const [signer, other, file] = [await registerAgent(owner), await registerAgent(owner), newFile()];
    await sealed(owner, other, 3);
    const proxy = await TestProxy.start(service.url);
    const agent = agentOf(owner, signer, file, { serviceUrl: proxy.url });
    const missing = '{"error":{"code":"NOT_FOUND","message":"m","request_id":"r"}}';
    proxy.next(EXCHANGE, { kind: 'answer', status: 404, body: missing });
    await agent.submit(operation(1));
    proxy.next(EXCHANGE, { kind: 'answer', status: 503, body: missing });
    await agent.submit(operation(2));
    expect(existsSync(`${file}.checkpoint`)).toBe(false);
    await agent.submit(operation(3));
    expect(sizeIn(`${file}.checkpoint`)).toBe(3);
    await agent.close();
  });

  it('is taken under its signature alone, and from a file that can be read', async () => {
    const service = await TestService.start();
    const owner = await service.signUp();
    const [signer, other, file] = [await registerAgent(owner), await registerAgent(owner), newFile()];
    await sealed(owner, other, 3);
    const proxy = await TestProxy.start(service.url);
    const agent = agentOf(owner, signer, file, { serviceUrl: proxy.url });
    proxy.next(EXCHANGE, { kind: 'change', change: (text) => text.replace('\\n3\\n', '\\n5\\n') });
    expect(codeOf(await errorOf(agent.submit(operation(1))))).toBe('ANSWER_INVALID');
    proxy.next(EXCHANGE, { kind: 'answer', status: 200, body: '{}' });
    expect(codeOf(await errorOf(agent.submit(operation(2))))).toBe('ANSWER_INVALID');
    writeFileSync(`${file}.checkpoint`, 'something else\n');
    expect(codeOf(await errorOf(agent.submit(operation(3))))).toBe('RECEIPTS_UNUSABLE');
    await agent.close();
  });
});

describe('a ledger with another past', () => {
  it('is found by an agent that lost nothing, through what another one kept in the same place', async () => {
    const service = await TestService.start({ epochIntervalSeconds: 3600 });
    const owner = await service.signUp();
    const [idle, busy, other, file] = [
      await registerAgent(owner),
      await registerAgent(owner),
      await registerAgent(owner),
      newFile(),
    ];
    await agentOf(owner, idle, file).submit(operation(1));
    await owner.client.ok('closeEpoch');
    const dataDir = join(temporaryFolder(), 'copy');
    copyOfRunning(service.dataDir, dataDir);
    const kept = agentOf(owner, busy, file);
    await kept.submit(operation(2));
    await sealed(owner, other, 3);
    await kept.submit(operation(3));
    expect(sizeIn(`${file}.checkpoint`)).toBe(5);

    const copy = await TestService.start({ dataDir, epochIntervalSeconds: 3600 });
    const account = await signInAt(copy.url, owner);
    await sealed(account, await registerAgent(account), 6);
    const agent = agentOf(account, idle, file);
    const error = await errorOf(agent.submit(operation(4)));
    expect([codeOf(error), messageOf(error)]).toEqual(['HISTORY_FORKED', expect.stringContaining(`${file}.fork.json`)]);
    expect(await proofIn(`${file}.fork.json`, service.kid)).toBe('verified checkpoint');
    // Its record was accepted and has its receipt; nothing more is sent.
    const { records } = await account.client.ok('ledgerSummary');
    expect(readFileSync(file, 'utf8')).toContain('"seq_no":8,');
    expect(codeOf(await errorOf(agentOf(account, idle, file).submit(operation(5))))).toBe('HISTORY_FORKED');
    expect((await account.client.ok('ledgerSummary')).records).toBe(records);
  });
});

describe('a ledger that was restored from a backup', () => {
  it('says so, and is accused of nothing where nothing is lost', async () => {
    const backups = temporaryFolder();
    const service = await TestService.start({ backupDir: backups });
    const owner = await service.signUp();
    const [early, late, other] = [await registerAgent(owner), await registerAgent(owner), await registerAgent(owner)];
    const [before, after] = [newFile(), newFile()];
    await sealed(owner, other, 3);
    await agentOf(owner, early, before).submit(operation(1));
    const from = join(backups, await backupOf(owner));
    const submitting = agentOf(owner, late, after);
    await submitting.submit(operation(2));
    await submitting.submit(operation(3));
    const dataDir = join(temporaryFolder(), 'restored');
    await restoreBackup({ from, dataDir });
    const restored = await TestService.start({ dataDir });
    const account = await signInAt(restored.url, owner);

    await agentOf(account, early, before).submit(operation(4));
    expect(existsSync(`${before}.fork.json`)).toBe(false);
    const error = await errorOf(agentOf(account, late, after).submit(operation(5)));
    expect([codeOf(error), messageOf(error)]).toEqual([
      'HISTORY_LOST',
      expect.stringMatching(/it says that it was restored or set back at 20/),
    ]);
    expect(await proofIn(`${after}.fork.json`, service.kid)).toBe('verified set_back');
  });
});
