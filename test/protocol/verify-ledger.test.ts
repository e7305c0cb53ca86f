import { describe, expect, it, vi } from 'vitest';
import {
  type FindingCode,
  type RecordFacts,
  type StoredLedger,
  type StoredRecord,
  type StoredValue,
  verifyLedger,
} from '../../src/protocol/index.ts';
import type { VerifyLedgerOptions } from '../../src/protocol/verify/stored-ledger.ts';
import { type Contents, makeBundle, type Plan, serviceKid } from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { rootCauses } from '../support/verifying.ts';

vi.setConfig({ testTimeout: 60_000 });

const PLAN: Plan = { agents: 2, epochs: [3, 3, 2], rotation: true };
const RECORDS = 8;
const EPOCHS = 3;
/** The service key of the newest epoch. */
const TRUSTED = serviceKid(1);

function stored(values: readonly unknown[], where: (index: number) => StoredValue['where']): StoredValue[] {
  return values.map((value, index) => ({ where: where(index), read: () => value }));
}

const factsOfEvent = (event: object): string => ('event_id' in event ? String(event.event_id) : 'withheld');

/** A stored ledger that holds what a bundle does. */
function ledgerOf({ org, service_keys, agents, epochs, admin_events, records }: Contents, pageSize = 3): StoredLedger {
  const rows = records.map(
    (record): StoredRecord => ({
      where: { seq_no: record.ear.seq_no },
      read: () => record,
      compare: () => undefined,
    }),
  );
  const pages = Array.from({ length: Math.ceil(rows.length / pageSize) }, (_, page) =>
    rows.slice(page * pageSize, (page + 1) * pageSize),
  );
  return {
    org,
    // The active one first.
    serviceKeys: stored(service_keys.toReversed(), (index) => ({ kid: at(service_keys.toReversed(), index).kid })),
    agents: stored(agents, (index) => ({ agent_id: at(agents, index).agent_id })),
    epochs: stored(epochs, (index) => ({ epoch_no: at(epochs, index).epoch_no })),
    adminEvents: stored(admin_events, (index) => ({ event_id: factsOfEvent(at(admin_events, index)) })),
    records: pages,
    knownHead: { seq_no: RECORDS, epoch_no: EPOCHS },
    compare: () => undefined,
  };
}

const WHOLE = makeBundle(PLAN).bundle;

function verified(ledger: StoredLedger, options: VerifyLedgerOptions = {}) {
  return verifyLedger(ledger, { trustedKids: [TRUSTED], ...options });
}

/** The codes that explain what is wrong with a ledger whose contents were changed. */
async function causesOf(change: (contents: Contents) => Contents): Promise<readonly FindingCode[]> {
  return rootCauses(await verified(ledgerOf(change(WHOLE))));
}

describe('protocol V132: a stored ledger', () => {
  it.each([1, 3, 100])('that is whole is verified, read %i rows at a time, and tells how far it is', async (size) => {
    const progress: number[] = [];
    const report = await verified(ledgerOf(WHOLE, size), { onProgress: (records) => progress.push(records) });
    expect(report.findings).toEqual([]);
    expect(report.verdict).toBe('verified');
    expect(progress.at(-1)).toBe(RECORDS);
    expect(progress).toHaveLength(Math.ceil(RECORDS / size));
  });

  it('is not verified for anyone who trusts no key of it', async () => {
    expect((await verified(ledgerOf(WHOLE), { trustedKids: [] })).verdict).toBe('incomplete');
  });

  it('may have records after its last epoch, where no more of it is known to be sealed', async () => {
    const ledger = ledgerOf({ ...WHOLE, epochs: WHOLE.epochs.slice(0, -1) });
    const open = { ...ledger, knownHead: { seq_no: 6, epoch_no: 2 } };
    const report = await verified(open, { trustedKids: [serviceKid(0), TRUSTED] });
    expect(report.findings).toEqual([]);
    expect(rootCauses(await verified(ledger))).toContain('EPOCH_CHAIN_BROKEN');
  });

  it('must begin with its first record, and reach as far as it is known to', async () => {
    const without = (...gone: number[]) =>
      causesOf((contents) => ({
        ...contents,
        records: contents.records.filter(({ ear }) => !gone.includes(ear.seq_no)),
      }));
    expect(await without(1)).toContain('SEQUENCE_GAP');
    expect(await without(1, 2)).toContain('SEQUENCE_GAP');
    expect(await without(4)).toContain('SEQUENCE_GAP');
    expect(await without(7, 8)).toContain('SEQUENCE_GAP');
    const none = await verified({ ...ledgerOf({ ...WHOLE, records: [] }), records: [] });
    expect(none.findings.map(({ code }) => code)).toContain('SEQUENCE_GAP');
  });

  it('must begin with its first epoch and its first administrative event', async () => {
    const shorter = (count: number) => causesOf((contents) => ({ ...contents, epochs: contents.epochs.slice(count) }));
    expect(await shorter(1)).toContain('EPOCH_CHAIN_BROKEN');
    expect(await shorter(2)).toContain('EPOCH_CHAIN_BROKEN');
    expect(await causesOf((contents) => ({ ...contents, epochs: [] }))).toContain('EPOCH_CHAIN_BROKEN');
    const events = (contents: Contents) => ({ ...contents, admin_events: contents.admin_events.slice(1) });
    expect(await causesOf(events)).toContain('ADMIN_CHAIN_BROKEN');
  });

  it('has each row named that cannot be read, and everything else verified', async () => {
    const ledger = ledgerOf(WHOLE);
    const broken = (value: StoredValue | undefined, error: unknown): StoredValue => ({
      where: value?.where ?? {},
      read: () => {
        throw error;
      },
    });
    const [first, ...others] = ledger.agents;
    const [page = [], ...pages] = ledger.records as StoredRecord[][];
    const [row, ...rows] = page;
    const unreadable = { ...broken(row, 'no JSON'), compare: () => undefined };
    const report = await verified({
      ...ledger,
      agents: [broken(first, new Error('not UTF-8')), ...others],
      epochs: [{ where: { epoch_no: 1 }, read: () => ({ epoch_no: 'one' }) }, ...ledger.epochs.slice(1)],
      records: [[unreadable, ...rows], ...pages],
    });
    const malformed = report.findings.filter(({ code }) => code === 'MALFORMED');
    expect(malformed.map(({ where }) => where)).toEqual([
      { agent_id: 'agent-1' },
      { epoch_no: 1, member: expect.any(String) },
      { seq_no: 1 },
    ]);
    expect(malformed.map(({ message }) => message).join()).toMatch(/not UTF-8.*no JSON/s);
    expect(report.verdict).toBe('failed');
  });

  it('has what its tables say beside the evidence compared, and no line of a file in its findings', async () => {
    const seen: RecordFacts[] = [];
    const ledger = ledgerOf(WHOLE);
    const report = await verified({
      ...ledger,
      records: (ledger.records as StoredRecord[][]).map((page) =>
        page.map((row) => ({
          ...row,
          compare: (facts, differ) => {
            seen.push(facts);
            if (facts.ear.seq_no !== 2) return;
            differ({ where: { seq_no: 2 }, expected: 'write', actual: 'read', message: 'The column action differs.' });
          },
        })),
      ),
      compare: ({ tails, epochs }, differ) => {
        expect([...tails].map(([agent, { seqNo }]) => [agent, seqNo])).toEqual([
          ['agent-1', 7],
          ['agent-2', 8],
        ]);
        expect(epochs).toHaveLength(EPOCHS);
        differ({ where: { agent_id: 'agent-1' }, message: 'The head of its chain differs.', code: 'CHAIN_BROKEN' });
      },
    });
    expect(seen.map(({ ear }) => ear.seq_no)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(report.findings.map(({ code, where }) => [code, where])).toEqual(
      expect.arrayContaining([
        ['STATE_MISMATCH', { seq_no: 2 }],
        ['CHAIN_BROKEN', { agent_id: 'agent-1' }],
      ]),
    );
    expect(JSON.stringify(report.findings)).not.toContain('"line"');
  });

  it('is left off between two pages where whoever asked wants no more', async () => {
    const signal = {
      throwIfAborted: () => {
        throw new Error('stopped');
      },
    };
    await expect(verified(ledgerOf(WHOLE), { signal })).rejects.toThrow('stopped');
  });
});
