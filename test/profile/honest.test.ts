// Whatever is approved: an honest execution has no finding, and one that differs in a single place has one that names it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/protocol/index.ts';
import { approvedAction, Story } from '../support/agent-actions.ts';

const argumentsOfCall = fc.dictionary(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((name) => name !== '__proto__'),
  fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.string({ unit: 'grapheme' }),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b/c', 'd~e', ''), tie('value'), { maxKeys: 3 }),
    ),
  })).value,
  { minKeys: 1, maxKeys: 5 },
);

/** Every place in a value, as its path. */
function places(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) => places(one, [...path, name]));
  return inner.length === 0 ? [path] : inner;
}

/** The same value with something else in one place. */
function changed(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined) return value === 'changed' ? 'changed again' : 'changed';
  if (Array.isArray(value)) return value.map((one, i) => (String(i) === step ? changed(one, rest) : one));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [name, name === step ? changed(one, rest) : one]),
  );
}

const pointerOf = (path: readonly string[]): string =>
  path.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

describe('10,000 approved actions', () => {
  it('have no finding where what was approved was carried out', () => {
    const story = new Story();
    const inputs = fc.sample(argumentsOfCall, { numRuns: 10_000, seed: 2026 });
    for (const [i, value] of inputs.entries()) approvedAction(story, i, value);
    expect(story.report()).toMatchObject({
      status: 'coherent',
      counts: { records: 40_000, calls: 10_000, decisions: 10_000, contradictions: 0, open: 0 },
      findings: [],
    });
  });

  it('have none where they are carried out side by side', () => {
    const stories = fc
      .sample(argumentsOfCall, { numRuns: 2500, seed: 7 })
      .map((value, i) => approvedAction(new Story(), i, value));
    const story = new Story();
    for (let step = 0; step < 4; step++) {
      for (const { records } of stories) {
        const record = records[step];
        if (record?.payload) story.add(record.payload as Parameters<Story['add']>[0], { agent: record.agent_id });
      }
    }
    expect(story.report()).toMatchObject({ status: 'coherent', findings: [] });
  });

  it('have exactly one, with its place, where a single argument changed', () => {
    fc.assert(
      fc.property(argumentsOfCall, fc.nat(), (value, choice) => {
        const all = places(value);
        const path = all[choice % all.length] ?? [];
        const { status, findings } = approvedAction(new Story(), 1, value, changed(value, path)).report();
        expect(status).toBe('incoherent');
        expect(findings).toHaveLength(1);
        expect(findings[0]).toMatchObject({
          code: 'EXECUTED_OTHER_THAN_APPROVED',
          where: { seq_no: 3, other_seq_no: 2, pointer: `/input/value${pointerOf(path)}` },
        });
      }),
      { numRuns: 1000 },
    );
  });
});
