import { expect, it } from 'vitest';
import { alignSteps, type ComparableStep } from '../../../src/actions/index.ts';

/** Steps from texts such as `read:a`: what was called, and with what. */
function steps(text: string): ComparableStep[] {
  return text.split(' ').map((given) => ({ name: given.split(':')[0] ?? '', given }));
}

it.each([
  ['the same steps', 'read:a pay:1', 'read:a pay:1', '0-0 1-1'],
  ['a step that one lacks', 'read:a mail:x pay:1', 'read:a pay:1', '0-0 1-_ 2-1'],
  ['a call of the same tool with another input', 'read:a pay:1 end:', 'read:a pay:2 end:', '0-0 1-1 2-2'],
  ['other tools in the same place', 'read:a mail:x end:', 'read:a pay:1 end:', '0-0 1-_ _-1 2-2'],
  ['equal inputs before equal names', 'pay:1 pay:2', 'pay:2 pay:3', '0-_ 1-0 _-1'],
])('puts %s next to each other', (_, left, right, wanted) => {
  const pairs = alignSteps(steps(left), steps(right));
  expect(pairs.map(([a, b]) => `${a ?? '_'}-${b ?? '_'}`).join(' ')).toBe(wanted);
});

it('has every step of both in order', () => {
  const left = Array.from({ length: 300 }, (_, n) => ({ name: `t${n % 7}`, given: `t${n % 7} ${n % 11}` }));
  const right = Array.from({ length: 280 }, (_, n) => ({ name: `t${n % 5}`, given: `t${n % 5} ${n % 13}` }));
  const pairs = alignSteps(left, right);
  expect(pairs.flatMap(([a]) => a ?? [])).toEqual([...left.keys()]);
  expect(pairs.flatMap(([, b]) => b ?? [])).toEqual([...right.keys()]);
  for (const [a, b] of pairs) if (a !== null && b !== null) expect(left[a]?.name).toBe(right[b]?.name);
});
