import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { toast } from '../../app/toasts.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { FormEnd, FormError } from '../../components/form-end.tsx';
import { copyText } from '../../components/hash.tsx';
import { type TokenRow, tokensQuery } from '../../service/administration-queries.ts';
import { call } from '../../service/call.ts';
import { LIFETIMES, lifetimeText } from './lifetimes.ts';

interface IssueTokenProps {
  /** The token in whose place the new one is to come. */
  readonly replaces: TokenRow | null;
  readonly onClose: () => void;
}

/** Issues a token and shows it, this once. */
export function IssueToken({ replaces, onClose }: IssueTokenProps) {
  const [issued, setIssued] = useState<string | null>(null);
  const title = replaces === null ? 'Issue a token' : `Rotate token ${replaces.id.slice(0, 8)}`;
  return (
    <Dialog open onClose={onClose} title={issued === null ? title : 'The new token'} className="dialog-wide">
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
  const id = useId();
  const client = useQueryClient();
  const issue = useMutation({
    mutationFn: () => {
      const chosen = lifetime === 'null' ? null : Number(lifetime);
      return call('createToken', { body: { ttl_seconds: replaces === null ? chosen : replaces.ttl_seconds } });
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
        <div className="field">
          <label htmlFor={id}>Lifetime</label>
          <select id={id} value={lifetime} onChange={(event) => setLifetime(event.currentTarget.value)}>
            {LIFETIMES.map(([label, seconds]) => (
              <option key={label} value={String(seconds)}>
                {label}
              </option>
            ))}
          </select>
          <small className="muted">
            A token that leaks does harm until it ends: choose no longer than it is needed.
          </small>
        </div>
      ) : (
        <p>
          A new token with the same lifetime ({lifetimeText(replaces.ttl_seconds).toLowerCase()}) is issued first. The
          old one goes on working until you revoke it, so that its program can be given the new one in between.
        </p>
      )}
      <FormEnd error={issue.error} onClose={onClose}>
        <button type="submit" className="button-primary" disabled={issue.isPending}>
          Issue
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
      toast('The old token is revoked.');
      await client.invalidateQueries(tokensQuery);
    },
  });
  return (
    <div className="stack">
      <p>Copy it now: the service keeps only its digest, and it is not shown again.</p>
      <p className="secret-once code">{token}</p>
      <FormError error={revoke.error} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(token, 'Token')}>
          Copy
        </button>
        {replaces !== null && (
          <button type="button" disabled={isRevoked || revoke.isPending} onClick={() => revoke.mutate()}>
            {isRevoked ? 'The old one is revoked' : 'Revoke the old one now'}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {replaces === null || isRevoked ? 'Done' : 'Keep the old one for now'}
        </button>
      </div>
    </div>
  );
}
