import { describe, expect, it } from 'vitest';
import { FindingLog } from '../../src/protocol/verify/finding-log.ts';

const MESSAGE = 'Wrong.';
const KEPT = 1000;

/** Tells a log of wrong signatures of records, in this order. */
function told(seqNos: Iterable<number>): FindingLog {
  const log = new FindingLog();
  for (const seqNo of seqNos) log.add('SIGNATURE_INVALID', { where: { seq_no: seqNo }, message: MESSAGE });
  return log;
}

function* upTo(last: number, step = 1): Generator<number> {
  for (let seqNo = 1; seqNo <= last; seqNo += step) yield seqNo;
}

describe('findings of a bundle that is damaged everywhere', () => {
  it('are counted all, and kept up to a thousand of each code', () => {
    const log = told(upTo(KEPT + 500));
    log.add('SEQUENCE_GAP', { where: { seq_no: 7 }, message: MESSAGE });
    expect(log.listed()).toHaveLength(KEPT + 1);
    expect(log.counts.get('SIGNATURE_INVALID')).toBe(KEPT + 500);
    expect(log.anyFailed).toBe(true);
  });

  it('have the records of those that are not kept remembered as runs', () => {
    expect(told(upTo(KEPT + 500)).beyond).toEqual([[KEPT + 1, KEPT + 500]]);
    const again = [...upTo(KEPT), 2000, 2001, 2003, 2003, 2001];
    expect(told(again).beyond).toEqual([
      [2000, 2001],
      [2003, 2003],
      [2001, 2001],
    ]);
  });

  it('name all between two records, where there are too many runs to tell apart', () => {
    const many = 100_000;
    const log = told(upTo(2 * (KEPT + many + 50), 2));
    expect(log.beyond).toHaveLength(many);
    expect(log.beyond.at(-1)?.[1]).toBe(2 * (KEPT + many + 50) - 1);
    log.add('SIGNATURE_INVALID', { where: { seq_no: 1 }, message: MESSAGE });
    expect(log.beyond.at(-1)?.[0]).toBe(1);
  });

  it('fail their own check, another one where they say so, and none as a warning', () => {
    const log = new FindingLog();
    log.add('SEQUENCE_GAP', { message: MESSAGE, severity: 'warning' });
    expect(log.anyFailed).toBe(false);
    log.add('SEQUENCE_GAP', { message: MESSAGE, check: 'epochs' });
    expect(log.failed('epochs')).toBe(true);
    expect(log.failed('completeness')).toBe(false);
  });
});

describe('findings of a report (protocol V130)', () => {
  it('stand in the order of the codes, errors before warnings, whatever was found first', () => {
    const log = new FindingLog();
    log.add('NOT_COMPARED', { message: MESSAGE, severity: 'warning' });
    log.add('MALFORMED', { message: MESSAGE, severity: 'warning' });
    log.add('MANIFEST_MISMATCH', { message: MESSAGE });
    log.add('SIGNATURE_INVALID', { where: { seq_no: 2 }, message: MESSAGE });
    log.add('SIGNATURE_INVALID', { where: { seq_no: 1 }, message: MESSAGE });
    log.add('MALFORMED', { message: MESSAGE });
    expect(log.listed().map(({ code, severity, where }) => [code, severity, where.seq_no])).toEqual([
      ['MALFORMED', 'error', undefined],
      ['SIGNATURE_INVALID', 'error', 2],
      ['SIGNATURE_INVALID', 'error', 1],
      ['MANIFEST_MISMATCH', 'error', undefined],
      ['MALFORMED', 'warning', undefined],
      ['NOT_COMPARED', 'warning', undefined],
    ]);
  });

  it('keep an error of a code of which there are a thousand warnings', () => {
    const log = new FindingLog();
    for (let left = KEPT; left > 0; left--) log.add('MALFORMED', { message: MESSAGE, severity: 'warning' });
    log.add('MALFORMED', { message: 'The error.' });
    expect(log.listed()[0]).toMatchObject({ severity: 'error', message: 'The error.' });
    expect(log.listed()).toHaveLength(KEPT + 1);
  });
});
