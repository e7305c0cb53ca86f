import { expect, it } from 'vitest';
import { MAX_ACTIONS } from '../support/investigator.ts';
import type { Person } from './person.ts';
import { QUESTIONS } from './questions.ts';
import { SCRIPTS, UNANSWERED } from './scripts.ts';

/** Asks questions of one ledger, one after the other in one page. @param numbers all that the screens answer, where left out */
export function ask(person: () => Person, numbers?: readonly number[]): void {
  const asked = QUESTIONS.filter(({ number }) => numbers?.includes(number) ?? UNANSWERED[number] === undefined);
  it.each(asked)('answers $number: $question', async ({ number, answer }) => {
    const script = SCRIPTS[number];
    if (script === undefined) throw new Error(`question ${number} has no script and no reason`);
    const one = person();
    await one.atFirstScreen();
    await script.act(one);
    await expect.poll(() => script.read(one), { timeout: 15_000 }).toEqual(answer);
    expect(one.actions.length, one.actions.join('; ')).toBeLessThanOrEqual(MAX_ACTIONS);
  });
}
