import { expect, it } from 'vitest';
import { MAX_ACTIONS } from '../support/investigator.ts';
import { picture } from '../support/pictures.ts';
import type { Person } from './person.ts';
import { QUESTIONS } from './questions.ts';
import { SCRIPTS } from './scripts.ts';

/** Asks questions of one ledger, live, as a case, or live while records come in, one after the other in one page. */
export function ask(of: 'case' | 'live' | 'recording', numbers: readonly number[], person: () => Person): void {
  const ledger = of === 'case' ? 'case' : 'live';
  const asked = QUESTIONS.filter(
    ({ number }) => numbers.includes(number) && (SCRIPTS[number]?.only ?? ledger) === ledger,
  );
  it.each(asked)('answers $number: $question', async ({ number, answer }) => {
    const script = SCRIPTS[number];
    if (script === undefined) throw new Error(`question ${number} has no script`);
    const one = person();
    await one.atFirstScreen();
    await script.act(one);
    await expect.poll(() => script.read(one)).toEqual(answer);
    if (of === 'live') await picture(one.page, `question-${number}`);
    expect(one.actions.length, one.actions.join('; ')).toBeLessThanOrEqual(MAX_ACTIONS);
  });
}
