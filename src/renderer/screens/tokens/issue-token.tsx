import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type TokenRow, tokensQuery } from '../../api/administration-queries.ts';
import { call } from '../../api/call.ts';
import { FormEnd, FormError } from '../../components/form-end.tsx';
import { copyText } from '../../components/hash.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { LIFETIMES, lifetimeText } from './lifetimes.ts';
import { bodyOf, NEW_TERMS, TermsFields, type TokenTerms, termsOf } from './terms-fields.tsx';
import { tokenLabel } from './token-words.ts';

interface IssueTokenProps {
  /** The token in whose place the new one is to come. */
  readonly replaces: TokenRow | null;
  readonly onClose: () => void;
}

/** Issues a token and shows it, this once. */
export function IssueToken({ replaces, onClose }: IssueTokenProps) {
  const [issued, setIssued] = useState<string | null>(null);
  const title = replaces === null ? 'Create token' : `Replace token ${tokenLabel(replaces)}`;
  return (
    <Dialog open onClose={onClose} title={issued === null ? title : 'New token'} className="dialog-wide">
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
  const client = useQueryClient();
  const issue = useMutation({
    mutationFn: () => {
      const chosen = lifetime === 'null' ? null : Number(lifetime);
      const ttl_seconds = replaces === null ? chosen : replaces.ttl_seconds;
      return call('createToken', { body: { ttl_seconds, ...bodyOf(terms) } });
    },
    onSuccess: async ({ token }) => {
      onIssued(token);
      await client.invalidateQueries(tokensQuery);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    issue.mutate();
  };
  return (
    <form className="stack" onSubmit={submit}>
      {replaces === null ? (
        <>
          <TermsFields terms={terms} onChange={setTerms} />
          <SelectField
            label="Lifetime"
            value={lifetime}
            onChange={setLifetime}
            options={LIFETIMES.map(([label, seconds]) => ({ value: String(seconds), label }))}
            hint="Choose no longer than the program needs the token."
          />
        </>
      ) : (
        <p>
          The new token has the same name, rights and lifetime ({lifetimeText(replaces.ttl_seconds).toLowerCase()}). The
          old token keeps working until you revoke it, so that you can give the program the new one first.
        </p>
      )}
      <FormEnd error={issue.error} onClose={onClose}>
        <button type="submit" className="button-primary" disabled={issue.isPending}>
          Create
        </button>
      </FormEnd>
    </form>
  );
}

interface ShowProps extends IssueTokenProps {
  readonly token: string;
}

function Show({ token, replaces, onClose }: ShowProps) {
  const [isRevoked, setRevoked] = useState(false);
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call('revokeToken', { params: { token_id: replaces?.id ?? '' }, body: {} }),
    onSuccess: async () => {
      setRevoked(true);
      toast('Old token revoked.');
      await client.invalidateQueries(tokensQuery);
    },
  });
  return (
    <div className="stack">
      <p>Copy the token now. The service keeps only its digest and cannot show it again.</p>
      <p className="secret-once code">{token}</p>
      <FormError error={revoke.error} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(token, 'Token')}>
          Copy
        </button>
        {replaces !== null && (
          <button type="button" disabled={isRevoked || revoke.isPending} onClick={() => revoke.mutate()}>
            {isRevoked ? 'Old token revoked' : 'Revoke old token'}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {replaces === null || isRevoked ? 'Done' : 'Keep old token for now'}
        </button>
      </div>
    </div>
  );
}
