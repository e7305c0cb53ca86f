import { fingerprintDigits, fingerprintGroups, orgFingerprint } from '../../protocol/index.ts';
import { Seen } from '../ui/seen.tsx';
import { CopyButton } from './hash.tsx';
import { Mark } from './mark.tsx';
import { FINGERPRINT } from './texts.ts';

/** Groups of a fingerprint, in rows that can be read out; to a screen reader they are one text with pauses. */
function Groups({ groups }: { readonly groups: readonly string[] }) {
  return (
    <span className="code fingerprint-digits">
      {groups.map((group, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two groups may be the same, and none ever moves
        <span key={place}>{group} </span>
      ))}
    </span>
  );
}

interface KeyFingerprintProps {
  readonly kid: string;
  /** Whose key it is: another issuer's, that of this service, or a person's. It says what the digits are for. */
  readonly of?: keyof typeof FINGERPRINT.purpose;
}

/** A key as people compare it: digits to read out, and the exact kid as a detail. */
export function KeyFingerprint({ kid, of = 'issuer' }: KeyFingerprintProps) {
  const digits = fingerprintDigits(kid);
  return (
    <span className="key-fingerprint">
      <Groups groups={digits} />
      <CopyButton text={digits.join(' ')} what={FINGERPRINT.fingerprint} />
      <span className="muted key-kid">
        {FINGERPRINT.kid} <span className="code">{fingerprintGroups(kid).join(' ')}</span>{' '}
        <CopyButton text={kid} what={FINGERPRINT.kid} />
      </span>
      <span className="muted key-purpose">{FINGERPRINT.purpose[of]}</span>
    </span>
  );
}

/** The short fingerprint of an organization, which tells those of one name apart. */
export function OrgFingerprint({ orgId }: { readonly orgId: string }) {
  return (
    <span className="code org-fingerprint" title={orgId}>
      {orgFingerprint(orgId)}
    </span>
  );
}

interface OrganizationLabelProps {
  readonly orgId: string | null;
  readonly name: string | null;
  /** What the service says: the name may be taken for that of the home organization. */
  readonly resemblesHome: boolean;
}

export const NOT_HOME = FINGERPRINT.notHome;

/** An organization: its name, which anybody may bear, its short fingerprint, and a mark where the name may mislead. */
export function OrganizationLabel({ orgId, name, resemblesHome }: OrganizationLabelProps) {
  return (
    <span className="org-label">
      <Seen text={name === null || name === '' ? (orgId ?? '–') : name} />
      {orgId !== null && <OrgFingerprint orgId={orgId} />}
      {resemblesHome && <Mark outcome="cannot_check" word={NOT_HOME} />}
    </span>
  );
}
