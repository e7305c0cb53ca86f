import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { fingerprintGroups, type VerificationReport } from '../../../protocol/index.ts';
import { toast } from '../../app/toasts.tsx';
import { TextField } from '../../components/field.tsx';
import { Icon } from '../../components/icons.tsx';
import { Seen } from '../../components/seen.tsx';
import { timeText } from '../../components/time.tsx';
import type { Case } from '../../service/answers.ts';
import { CallFailed, call, sentenceOf } from '../../service/call.ts';
import { caseQuery } from '../../service/case-queries.ts';
import { compareFingerprint } from './compare-fingerprint.ts';

interface TrustIssuerProps {
  readonly of: Case;
  readonly report: VerificationReport;
}

/**
 * The decision that no program can take: whether this key is the issuer's. Nothing is trusted before the fingerprint that
 * came by another way is the same, character for character.
 */
export function TrustIssuer({ of, report: { issuer, bundle } }: TrustIssuerProps) {
  const { kid } = issuer;
  if (kid === null || issuer.pinned) return null;
  return <Decision of={of} kid={kid} orgName={bundle.org_name} />;
}

interface DecisionProps {
  readonly of: Case;
  readonly kid: string;
  readonly orgName: string | null;
}

function Decision({ of, kid, orgName }: DecisionProps) {
  const heading = useId();
  const [given, setGiven] = useState('');
  const client = useQueryClient();
  const comparison = compareFingerprint(kid, given);
  const change = of.issuer_change;
  const decide = useMutation({
    mutationFn: async (isForGood: boolean) => {
      const name = orgName?.trim().slice(0, 256) ?? '';
      if (isForGood) await call('addTrust', { body: { kid, ...(name === '' ? {} : { name }) } });
      const body = isForGood ? {} : { trusted_kids: [...new Set([...of.trusted_kids, kid])] };
      return call('verifyCase', { params: { case_id: of.case_id }, body });
    },
    onSuccess: (state, isForGood) => {
      client.setQueryData(caseQuery(of.case_id).queryKey, state);
      toast(isForGood ? 'The issuer is trusted; the case is verified again.' : 'The case is verified with this key.');
    },
  });
  const isSame = comparison.state === 'matches';
  return (
    <section className={change === null ? 'trust' : 'trust trust-changed'} aria-labelledby={heading}>
      {change === null ? (
        <h2 id={heading}>Is this the issuer's key?</h2>
      ) : (
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
                known: <Groups kid={known.kid} /> <span className="muted">last seen {timeText(known.last_seen)}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p>
        Anybody can make a consistent bundle with a key of their own. Get the fingerprint of the issuer by another way
        than this file – a call to a number that you know, a printed page – and enter it here.
      </p>
      <p className="fingerprint">
        <span className="muted">In the file</span> <Groups kid={kid} />
      </p>
      <TextField
        label="Fingerprint that you got by another way"
        size={66}
        spellCheck={false}
        autoComplete="off"
        className="code"
        value={given}
        onChange={setGiven}
      />
      <p className={isSame ? 'mark mark-pass' : 'muted'} role="status">
        {isSame && <Icon name="pass" />}
        {comparison.state === 'empty' && '43 characters; blanks between groups do not matter, capital letters do.'}
        {comparison.state === 'unfinished' && `The same so far; ${comparison.missing} characters are missing.`}
        {comparison.state === 'differs' && (
          <span className="mark mark-fail">
            <Icon name="fail" /> Not the same: group {comparison.group} differs. Do not trust this file.
          </span>
        )}
        {isSame && 'The same, character for character.'}
      </p>
      {decide.error !== null && (
        <p className="field-error" role="alert">
          {decide.error instanceof CallFailed && decide.error.code === 'FORBIDDEN'
            ? 'Your role does not include changing whom this machine trusts. You can trust the key for this case only.'
            : sentenceOf(decide.error)}
        </p>
      )}
      <div className="cluster">
        <button
          type="button"
          className="button-primary"
          disabled={!isSame || decide.isPending || of.verifying}
          onClick={() => decide.mutate(true)}
        >
          Trust this issuer
        </button>
        <button
          type="button"
          disabled={!isSame || decide.isPending || of.verifying}
          onClick={() => decide.mutate(false)}
        >
          Trust it for this case only
        </button>
      </div>
    </section>
  );
}

function Groups({ kid }: { readonly kid: string }) {
  return <span className="code fingerprint-groups">{fingerprintGroups(kid).join(' ')}</span>;
}
