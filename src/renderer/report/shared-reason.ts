import { CHECKS, type VerificationReport } from '../../protocol/index.ts';

/** Why several checks were not made, where it is one and the same reason, such as a file that ends too early; else null. */
export function sharedReason(checks: VerificationReport['checks']): string | null {
  const open = CHECKS.map((name) => checks[name]).filter(({ status }) => status === 'not_checked');
  const reasons = open.flatMap(({ reason }) => (reason === null ? [] : [reason]));
  return reasons.find((reason, n) => reasons.indexOf(reason) !== n) ?? null;
}
