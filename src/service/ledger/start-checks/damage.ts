/** Something in the ledger that is not as the service wrote it. */
export interface Damage {
  readonly orgId: string;
  /** What and where, such as "record 17". */
  readonly place: string;
  readonly message: string;
  readonly expected?: string;
  readonly found?: string;
}

/** One damage as a sentence for the person at the terminal. */
export function describeDamage({ orgId, place, message, expected, found }: Damage): string {
  const values = expected === undefined ? '' : `: expected ${expected}, found ${found ?? 'nothing'}`;
  return `organization ${orgId}, ${place}: ${message}${values}`;
}
