import { CHECK_TITLES, CHECKS, type VerificationReport } from '../../protocol/index.ts';
import { Ring } from './ring.tsx';

/** What a verification checked, as a ring with a part for each check. */
export function CheckRing({ checks }: Pick<VerificationReport, 'checks'>) {
  return <Ring parts={CHECKS.map((name) => ({ id: name, title: CHECK_TITLES[name], status: checks[name].status }))} />;
}
