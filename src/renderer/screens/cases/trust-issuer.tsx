import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { formatTrustEntry, type VerificationReport } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { CallFailed, call, sentenceOf } from '../../api/call.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { TextField } from '../../ui/field.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { compareFingerprint, compareOrganization, type FingerprintComparison } from './compare-fingerprint.ts';
import { FINGERPRINT_FIELD, TRUST_ISSUER } from './texts.ts';
import { AlsoSignsFor, useKnownKeys } from './trust-basis.tsx';

interface FingerprintFieldProps {
  readonly label: string;
  /** What is to be entered, said while nothing is. */
  readonly empty: string;
  readonly size: number;
  readonly value: string;
  readonly comparison: FingerprintComparison;
  readonly onChange: (value: string) => void;
}

/** Takes a fingerprint that came through a separate channel, and says how it compares as it is typed. */
function FingerprintField({ label, empty, size, value, comparison, onChange }: FingerprintFieldProps) {
  const { state } = comparison;
  return (
    <div>
      <TextField
        label={label}
        size={size}
        spellCheck={false}
        autoComplete="off"
        className="code"
        value={value}
        onChange={onChange}
      />
      <p className={state === 'matches' ? 'mark mark-pass' : 'muted'} role="status">
        {state === 'matches' && <Icon name="pass" />}
        {state === 'empty' && empty}
        {state === 'unfinished' && FINGERPRINT_FIELD.unfinished(comparison.missing)}
        {state === 'differs' && (
          <span className="mark mark-fail">
            <Icon name="fail" /> {FINGERPRINT_FIELD.differs(comparison.group)}
          </span>
        )}
        {state === 'matches' && FINGERPRINT_FIELD.matches}
      </p>
    </div>
  );
}

interface TrustIssuerProps {
  readonly of: Case;
  readonly report: VerificationReport;
}

/**
 * The decision that no program can take: whether this key is the issuer's, and this organization the one that is meant.
 * Nothing is trusted before both fingerprints that came through a separate channel are the same, character for character:
 * one service may keep the ledgers of several organizations, two of one name among them.
 */
export function TrustIssuer({ of, report }: TrustIssuerProps) {
  const { kid, pinned } = report.issuer;
  const { org_id: orgId } = report.bundle;
  if (kid === null || orgId === null || pinned) return null;
  return <Decision of={of} report={report} kid={kid} orgId={orgId} />;
}

const NO_STORE = TRUST_ISSUER.noStore;

interface DecisionProps extends TrustIssuerProps {
  readonly kid: string;
  readonly orgId: string;
}

function Decision({ of, report, kid, orgId }: DecisionProps) {
  const heading = useId();
  const [given, setGiven] = useState('');
  const [givenOrg, setGivenOrg] = useState('');
  const known = useKnownKeys(report);
  const { data: store } = useQuery(q('listTrust'));
  const refusal = useCaseRefusal('verifyCase', of.scope);
  const noStore = store?.enabled === false ? NO_STORE : null;
  const client = useQueryClient();
  const { org_name: orgName } = report.bundle;
  const isKeyTrusted = report.finding_counts.ORGANIZATION_NOT_CONFIRMED !== undefined;
  const comparison = compareFingerprint(kid, given);
  const orgComparison = compareOrganization(orgId, givenOrg);
  const decide = useMutation({
    mutationFn: async (isForGood: boolean) => {
      const name = orgName?.trim().slice(0, 256) ?? '';
      const organizations = [{ org_id: orgId, org_name: orgName }];
      if (isForGood) await call('addTrust', { body: { kid, organizations, ...(name === '' ? {} : { name }) } });
      const entry = orgComparison.state === 'matches' ? formatTrustEntry({ key: kid, orgId }) : kid;
      const body = isForGood ? {} : { trusted_kids: [...new Set([...of.trusted_kids, entry])] };
      return call('verifyCase', { params: { case_id: of.case_id }, body });
    },
    onSuccess: async (state, isForGood) => {
      client.setQueryData(q('getCase', { params: { case_id: of.case_id } }).queryKey, state);
      toast(isForGood ? TRUST_ISSUER.trusted : TRUST_ISSUER.verifiedWithKey);
      await invalidate('listTrust');
    },
  });
  const isSameOrg = orgComparison.state === 'matches';
  const isSameKey = isKeyTrusted ? isSameOrg : comparison.state === 'matches';
  const isBusy = decide.isPending || of.verifying;
  return (
    <section className={of.issuer_change === null ? 'trust' : 'trust trust-changed'} aria-labelledby={heading}>
      <Question of={of} heading={heading} isKeyTrusted={isKeyTrusted} />
      {isKeyTrusted ? <p>{TRUST_ISSUER.askOrganization}</p> : <p>{TRUST_ISSUER.askBoth}</p>}
      <AlsoSignsFor keys={known} orgId={orgId} />
      <FactList
        of={{
          [TRUST_ISSUER.keyInFile]: <KeyFingerprint kid={kid} />,
          [TRUST_ISSUER.organizationInFile]: (
            <OrganizationLabel orgId={orgId} name={orgName} resemblesHome={of.resembles_home} />
          ),
        }}
      />
      {!isKeyTrusted && (
        <FingerprintField
          label={TRUST_ISSUER.keyLabel}
          empty={TRUST_ISSUER.keyHint}
          size={74}
          value={given}
          comparison={comparison}
          onChange={setGiven}
        />
      )}
      <FingerprintField
        label={TRUST_ISSUER.organizationLabel}
        empty={TRUST_ISSUER.organizationHint}
        size={22}
        value={givenOrg}
        comparison={orgComparison}
        onChange={setGivenOrg}
      />
      {decide.error !== null && (
        <p className="field-error" role="alert">
          {decide.error instanceof CallFailed && decide.error.code === 'FORBIDDEN'
            ? TRUST_ISSUER.onlyAdmin
            : sentenceOf(decide.error)}
        </p>
      )}
      <div className="cluster">
        <PermittedButton
          call="addTrust"
          reason={refusal ?? noStore}
          className="button-primary"
          disabled={!isSameKey || !isSameOrg || isBusy}
          onClick={() => decide.mutate(true)}
        >
          {TRUST_ISSUER.trustIssuer}
        </PermittedButton>
        <PermittedButton
          call="verifyCase"
          reason={refusal}
          disabled={!isSameKey || isBusy}
          onClick={() => decide.mutate(false)}
        >
          {TRUST_ISSUER.trustForCase}
        </PermittedButton>
      </div>
    </section>
  );
}

interface QuestionProps {
  readonly of: Case;
  readonly heading: string;
  readonly isKeyTrusted: boolean;
}

function Question({ of, heading, isKeyTrusted }: QuestionProps): ReactNode {
  const change = of.issuer_change;
  if (change === null) {
    return <h2 id={heading}>{isKeyTrusted ? TRUST_ISSUER.organizationQuestion : TRUST_ISSUER.keyQuestion}</h2>;
  }
  return (
    <div role="alert">
      <h2 id={heading}>
        <Icon name="fail" /> {TRUST_ISSUER.issuerChanged}
      </h2>
      <p>
        <Seen text={change.message} />
      </p>
      <ul>
        {change.known.map((known) => (
          <li key={known.kid}>
            {fill(TRUST_ISSUER.knownKey, {
              fingerprint: <KeyFingerprint kid={known.kid} />,
              lastSeen: (
                <span className="muted">
                  {fill(TRUST_ISSUER.lastSeen, { time: <Time value={known.last_seen} hasZone /> })}
                </span>
              ),
            })}
          </li>
        ))}
      </ul>
    </div>
  );
}
