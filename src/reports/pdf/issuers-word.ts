import { CHECK_TITLES, CHECKS, type VerificationReport } from '../../protocol/index.ts';

const REASON = 'this report was made by the issuer, who cannot vouch for itself';

/**
 * A verification that the service made of an export it wrote itself, as it may be shown to others: whether they trust the issuer is
 * theirs to say, so it never comes to more than `incomplete`.
 */
export function asIssuersWord(report: VerificationReport): VerificationReport {
  const { issuer } = report.checks;
  const failed = issuer.status === 'fail';
  const checks = {
    ...report.checks,
    issuer: failed ? issuer : { ...issuer, status: 'not_checked' as const, reason: REASON },
  };
  const own = {
    ...report,
    checks,
    issuer: {
      ...report.issuer,
      pinned: false,
      service_keys: report.issuer.service_keys.map(({ kid }) => ({ kid, trusted: false })),
    },
  };
  if (report.verdict === 'failed') return own;
  const open = CHECKS.filter((name) => checks[name].status === 'not_checked');
  const reasons = open.map((name) => `${CHECK_TITLES[name]} (${checks[name].reason ?? 'not checked'})`);
  const summary = `Nothing failed when the issuer checked its own export. Not checked: ${reasons.join('; ')}.`;
  return { ...own, verdict: 'incomplete', summary };
}
