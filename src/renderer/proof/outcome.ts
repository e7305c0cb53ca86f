/** What a check came to. */
export type Outcome = 'pass' | 'fail' | 'not_checked' | 'cannot_check' | 'not_applicable';

/** How many checks came to what, as every screen counts them. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Not made yet, or cannot be made: as little checked the one way as the other. */
  readonly open: number;
  readonly notApplicable: number;
  /** Of these, all that apply. */
  readonly total: number;
}

export function tallyOf(checks: readonly { readonly outcome: Outcome }[]): Tally {
  const numberOf = (...wanted: readonly Outcome[]): number =>
    checks.filter(({ outcome }) => wanted.includes(outcome)).length;
  const notApplicable = numberOf('not_applicable');
  return {
    passed: numberOf('pass'),
    failed: numberOf('fail'),
    open: numberOf('not_checked', 'cannot_check'),
    notApplicable,
    total: checks.length - notApplicable,
  };
}
