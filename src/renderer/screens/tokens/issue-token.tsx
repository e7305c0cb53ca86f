import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { TokenRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form, FormError } from '../../components/form.tsx';
import { copyText } from '../../components/hash.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { LIFETIMES, lifetimeText } from './lifetimes.ts';
import { bodyOf, NEW_TERMS, TermsFields, type TokenTerms, termsOf } from './terms-fields.tsx';
import { ISSUE_TOKEN } from './texts.ts';
import { tokenLabel } from './token-words.ts';

interface IssueTokenProps {
  /** The token in whose place the new one is to come. */
  readonly replaces: TokenRow | null;
  readonly onClose: () => void;
}

/** Issues a token and shows it, this once. */
export function IssueToken({ replaces, onClose }: IssueTokenProps) {
  const [issued, setIssued] = useState<string | null>(null);
  const title = replaces === null ? ISSUE_TOKEN.createToken : ISSUE_TOKEN.replaceTitle(tokenLabel(replaces));
  return (
    <Dialog open onClose={onClose} title={issued === null ? title : ISSUE_TOKEN.newToken} className="dialog-wide">
      {issued === null ? (
        <Ask replaces={replaces} onIssued={setIssued} onClose={onClose} />
      ) : (
        <Show token={issued} replaces={replaces} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface AskProps extends IssueTokenProps {
  readonly onIssued: (token: string) => void;
}

function Ask({ replaces, onIssued, onClose }: AskProps) {
  const [lifetime, setLifetime] = useState<string>(String(90 * 86_400));
  const [terms, setTerms] = useState<TokenTerms>(replaces === null ? NEW_TERMS : termsOf(replaces));
  const issue = async (): Promise<void> => {
    const chosen = lifetime === 'null' ? null : Number(lifetime);
    const ttl_seconds = replaces === null ? chosen : replaces.ttl_seconds;
    const { token } = await call('createToken', { body: { ttl_seconds, ...bodyOf(terms) } });
    onIssued(token);
    await invalidate('listTokens', 'listOrganizationTokens');
  };
  return (
    <Form act={issue} verb={ISSUE_TOKEN.create} onClose={onClose}>
      {replaces === null ? (
        <>
          <TermsFields terms={terms} onChange={setTerms} />
          <SelectField
            label={ISSUE_TOKEN.lifetime}
            value={lifetime}
            onChange={setLifetime}
            options={LIFETIMES.map(([label, seconds]) => ({ value: String(seconds), label }))}
            hint={ISSUE_TOKEN.lifetimeHint}
          />
        </>
      ) : (
        <p>{fill(ISSUE_TOKEN.replaceExplained, { ttlSeconds: lifetimeText(replaces.ttl_seconds).toLowerCase() })}</p>
      )}
    </Form>
  );
}

interface ShowProps extends IssueTokenProps {
  readonly token: string;
}

function Show({ token, replaces, onClose }: ShowProps) {
  const [isRevoked, setRevoked] = useState(false);
  const revoke = useMutation({
    mutationFn: () => call('revokeToken', { params: { token_id: replaces?.id ?? '' }, body: {} }),
    onSuccess: async () => {
      setRevoked(true);
      toast(ISSUE_TOKEN.wasRevoked);
      await invalidate('listTokens', 'listOrganizationTokens');
    },
  });
  return (
    <div className="stack">
      <p>{ISSUE_TOKEN.copyNow}</p>
      <p className="secret-once code">{token}</p>
      <FormError error={revoke.error} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(token, ISSUE_TOKEN.token)}>
          {ISSUE_TOKEN.copyToken}
        </button>
        {replaces !== null && (
          <button type="button" disabled={isRevoked || revoke.isPending} onClick={() => revoke.mutate()}>
            {isRevoked ? ISSUE_TOKEN.oldTokenRevoked : ISSUE_TOKEN.revokeOldToken}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {replaces === null || isRevoked ? ISSUE_TOKEN.done : ISSUE_TOKEN.keepOld}
        </button>
      </div>
    </div>
  );
}
