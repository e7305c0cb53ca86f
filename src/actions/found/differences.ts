import { canonicalize, type Json, unlessRefused } from '../../protocol/index.ts';

/** What one account of a call says, as far as two accounts are held against each other. */
export interface CallAccount {
  readonly tool: string | null;
  readonly input: Json | undefined;
  readonly status: string | null;
  readonly exitCode: number | null;
}

const DIFFERING_MEMBERS = ['tool', 'input', 'outcome', 'exit_code'] as const;
type DifferingMember = (typeof DIFFERING_MEMBERS)[number];

/** What every account that a call did not end well comes to: programs and hooks tell failures apart in their own ways. */
const KIND_OF: Readonly<Record<string, string>> = {
  ok: 'ok',
  error: 'failed',
  timeout: 'failed',
  cancelled: 'failed',
  denied: 'refused',
  blocked: 'refused',
};

/** A value as texts of it are compared; undefined of none, and of one that has no canonical form. */
function textOf(value: Json | undefined): string | undefined {
  if (value === undefined) return undefined;
  return unlessRefused(() => canonicalize(value), undefined);
}

/**
 * In what two accounts of one call differ. What one of them does not say is no difference: hooks do not know every end, and inputs may be
 * withheld, cut or without secrets.
 */
export function differencesOf(one: CallAccount, other: CallAccount): DifferingMember[] {
  const differ = <T>(a: T | null | undefined, b: T | null | undefined): boolean =>
    a !== null && a !== undefined && b !== null && b !== undefined && a !== b;
  const kindOf = (status: string | null): string | undefined => (status === null ? undefined : KIND_OF[status]);
  const found: DifferingMember[] = [];
  if (differ(one.tool, other.tool)) found.push('tool');
  if (differ(textOf(one.input), textOf(other.input))) found.push('input');
  if (differ(kindOf(one.status), kindOf(other.status))) found.push('outcome');
  if (differ(one.exitCode, other.exitCode)) found.push('exit_code');
  return found;
}
