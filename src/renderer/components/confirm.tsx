import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { LIMITS } from '../../contract/index.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { FormEnd } from './form-end.tsx';
import { CONFIRM } from './texts.ts';

interface ConfirmProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What the button says: the action itself, never OK. */
  readonly verb: string;
  /** What must be typed before the action can be done, where it cannot be undone. */
  readonly word?: { readonly label: string; readonly text: string };
  /** Whether a reason for the administrative log is wanted. */
  readonly wantsReason?: boolean;
  /** Whether something is taken away by it. */
  readonly isDestructive?: boolean;
  /** Does it; what it throws is shown, and what was entered stays. */
  readonly act: (reason: string) => Promise<unknown>;
  /** What it does, and what stays. */
  readonly children: ReactNode;
}

/** Asks before an action, and says what it does and what stays. Closes when it is done. */
export function Confirm({ open, onClose, title, children, ...form }: ConfirmProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ConfirmForm onClose={onClose} {...form}>
        {children}
      </ConfirmForm>
    </Dialog>
  );
}

function ConfirmForm({
  onClose,
  verb,
  word,
  wantsReason = false,
  isDestructive = false,
  act,
  children,
}: Omit<ConfirmProps, 'open' | 'title'>) {
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const action = useMutation({ mutationFn: () => act(reason), onSuccess: onClose });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    action.mutate();
  };
  const isConfirmed = word === undefined || typed === word.text;
  return (
    <form className="stack" onSubmit={submit}>
      {children}
      {wantsReason && (
        <TextField
          label={CONFIRM.reason}
          required
          maxLength={LIMITS.reason}
          value={reason}
          onChange={setReason}
          hint={CONFIRM.recorded}
        />
      )}
      {word !== undefined && (
        <TextField
          label={word.label}
          required
          autoComplete="off"
          spellCheck={false}
          placeholder={word.text}
          dir="auto"
          value={typed}
          onChange={setTyped}
        />
      )}
      <FormEnd error={action.error} onClose={onClose}>
        <button
          type="submit"
          className={isDestructive ? 'button-danger' : 'button-primary'}
          disabled={action.isPending || !isConfirmed}
        >
          {verb}
        </button>
      </FormEnd>
    </form>
  );
}
