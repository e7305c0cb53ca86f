import { type InvestigationRules, investigationRules } from '../../../actions/index.ts';

let made: InvestigationRules | undefined;

/** The rules that the product brings along. */
export function defaultRules(): InvestigationRules {
  made ??= investigationRules.parse({ version: 1 });
  return made;
}

/** Rules as they are stored; those of the product where there are none, or none that this version understands. */
export function rulesFrom(text: string | null | undefined): InvestigationRules {
  const own = typeof text === 'string' ? investigationRules.safeParse(JSON.parse(text)) : null;
  return own?.success === true ? own.data : defaultRules();
}
