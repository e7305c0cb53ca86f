// A window signs a draft of the service only where it is the report that was asked for.
import { describe, expect, it } from 'vitest';
import {
  type ChosenEntry,
  type ChosenReport,
  type ChosenReportContent,
  examinerSignature,
  type JsonObject,
  makeChosenReport,
  makeRecordProof,
} from '../../src/protocol/index.ts';
import { isDraftOf } from '../../src/renderer/decisions/report-draft-check.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { sourceOf } from '../support/reports.ts';

const bundle = makeBundle({ agents: 1, epochs: [4] }).text;
const proofOfNumbers = async (...numbers: number[]) => makeRecordProof(sourceOf(bundle), numbers);
const proof = await proofOfNumbers(1, 3);
const operations = new Map(proof.records.map(({ eor, ear }) => [ear.seq_no, eor.operation_id]));
const asked = { title: 'Refunds', question: '', entries: [{ seq_no: 3, comment: 'First.' }, { seq_no: 1 }] };

function draft(change: Partial<Omit<ChosenReportContent, 'type'>> = {}): ChosenReport {
  return makeChosenReport({
    ...asked,
    examiner: null,
    made_at: '2026-01-02T03:04:05.000Z',
    taken_from: null,
    trusted_keys: [],
    proof: proof as unknown as JsonObject,
    ...change,
  });
}

describe('a draft of the service', () => {
  it('is signed where it has the words, records and order that were asked for', () => {
    expect(isDraftOf(draft(), asked, operations, [])).toBe(true);
    expect(isDraftOf(draft({ examiner: 'Ada' }), { ...asked, examiner: 'Ada' }, operations, [])).toBe(true);
  });

  it.each<[string, Partial<Omit<ChosenReportContent, 'type'>>]>([
    ['title', { title: 'Refund' }],
    ['question', { question: 'Which?' }],
    ['maker', { examiner: 'Eve' }],
    ['comment', { entries: [{ seq_no: 3, comment: 'Second.' }, { seq_no: 1 }] }],
    ['order', { entries: [{ seq_no: 1 }, { seq_no: 3, comment: 'First.' }] }],
  ])('is not signed with another %s', (_, change) => {
    expect(isDraftOf(draft(change), asked, operations, [])).toBe(false);
  });

  it('is not signed with other records than were shown, more of them, or none', async () => {
    const swapped = new Map([...operations].map(([seqNo], n) => [seqNo, [...operations.values()].reverse()[n] ?? '']));
    expect(isDraftOf(draft(), asked, swapped, [])).toBe(false);
    const more = (await proofOfNumbers(1, 2, 3)) as unknown as JsonObject;
    expect(isDraftOf(draft({ proof: more }), asked, operations, [])).toBe(false);
    expect(isDraftOf(draft({ proof: {} }), asked, operations, [])).toBe(false);
  });

  it('is signed with what the ledger says of the clock, and with nothing else about it', () => {
    const at = '2026-01-02T00:00:00.000Z';
    const place = (seq_no: number) => ({ seq_no, epoch_no: 0, events: 0 });
    const times = [{ corrected_at: at, after: place(2), until: place(3) }];
    const [first, second] = asked.entries;
    const marked = draft({ entries: [{ ...first, clock_corrected_at: at } as ChosenEntry, second as ChosenEntry] });
    expect(isDraftOf(marked, asked, operations, times)).toBe(true);
    expect(isDraftOf(marked, asked, operations, [])).toBe(false);
    expect(isDraftOf(draft(), asked, operations, times)).toBe(false);
  });

  it('is not signed with a digest of something else, nor where it has a signature already', () => {
    expect(isDraftOf({ ...draft(), digest: draft({ title: 'Refund' }).digest }, asked, operations, [])).toBe(false);
    const signature = examinerSignature(new Uint8Array(32).fill(1), new Uint8Array(64));
    expect(isDraftOf({ ...draft(), signature }, asked, operations, [])).toBe(false);
  });
});
