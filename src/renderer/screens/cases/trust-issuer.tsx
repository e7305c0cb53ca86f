import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { formatTrustEntry, type VerificationReport } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { CallFailed, call, sentenceOf } from '../../api/call.ts';
import { caseQuery, trustQuery } from '../../api/case-queries.ts';
import { useCaseRefusal } from '../../api/permission.ts';
import { KeyFingerprint, OrganizationLabel } from '../../components/fingerprint.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { timeText } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { compareFingerprint, compareOrganization } from './compare-fingerprint.ts';
import { FingerprintField } from './fingerprint-field.tsx';
import { AlsoSignsFor, useKnownKeys } from './trust-basis.tsx';

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

const NO_STORE = 'There is no trust store here that you have a part in. You can trust the key for this case only.';

interface DecisionProps extends TrustIssuerProps {
  readonly kid: string;
  readonly orgId: string;
}

function Decision({ of, report, kid, orgId }: DecisionProps) {
  const heading = useId();
  const [given, setGiven] = useState('');
  const [givenOrg, setGivenOrg] = useState('');
  const known = useKnownKeys(report);
  const { data: store } = useQuery(trustQuery);
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
      client.setQueryData(caseQuery(of.case_id).queryKey, state);
      toast(isForGood ? 'The issuer is trusted; the case is verified again.' : 'The case is verified with this key.');
      await client.invalidateQueries({ queryKey: trustQuery.queryKey });
    },
  });
  const isSameOrg = orgComparison.state === 'matches';
  const isSameKey = isKeyTrusted ? isSameOrg : comparison.state === 'matches';
  const isBusy = decide.isPending || of.verifying;
  return (
    <section className={of.issuer_change === null ? 'trust' : 'trust trust-changed'} aria-labelledby={heading}>
      <Question of={of} heading={heading} isKeyTrusted={isKeyTrusted} />
      {isKeyTrusted ? (
        <p>
          You trust this key for other organizations. Anybody who has an account on that service can make bundles under
          it, with any name. Ask the issuer for the fingerprint of the organization through a separate channel – a call
          to a number that you know, a printed page – and enter it here.
        </p>
      ) : (
        <p>
          Anybody can make a consistent bundle with a key of their own. Ask the issuer for both fingerprints through a
          separate channel – a call to a number that you know, a printed page – and enter them here.
        </p>
      )}
      <AlsoSignsFor keys={known} orgId={orgId} />
      <dl className="facts">
        <dt>Key in the file</dt>
        <dd>
          <KeyFingerprint kid={kid} />
        </dd>
        <dt>Organization in the file</dt>
        <dd>
          <OrganizationLabel orgId={orgId} name={orgName} resemblesHome={of.resembles_home} />
        </dd>
      </dl>
      {!isKeyTrusted && (
        <FingerprintField
          label="Fingerprint of the key, as the issuer told you"
          empty="60 digits in groups of five; blanks do not matter. The kid is taken too."
          size={74}
          value={given}
          comparison={comparison}
          onChange={setGiven}
        />
      )}
      <FingerprintField
        label="Fingerprint of the organization, as the issuer told you"
        empty="15 digits."
        size={22}
        value={givenOrg}
        comparison={orgComparison}
        onChange={setGivenOrg}
      />
      {decide.error !== null && (
        <p className="field-error" role="alert">
          {decide.error instanceof CallFailed && decide.error.code === 'FORBIDDEN'
            ? 'Only a security admin of the home organization, or whoever sits at this machine, changes whom it trusts. You can trust the key for this case only.'
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
          Trust this issuer
        </PermittedButton>
        <PermittedButton
          call="verifyCase"
          reason={refusal}
          disabled={!isSameKey || isBusy}
          onClick={() => decide.mutate(false)}
        >
          Trust the key for this case only
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
    return (
      <h2 id={heading}>{isKeyTrusted ? 'Is this the organization that you mean?' : "Is this the issuer's key?"}</h2>
    );
  }
  return (
    <div role="alert">
      <h2 id={heading}>
        <Icon name="fail" /> The issuer of this organization has changed
      </h2>
      <p>
        <Seen text={change.message} />
      </p>
      <ul>
        {change.known.map((known) => (
          <li key={known.kid}>
            known: <KeyFingerprint kid={known.kid} />{' '}
            <span className="muted">last seen {timeText(known.last_seen)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
