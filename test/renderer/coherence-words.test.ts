import { describe, expect, it } from 'vitest';
import {
  type CoherenceSummary,
  gravestFirst,
  lampOf,
  notCheckedOf,
} from '../../src/renderer/report/coherence-words.ts';

const summary = (status: CoherenceSummary['status'], contradictions = 0, open = 0): CoherenceSummary => ({
  status,
  counts: { contradictions, open },
});

describe('the lamp of coherence', () => {
  it('is not there where no record is of the payload profile', () => {
    expect(lampOf(summary('not_applicable'))).toBeNull();
  });

  it.each([
    [summary('coherent'), 'coherent', 'Coherent'],
    [summary('coherent', 0, 2), 'open', 'Coherent, with open questions'],
    [summary('incoherent', 1, 2), 'incoherent', 'Incoherent'],
    [summary('not_checked', 0, 1), 'unknown', 'Not fully checked'],
    [null, 'unknown', 'Not checked'],
  ])('of %j is %s', (coherence, state, word) => {
    expect(lampOf(coherence)).toMatchObject({ state, word });
  });

  it('has no word that a verdict has', () => {
    const all = [null, summary('coherent'), summary('coherent', 0, 1), summary('incoherent'), summary('not_checked')];
    const words = all.map((coherence) => lampOf(coherence)?.word ?? '').join(' ');
    expect(words).not.toMatch(/verified|failed|incomplete|pass|error/i);
  });
});

it('lists contradictions, open questions and notes, each in the order of the report', () => {
  const findings = (['open', 'contradiction', 'note', 'open', 'contradiction'] as const).map((severity, id) => ({
    severity,
    id,
  }));
  expect(gravestFirst(findings).map(({ id }) => id)).toEqual([1, 4, 0, 3, 2]);
});

it('says how much was not checked, and why', () => {
  const none = { withheld: 0, not_comparable: 0, forgotten: 0, unreadable: 0 };
  expect(notCheckedOf(none)).toEqual([]);
  expect(notCheckedOf({ ...none, withheld: 1, unreadable: 1200 })).toEqual([
    '1 record with withheld members or payload',
    '1,200 records unreadable or out of order',
  ]);
});
