import { type InvestigationRules, investigationRules } from '../../../actions/index.ts';
import { messageOf } from '../../../protocol/index.ts';
import { RULES_DRAFT } from './texts.ts';

/** Why a text is no rules: where in it, as people find the place, and what should be there. */
export interface RulesProblem {
  /** Such as `entities, entry 3, kind`; null where the text is no JSON at all. */
  readonly place: string | null;
  readonly message: string;
}

export type ReadRules =
  | { readonly rules: InvestigationRules; readonly problems?: undefined }
  | { readonly rules?: undefined; readonly problems: readonly RulesProblem[] };

/** More problems than these help nobody. */
const MAX_PROBLEMS = 12;

function placeText(path: readonly PropertyKey[]): string {
  return path.map((step) => (typeof step === 'number' ? RULES_DRAFT.entryStep(step + 1) : String(step))).join(', ');
}

/** Reads rules that somebody typed as JSON. */
export function readRules(text: string): ReadRules {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problems: [{ place: null, message: messageOf(error) }] };
  }
  const parsed = investigationRules.safeParse(value);
  if (parsed.success) return { rules: parsed.data };
  const problems = parsed.error.issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => ({
    place: path.length === 0 ? RULES_DRAFT.whole : placeText(path),
    message,
  }));
  return { problems };
}

/** Rules as they are typed. */
export function rulesText(rules: object): string {
  return JSON.stringify(rules, null, 2);
}

/** The lines of a field without those that are empty. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Values separated by upright lines; numbers, true and false count as such. */
export function likeOf(text: string): (string | number | boolean)[] | undefined {
  const parts = text
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return undefined;
  return parts.map((part) => {
    if (part === 'true' || part === 'false') return part === 'true';
    return /^-?\d+(\.\d+)?$/.test(part) ? Number(part) : part;
  });
}
