import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LIMITS, type PasskeyUse } from '../../../contract/index.ts';
import { accountQuery, type Passkey } from '../../api/account-queries.ts';
import { call } from '../../api/call.ts';
import { addPasskey } from '../../api/passkeys.ts';
import { FormEnd } from '../../components/form-end.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';

export const USES = [
  { value: 'second_step', label: 'Second step after the password' },
  { value: 'alone', label: 'Sign in without a password' },
] as const;

const HINTS: Readonly<Record<PasskeyUse, string>> = {
  second_step:
    'From then on your password alone is not enough. Add two passkeys: if you lose the only one, you cannot sign in with the password.',
  alone: 'Signing in with your password stays possible as well.',
};

interface PasskeyFormProps {
  /** The passkey that is changed; null adds one. */
  readonly passkey: Passkey | null;
  readonly onClose: () => void;
}

/** Name and use of a passkey: a new one, or one that there is. */
export function PasskeyForm({ passkey, onClose }: PasskeyFormProps) {
  const [name, setName] = useState(passkey?.name ?? '');
  const [use, setUse] = useState<PasskeyUse>(passkey?.use ?? 'second_step');
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: async () => {
      if (passkey === null) return addPasskey(name, use);
      await call('changePasskey', { params: { passkey_id: passkey.id }, body: { name, use } });
    },
    onSuccess: async () => {
      toast(passkey === null ? 'Passkey added.' : 'Passkey changed.');
      onClose();
      await client.invalidateQueries({ queryKey: accountQuery.queryKey });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  const title = passkey === null ? 'Add passkey' : 'Change passkey';
  return (
    <Dialog open onClose={onClose} title={title}>
      <form className="stack" onSubmit={submit}>
        <TextField
          label="Name"
          required
          autoFocus
          maxLength={LIMITS.passkeyName}
          placeholder="Laptop"
          dir="auto"
          value={name}
          onChange={setName}
        />
        <SelectField label="Use" value={use} options={USES} onChange={setUse} hint={HINTS[use]} />
        <FormEnd error={save.error} onClose={onClose}>
          <button type="submit" className="button-primary" disabled={save.isPending}>
            {title}
          </button>
        </FormEnd>
      </form>
    </Dialog>
  );
}
