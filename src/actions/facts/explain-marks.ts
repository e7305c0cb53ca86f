import type { Mark } from '../fields/codes.ts';
import type { RecordFacts } from './record-facts.ts';

const number = (value: number | undefined): string => (value ?? 0).toLocaleString('en-US');

/** What a record says of itself alone that is unusual. */
export function marksOfFacts({
  outcome,
  isDisguised,
  isUnsigned,
}: Pick<RecordFacts, 'outcome'> & { readonly isDisguised: boolean; readonly isUnsigned: boolean }): Mark[] {
  const marks: Mark[] = [];
  if (outcome === 'failed') marks.push('FAILED');
  if (outcome === 'refused') marks.push('REFUSED');
  if (isDisguised) marks.push('DISGUISED_TEXT');
  if (isUnsigned) marks.push('NOT_SIGNED');
  return marks;
}

/** A mark in a sentence, with the figures it comes from; null for those that were found with one. */
export function explainMark(code: Mark, figures: readonly number[], facts: RecordFacts, agent: string): string | null {
  const tool = facts.tool ?? 'the call';
  const [first, second, third, fourth] = figures;
  switch (code) {
    case 'FAILED':
      return facts.error === null ? 'The call failed.' : `The call failed: ${facts.error}`;
    case 'REFUSED':
      return facts.error === null ? 'The call was refused.' : `The call was refused: ${facts.error}`;
    case 'FIRST_TOOL':
      return `None of the ${number(first)} calls of ${agent} that are recorded here before used ${tool}.`;
    case 'FIRST_HOST': {
      const hosts = figures.slice(1).map((index) => facts.host[index] ?? '');
      return `None of the ${number(first)} calls of ${agent} that are recorded here before named ${hosts.filter(Boolean).join(', ')}.`;
    }
    case 'RATE_UNUSUAL': {
      const hour = new Date(second ?? 0).toISOString().slice(0, 16).replace('T', ' ');
      return `${number(first)} records of ${agent} in the hour from ${hour} UTC; in 95 % of its ${number(fourth)} active hours that are recorded before, it made at most ${number(third)}.`;
    }
    case 'DISGUISED_TEXT':
      return `A word in ${facts.disguisedIn ?? 'the payload'} has characters that nobody sees, or letters of another script among Latin ones.`;
    case 'NOT_SIGNED':
      return 'Nobody signed this when it happened: it was read out of a file that was found afterwards, and is the word of whoever could write that file.';
    case 'SESSION_ON_OTHER_LEDGER':
      return 'The record of this session that the archive accepted before this one is in the ledger of another host.';
    case 'CALL_ON_OTHER_LEDGER':
      return 'The record of this call that the archive accepted before this one is in the ledger of another host.';
    case 'APPROVAL_RULE_BROKEN':
      return `${tool} was carried out. A rule says that it needs an approval, and none is recorded before.`;
    default:
      return null;
  }
}
