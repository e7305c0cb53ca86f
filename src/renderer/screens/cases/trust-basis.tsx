import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../api/index.ts';
import { OWN_KEY_NOTE, type VerificationReport } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { q } from '../../api/query.ts';
import { OrganizationLabel } from '../../components/fingerprint.tsx';
import { fill } from '../../lib/fill.ts';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { TRUST_BASIS } from './texts.ts';

type TrustedKey = AnswerOf<'listTrust'>['trusted'][number];

/** Who pinned something, and through which door. */
export function PinnedBy({ by }: { readonly by: TrustedKey['pinned_by'] }) {
  if (by === null) return <>{TRUST_BASIS.byOlderVersion}</>;
  if (by.how === 'command') return <>{TRUST_BASIS.byCommand}</>;
  const user = by.user_name ?? by.user_id;
  return (
    <>
      {by.how === 'workstation' ? TRUST_BASIS.inWorkstation : TRUST_BASIS.overHttp}
      {user !== null && ' '}
      {user !== null && fill(TRUST_BASIS.byUser, { user: <Seen text={user} /> })}
    </>
  );
}

/** The keys of the trust store that vouch for the issuer of a report, for whichever organization. */
export function useKnownKeys({ issuer }: VerificationReport): readonly TrustedKey[] {
  const store = useQuery(q('listTrust'));
  return (store.data?.trusted ?? []).filter(({ kid }) => issuer.linked.includes(kid));
}

interface TrustBasisProps {
  readonly of: Case;
  readonly report: VerificationReport;
}

/** What the trust in the issuer rests on: who pinned the key for this organization and when; or that the key is one's own. */
export function TrustBasis({ of, report }: TrustBasisProps) {
  const known = useKnownKeys(report);
  if (of.own_issuer && !report.issuer.pinned) {
    return (
      <p className="trust-basis">
        <strong>{TRUST_BASIS.ownKey}</strong> {OWN_KEY_NOTE}
      </p>
    );
  }
  if (!report.issuer.pinned) return null;
  const pair = known
    .flatMap(({ organizations }) => organizations)
    .find(({ org_id }) => org_id === report.bundle.org_id);
  const { org_id: orgId, org_name: name } = report.bundle;
  const label = <OrganizationLabel orgId={orgId} name={name} resemblesHome={of.resembles_home} />;
  return (
    <p className="trust-basis">
      {pair === undefined
        ? fill(TRUST_BASIS.forThisCase, { organization: label })
        : fill(TRUST_BASIS.trustedSince, {
            organization: label,
            addedAt: <Time value={pair.added_at} hasZone />,
            confirmedBy: <PinnedBy by={pair.pinned_by} />,
          })}
    </p>
  );
}

/** The other organizations that the issuer's key signs for, as far as this workstation knows. */
export function AlsoSignsFor({ keys, orgId }: { readonly keys: readonly TrustedKey[]; readonly orgId: string | null }) {
  const all = keys.flatMap(({ organizations, also_signs_for: others }) => [...organizations, ...others]);
  const others = new Map(all.filter(({ org_id }) => org_id !== orgId).map((one) => [one.org_id, one]));
  if (others.size === 0) return null;
  return (
    <div>
      <p>{TRUST_BASIS.alsoSignsFor}</p>
      <ul>
        {[...others.values()].map(({ org_id, org_name, resembles_home }) => (
          <li key={org_id}>
            <OrganizationLabel orgId={org_id} name={org_name} resemblesHome={resembles_home} />
          </li>
        ))}
      </ul>
    </div>
  );
}
