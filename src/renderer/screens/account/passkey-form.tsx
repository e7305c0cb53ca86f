import { useState } from 'react';
import { LIMITS, type PasskeyUse } from '../../../contract/index.ts';
import type { Passkey } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { addPasskey } from '../../api/passkeys.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PASSKEY_FORM } from './texts.ts';

export const USES = [
  { value: 'second_step', label: PASSKEY_FORM.secondFactor },
  { value: 'alone', label: PASSKEY_FORM.signInWithoutPassword },
] as const;

const HINTS: Readonly<Record<PasskeyUse, string>> = {
  second_step: PASSKEY_FORM.secondFactorHint,
  alone: PASSKEY_FORM.firstFactorHint,
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
  const save = async (): Promise<void> => {
    if (passkey === null) await addPasskey(name, use);
    else await call('changePasskey', { params: { passkey_id: passkey.id }, body: { name, use } });
    toast(passkey === null ? PASSKEY_FORM.passkeyAdded : PASSKEY_FORM.passkeyChanged);
    onClose();
    await invalidate('account');
  };
  const title = passkey === null ? PASSKEY_FORM.addPasskey : PASSKEY_FORM.changePasskey;
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form act={save} verb={title} onClose={onClose}>
        <TextField
          label={PASSKEY_FORM.name}
          required
          autoFocus
          maxLength={LIMITS.passkeyName}
          placeholder={PASSKEY_FORM.nameExample}
          dir="auto"
          value={name}
          onChange={setName}
        />
        <SelectField label={PASSKEY_FORM.use} value={use} options={USES} onChange={setUse} hint={HINTS[use]} />
      </Form>
    </Dialog>
  );
}
