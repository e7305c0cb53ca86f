// Whatever is approved: an honest execution has no finding, and one that differs in a single place has one that names it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/protocol/index.ts';
import { approvedAction, digestOf, type Members, Story } from '../../support/agent-actions.ts';
import { runs, share } from '../../support/extent.ts';

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

/** Every list and object in a value, the value itself first. */
function holders(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return [path, ...Object.entries(value).flatMap(([name, one]) => holders(one, [...path, name]))];
}

/** The same value with one more element or member in one place, and under which step. */
function added(value: Json, [step, ...rest]: readonly string[]): { readonly executed: Json; readonly step: string } {
  if (Array.isArray(value) && step === undefined) return { executed: [...value, 'new'], step: String(value.length) };
  if (step === undefined) return { executed: { ...(value as object), 'n/e~w': 1 }, step: 'n/e~w' };
  const entries = Object.entries(value as object) as [string, Json][];
  const inner = added(entries.find(([name]) => name === step)?.[1] ?? null, rest);
  const all = entries.map(([name, one]): [string, Json] => [name, name === step ? inner.executed : one]);
  return { executed: Array.isArray(value) ? all.map(([, one]) => one) : Object.fromEntries(all), step: inner.step };
}

/** The payload without a value: in the question (1), the execution (2) or both (3); 4 adds that the salt is gone as well. */
function byDigest(payload: Members, hidden: number): Members {
  const { phase, input } = payload as { phase: string; input?: { value: Json; salt: string } };
  const isHidden = (phase === 'asked' && (hidden & 1) !== 0) || (phase === 'started' && (hidden & 2) !== 0);
  if (input === undefined || !isHidden) return payload;
  const digest = digestOf(input.value);
  return { ...payload, input: (hidden & 4) === 0 ? { digest, salt: input.salt } : { digest } };
}

function expectFound(story: Story, pointer: string): void {
  const { status, findings } = story.report();
  expect(status).toBe('incoherent');
  expect(findings).toHaveLength(1);
  expect(findings[0]).toMatchObject({
    code: 'EXECUTED_OTHER_THAN_APPROVED',
    where: { seq_no: 3, other_seq_no: 2, pointer },
  });
}

describe(`${share(10_000)} approved actions`, () => {
  it('have no finding where what was approved was carried out', () => {
    const story = new Story();
    const inputs = fc.sample(argumentsOfCall, runs(10_000));
    for (const [i, value] of inputs.entries()) approvedAction(story, i, value);
    expect(story.report()).toMatchObject({
      status: 'coherent',
      counts: {
        records: 4 * inputs.length,
        calls: inputs.length,
        decisions: inputs.length,
        contradictions: 0,
        open: 0,
        notes: 0,
      },
      findings: [],
    });
  });

  it('have none where they are carried out side by side', () => {
    const stories = fc.sample(argumentsOfCall, runs(2500)).map((value, i) => approvedAction(new Story(), i, value));
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
        expectFound(approvedAction(new Story(), 1, value, changed(value, path)), `/input/value${pointerOf(path)}`);
      }),
      runs(1000),
    );
  });

  it('have exactly one where an argument was added', () => {
    fc.assert(
      fc.property(argumentsOfCall, fc.nat(), (value, choice) => {
        const all = holders(value);
        const path = all[choice % all.length] ?? [];
        const { executed, step } = added(value, path);
        const pointer = `/input/value${pointerOf([...path, step])}`;
        expectFound(approvedAction(new Story(), 1, value, executed), pointer);
        // The other way round: it was approved, and left out.
        expectFound(approvedAction(new Story(), 1, executed, value), pointer);
      }),
      runs(300),
    );
  });

  it('have exactly one where the input is told by its digest alone', () => {
    fc.assert(
      fc.property(argumentsOfCall, fc.nat(), fc.constantFrom(1, 2, 3, 5, 6, 7), (value, choice, hidden) => {
        const all = places(value);
        const executed = changed(value, all[choice % all.length] ?? []);
        const story = new Story();
        for (const { payload, agent_id: agent } of approvedAction(new Story(), 1, value, executed).records) {
          story.add(byDigest(payload as Members, hidden), { agent });
        }
        expect(story.report()).toMatchObject({
          status: 'incoherent',
          findings: [
            { code: 'EXECUTED_OTHER_THAN_APPROVED', where: { seq_no: 3, other_seq_no: 2, pointer: '/input' } },
          ],
        });
        const honest = new Story();
        for (const { payload, agent_id: agent } of approvedAction(new Story(), 1, value).records) {
          honest.add(byDigest(payload as Members, hidden), { agent });
        }
        expect(honest.report()).toMatchObject({ status: 'coherent', findings: [] });
      }),
      runs(200),
    );
  });
});
