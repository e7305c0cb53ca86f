import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call, onFreshNeeded } from '../api/call.ts';
import { canUsePasskeys, confirmByPasskey } from '../api/passkeys.ts';
import { q } from '../api/query.ts';
import { FormEnd } from '../components/form-end.tsx';
import { PasskeysElsewhere } from '../sign-in/passkey-sign-in.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { CONFIRM_IDENTITY } from './texts.ts';

/**
 * Asks who is signed in to confirm it, over the page, where a call wants that; the call is made again then, and what was
 * entered stays.
 */
export function ConfirmIdentity() {
  const [open, setOpen] = useState(false);
  const answer = useRef<((confirmed: boolean) => void) | null>(null);
  useEffect(
    () =>
      onFreshNeeded(() => {
        // Whoever asked before gets no answer any more: one dialog, for the newest call.
        answer.current?.(false);
        setOpen(true);
        return new Promise<boolean>((resolve) => {
          answer.current = resolve;
        });
      }),
    [],
  );
  const close = (confirmed: boolean): void => {
    answer.current?.(confirmed);
    answer.current = null;
    setOpen(false);
  };
  return (
    <Dialog open={open} onClose={() => close(false)} title={CONFIRM_IDENTITY.title}>
      <Ways onConfirmed={() => close(true)} onClose={() => close(false)} />
    </Dialog>
  );
}

interface WaysProps {
  readonly onConfirmed: () => void;
  readonly onClose: () => void;
}

function Ways({ onConfirmed, onClose }: WaysProps) {
  const { data: account } = useQuery(q('account'));
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>(null);
  const hasPasskey = (account?.passkeys.length ?? 0) > 0;
  const needsPasskey = account?.passkeys.some(({ use }) => use === 'second_step') === true;
  const byPassword = account?.has_password === true && !needsPasskey;
  const attempt = async (confirm: () => Promise<unknown>): Promise<void> => {
    setError(null);
    try {
      await confirm();
      onConfirmed();
    } catch (failure) {
      setError(failure);
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void attempt(() => call('fresh', { body: { password } }));
  };
  return (
    <form className="stack" onSubmit={submit}>
      <p>{CONFIRM_IDENTITY.explained}</p>
      {byPassword && (
        <TextField
          label={CONFIRM_IDENTITY.password}
          type="password"
          autoComplete="current-password"
          required
          autoFocus
          value={password}
          onChange={setPassword}
        />
      )}
      {hasPasskey && !canUsePasskeys() && <PasskeysElsewhere />}
      {account !== undefined && !byPassword && !hasPasskey && <p className="muted">{CONFIRM_IDENTITY.noPassword}</p>}
      <FormEnd error={error} onClose={onClose}>
        {byPassword && (
          <button type="submit" className="button-primary">
            {CONFIRM_IDENTITY.confirm}
          </button>
        )}
        {hasPasskey && canUsePasskeys() && (
          <button type="button" onClick={() => void attempt(confirmByPasskey)}>
            {CONFIRM_IDENTITY.usePasskey}
          </button>
        )}
      </FormEnd>
    </form>
  );
}
