import { type InvestigationRules, investigationRules } from '../../../actions/index.ts';

let made: InvestigationRules | undefined;

/** The rules that the product brings along. */
export function defaultRules(): InvestigationRules {
  made ??= investigationRules.parse({ version: 1 });
  return made;
}

/** What of the rules decides what is read out of payloads, as text: an index that was made by other rules is made again. */
export function readingText({ own: _, ...reading }: InvestigationRules): string {
  return JSON.stringify(reading);
}

/** Rules as they are stored; those of the product where there are none, or none that this version understands. */
export function rulesFrom(text: string | null | undefined): InvestigationRules {
  const own = typeof text === 'string' ? investigationRules.safeParse(JSON.parse(text)) : null;
  return own?.success === true ? own.data : defaultRules();
}
