import type { FoundMark } from './marks.ts';
import type { RecordFacts } from './record-facts.ts';

const number = (value: number | undefined): string => (value ?? 0).toLocaleString('en-US');

/** A mark in a sentence, with the figures it comes from. */
export function explainMark({ code, figures, evidence }: FoundMark, facts: RecordFacts, agent: string): string {
  const tool = facts.tool ?? 'the call';
  const [first, second, third, fourth] = figures;
  switch (code) {
    case 'FAILED':
      return facts.error === null ? 'The call failed.' : `The call failed: ${facts.error}`;
    case 'REFUSED':
      return facts.error === null ? 'The call was refused.' : `The call was refused: ${facts.error}`;
    case 'UNFINISHED':
      return 'The call was asked for or begun, and no record says how it ended.';
    case 'RETRIED':
      return `${tool} was called again in this session after it had not succeeded in No. ${number(evidence[0])}.`;
    case 'FIRST_TOOL':
      return `${agent} had made ${number(first)} calls and never used ${tool}.`;
    case 'FIRST_HOST': {
      const hosts = figures.slice(1).map((index) => facts.host[index] ?? '');
      return `${agent} had made ${number(first)} calls and none of them named ${hosts.filter(Boolean).join(', ')}.`;
    }
    case 'RATE_UNUSUAL': {
      const hour = new Date(second ?? 0).toISOString().slice(0, 16).replace('T', ' ');
      return `${number(first)} records of ${agent} in the hour from ${hour} UTC; in 95 % of its ${number(fourth)} active hours before, it made at most ${number(third)}.`;
    }
    case 'DISGUISED_TEXT':
      return `A word in ${facts.disguisedIn ?? 'the payload'} has characters that nobody sees, or letters of another script among Latin ones.`;
    case 'APPROVAL_MISSING':
      return `${tool} was carried out, and no approval of it comes before.`;
  }
}
