import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type AgentFile, writeAgentFile } from '../../../src/recorder/base/agent-file.ts';
import type { RecorderHome } from '../../../src/recorder/base/home.ts';
import type { Recorder } from '../../../src/recorder/engine/recorder.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { installAgent, ledgerOf, openRecorder, receiptsIn, sent } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { callSeen, noteSeen } from '../../support/stand-in-pipeline.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const owner = await service.signUp();
const port = Number(new URL(service.url).port);

const install = (members: Partial<AgentFile> = {}) => installAgent(owner, service.kid, members);

function receiptsOf(home: RecorderHome, { agent_id }: AgentFile) {
  return receiptsIn(readFileSync(join(home.receipts, `${agent_id}.jsonl`), 'utf8'));
}

describe('events', () => {
  it('become one chain in the order in which they came, with a receipt for each', async () => {
    const { home, agent } = await install();
    const recorder = openRecorder(home);
    const verdicts = await Promise.all(Array.from({ length: 40 }, () => recorder.take('codex', [noteSeen()])));
    expect(verdicts.every(({ allowed }) => allowed)).toBe(true);
    await sent(recorder);
    const ids = verdicts.flatMap(({ operation_ids }) => operation_ids);
    const ledger = await ledgerOf(owner, agent);
    expect(ledger.map(({ operation_id }) => operation_id)).toEqual(ids);
    expect(receiptsOf(home, agent).map(({ operation_id }) => operation_id)).toEqual(ids);
    const [status] = recorder.status().agents;
    expect(status).toMatchObject({ waiting: 0, oldest: null, stopped: null, lost: 0 });
    expect(status?.head).toBe(receiptsOf(home, agent).at(-1)?.chain_hash);
  });

  it('are taken once, however often and whenever they come', async () => {
    const { home, agent } = await install();
    const event = noteSeen();
    const first = openRecorder(home);
    const verdicts = await Promise.all([1, 2, 3].map(() => first.take('codex', [event])));
    await first.close();
    const second = openRecorder(home);
    verdicts.push(await second.take('codex', [event]));
    await sent(second);
    expect(new Set(verdicts.flatMap(({ operation_ids }) => operation_ids)).size).toBe(1);
    expect(await ledgerOf(owner, agent)).toHaveLength(1);
  });

  it('are not called kept before the disk has them', async () => {
    const { home } = await install();
    const recorder = openRecorder(home);
    // What would be flushed is gone: SQLite itself can still write.
    rmSync(`${home.spool}-wal`);
    await expect(recorder.take('codex', [noteSeen()])).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('of one call are joined across a restart', async () => {
    const { home, agent } = await install();
    const first = openRecorder(home);
    await first.take('codex', [callSeen('proposed')]);
    await first.close();
    const second = openRecorder(home);
    await second.take('codex', [callSeen('completed')]);
    await sent(second);
    const [before, after] = await ledgerOf(owner, agent);
    expect(before?.shown['action_id']).toBe(after?.shown['action_id']);
  });

  it('that cannot be taken are refused together, and a record says how many there were', async () => {
    const { home, agent } = await install();
    const recorder = openRecorder(home);
    const bad = recorder.take('codex', [noteSeen(), noteSeen(undefined, 'Impossible')]);
    await expect(bad).rejects.toMatchObject({ code: 'EVENT_INVALID' });
    await recorder.take('codex', [noteSeen()]);
    await sent(recorder);
    const ledger = await ledgerOf(owner, agent);
    expect(ledger.map(({ action }) => action)).toEqual(['gap', 'note']);
    expect(ledger[0]?.shown['gap']).toMatchObject({ count: 2, reason: 'EVENT_INVALID' });
  });

  it('of a program without an agent are refused', async () => {
    const { home } = await install();
    await expect(openRecorder(home).take('kimi', [noteSeen()])).rejects.toMatchObject({ code: 'NOT_INSTALLED' });
  });
});

describe('a recorder', () => {
  it('refuses a folder that another one uses', async () => {
    const { home } = await install();
    const first = openRecorder(home);
    expect(() => openRecorder(home)).toThrow(expect.objectContaining({ code: 'RECORDER_RUNNING' }));
    await first.close();
    await openRecorder(home).close();
  });

  it('keeps what the service cannot take, and sends it once it is back, also after a restart', async () => {
    const { home, agent } = await install();
    await service.stop();
    const first = openRecorder(home);
    for (let n = 0; n < 5; n++) expect(await first.take('codex', [noteSeen()])).toMatchObject({ allowed: true });
    await until('the service to be missed', () => first.status().agents[0]?.stopped?.code === 'SERVICE_UNAVAILABLE');
    expect(first.status()).toMatchObject({ waiting: 5 });
    await first.close();
    const second = openRecorder(home);
    await second.take('codex', [noteSeen()]);
    await service.restart({ port });
    await sent(second);
    expect(await ledgerOf(owner, agent)).toHaveLength(6);
    expect(second.status().agents[0]?.stopped).toBeNull();
  });

  it('takes another policy from a changed file', async () => {
    const { home, agent } = await install();
    const recorder = openRecorder(home);
    await recorder.take('codex', [noteSeen()]);
    await sent(recorder);
    writeAgentFile(home, { ...agent, threshold: 'countersigned' });
    expect(await recorder.take('codex', [callSeen('proposed')])).toMatchObject({ allowed: true });
    expect(recorder.status().waiting).toBe(0);
  });
});

describe('records that the service refuses', () => {
  it('wait while the agent is frozen, and go out once it is not', async () => {
    const { home, agent } = await install();
    const params = { agent_id: agent.agent_id };
    await owner.client.ok('freezeAgent', { params, body: { reason: 'a test' } });
    const first = openRecorder(home);
    expect(await first.take('codex', [noteSeen()])).toMatchObject({ allowed: true, reason: null });
    const stopped = () => first.status().agents[0]?.stopped?.code === 'AGENT_FROZEN';
    await until('the refusal', stopped);
    expect(await first.take('codex', [noteSeen()])).toMatchObject({ allowed: true });
    await first.close();
    await owner.client.ok('unfreezeAgent', { params, body: { reason: 'a test' } });
    await sent(openRecorder(home));
    expect(await ledgerOf(owner, agent)).toHaveLength(2);
  });
});

describe('the threshold countersigned', () => {
  it('stops a call of a frozen agent, records that it did, and lets it on later', async () => {
    const { home, agent } = await install({ threshold: 'countersigned' });
    const params = { agent_id: agent.agent_id };
    const recorder = openRecorder(home);
    expect(await recorder.take('codex', [callSeen('proposed')])).toMatchObject({ allowed: true });
    await owner.client.ok('freezeAgent', { params, body: { reason: 'a test' } });
    const stopped = await recorder.take('codex', [callSeen('proposed', { call_id: 'call-2' })]);
    expect(stopped).toMatchObject({ allowed: false, reason: expect.stringContaining('AGENT_FROZEN') });
    const read = { name: 'Read', type: 'file', server: null } as const;
    const reading = await recorder.take('codex', [callSeen('proposed', { call_id: 'call-3', tool: read })]);
    expect(reading).toMatchObject({ allowed: true });
    await owner.client.ok('unfreezeAgent', { params, body: { reason: 'a test' } });
    const allowed = await recorder.take('codex', [callSeen('proposed', { call_id: 'call-4' })]);
    expect(allowed).toMatchObject({ allowed: true });
    await sent(recorder);
    const ledger = await ledgerOf(owner, agent);
    expect(ledger.map(({ action }) => action)).toEqual(['proposed', 'proposed', 'refused', 'proposed', 'proposed']);
    expect(ledger[2]?.shown['action_id']).toBe(ledger[1]?.shown['action_id']);
  });

  it('stops a call while the service is away', async () => {
    const { home } = await install({ threshold: 'countersigned', service_url: 'http://127.0.0.1:9' });
    const verdict = await openRecorder(home).take('codex', [callSeen('proposed')]);
    expect(verdict).toMatchObject({ allowed: false, reason: expect.stringContaining('within 2500 ms') });
  });
});

describe('a full spool', () => {
  const BYTES = 512 * 1024;
  const large = () => callSeen('proposed', { input: 'x'.repeat(60_000) });

  /** Takes events until one does not fit any more. @returns its verdict */
  async function fill(recorder: Recorder<Seen>) {
    for (let n = 0; n < 20; n++) {
      const verdict = await recorder.take('codex', [large()]);
      if (verdict.operation_ids.length === 0) return verdict;
    }
    throw new Error('the spool did not become full');
  }

  it('loses events that may be lost, and a record says how many', async () => {
    const { home, agent } = await install();
    await service.stop();
    const recorder = openRecorder(home, BYTES);
    expect(await fill(recorder)).toEqual({ allowed: true, reason: null, operation_ids: [] });
    await recorder.take('codex', [large()]);
    expect(recorder.status().agents[0]?.lost).toBe(2);
    const { losses = [] } = recorder.status().agents[0] ?? {};
    expect(losses.reduce((sum, { count }) => sum + (count ?? 0), 0)).toBe(2);
    expect(losses[0]).toMatchObject({ reason: 'SPOOL_FULL', tool: expect.any(String) });
    expect(recorder.status().spool.bytes).toBeLessThan(BYTES);
    await recorder.close();
    await service.restart({ port });
    const next = openRecorder(home, BYTES);
    expect(next.status().agents[0]?.losses).toEqual(losses);
    await sent(next);
    expect(next.status().spool.bytes).toBeLessThan(200_000);
    await next.take('codex', [noteSeen()]);
    await sent(next);
    const ledger = await ledgerOf(owner, agent);
    expect(ledger.slice(-2).map(({ action }) => action)).toEqual(['gap', 'note']);
    expect(ledger.at(-2)?.shown['gap']).toMatchObject({ count: 2, reason: 'SPOOL_FULL' });
    expect(next.status().agents[0]?.lost).toBe(0);
  });

  it('stops the agent where nothing may be lost', async () => {
    const { home } = await install({ on_failure: 'block', service_url: 'http://127.0.0.1:9' });
    const verdict = await fill(openRecorder(home, BYTES));
    expect(verdict).toMatchObject({ allowed: false, reason: expect.stringContaining('could not be recorded') });
  });
});
