// docs/investigating.md, Group and add up: what groups come to together is what all of it comes to.
import { describe, expect, it } from 'vitest';
import { readDecimal } from '../../../src/actions/index.ts';
import { type Amount, Amounts, amountOf, MOST_CURRENCIES } from '../../../src/service/search/grouping/amounts.ts';

const TEXTS = ['0.1', '0.25', '-3', '9007199254740993', '9007199254740991', '1e3', '0.1', '12.50', '-0.004'];

function amount(text: string, currency: string | null): Amount {
  const number = readDecimal(text);
  if (number === null) throw new Error(`${text} is no number`);
  return amountOf(number, currency);
}

describe.each(['sum', 'min', 'max', 'median'] as const)('a %s', (op) => {
  it('of several groups is that of all that is in them', () => {
    const each = [...TEXTS, ...TEXTS.toReversed()].map((text, at) =>
      at % 7 === 3
        ? []
        : [amount(text, at % 3 === 0 ? null : `C${at % 3}`), ...(at % 5 === 0 ? [amount('7', 'C1')] : [])],
    );
    const whole = new Amounts(op);
    const parts = Array.from({ length: 4 }, () => new Amounts(op));
    each.forEach((amounts, at) => {
      whole.add(amounts);
      parts[at % 4]?.add(amounts);
    });
    const merged = new Amounts(op);
    expect(parts.map((part) => merged.merge(part))).toEqual([true, true, true, true]);
    expect(merged.measured).toEqual(whole.measured);
  });

  it('is not put together of more currencies than are told apart', () => {
    const parts = [0, 1].map((half) => {
      const part = new Amounts(op);
      for (let at = 0; at < MOST_CURRENCIES; at++) part.add([amount('1', `C${at + half}`)]);
      return part;
    });
    const merged = new Amounts(op);
    expect(parts.map((part) => merged.merge(part))).toEqual([true, false]);
    const [first] = parts;
    first?.add([amount('1', 'one too many')]);
    expect(first && new Amounts(op).merge(first)).toBe(false);
  });
});
