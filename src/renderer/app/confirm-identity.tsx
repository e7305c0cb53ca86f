import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { call, onFreshNeeded } from '../api/call.ts';
import { canUsePasskeys, confirmByPasskey } from '../api/passkeys.ts';
import { q } from '../api/query.ts';
import { Form } from '../components/form.tsx';
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
  const [problem, setProblem] = useState<unknown>(null);
  const hasPasskey = (account?.passkeys.length ?? 0) > 0;
  const needsPasskey = account?.passkeys.some(({ use }) => use === 'second_step') === true;
  const byPassword = account?.has_password === true && !needsPasskey;
  const byOwnPassword = async (): Promise<void> => {
    setProblem(null);
    await call('fresh', { body: { password } });
    onConfirmed();
  };
  const byPasskey = async (): Promise<void> => {
    setProblem(null);
    try {
      await confirmByPasskey();
      onConfirmed();
    } catch (failure) {
      setProblem(failure);
    }
  };
  return (
    <Form
      act={byOwnPassword}
      verb={byPassword && CONFIRM_IDENTITY.confirm}
      problem={problem}
      onClose={onClose}
      actions={
        hasPasskey &&
        canUsePasskeys() && (
          <button type="button" onClick={() => void byPasskey()}>
            {CONFIRM_IDENTITY.usePasskey}
          </button>
        )
      }
    >
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
    </Form>
  );
}
