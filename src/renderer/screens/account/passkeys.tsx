import { useState } from 'react';
import { type AnswerOf, LIMITS, type PasskeyUse } from '../../../api/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import type { Passkey } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { addPasskey, canUsePasskeys } from '../../api/passkeys.ts';
import { invalidate } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { PasskeysElsewhere } from '../../sign-in/passkey-sign-in.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PASSKEY_FORM, PASSKEYS } from './texts.ts';

/** The passkeys of an account: added, renamed, given another use, removed. */
export function Passkeys({ account }: { readonly account: AnswerOf<'account'> }) {
  const [editing, setEditing] = useState<Passkey | 'new' | null>(null);
  const { passkeys, passkeys_at: origin } = account;
  const isHere = canUsePasskeys() && window.location.origin === origin;
  const askToRemove = (removing: Passkey): void =>
    askBefore({
      title: PASSKEYS.removePasskey,
      verb: PASSKEYS.confirm,
      isDestructive: true,
      act: async () => {
        await call('removePasskey', { params: { passkey_id: removing.id }, body: {} });
        toast(PASSKEYS.passkeyRemoved);
        await invalidate('account');
      },
      children: (
        <p>
          {fill(PASSKEYS.consequence, {
            passkey: (
              <strong>
                <Seen text={removing.name} />
              </strong>
            ),
          })}
        </p>
      ),
    });
  return (
    <Panel
      title={PASSKEYS.passkeys}
      flush={passkeys.length > 0}
      actions={
        isHere && (
          <PermittedButton call="addPasskey" className="button-primary" onClick={() => setEditing('new')}>
            {PASSKEYS.addPasskey}
          </PermittedButton>
        )
      }
    >
      {passkeys.length === 0 ? (
        <div className="stack">
          <p>{PASSKEYS.explained}</p>
          {!isHere && <PasskeysElsewhere />}
        </div>
      ) : (
        <>
          <Rows rows={passkeys} edit={setEditing} remove={askToRemove} />
          {!isHere && (
            <div className="panel-body">
              <PasskeysElsewhere />
            </div>
          )}
        </>
      )}
      {editing !== null && (
        <PasskeyForm passkey={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
    </Panel>
  );
}

interface RowsProps {
  readonly rows: readonly Passkey[];
  readonly edit: (passkey: Passkey) => void;
  readonly remove: (passkey: Passkey) => void;
}

function wordsFor(use: PasskeyUse): string {
  return USES.find(({ value }) => value === use)?.label ?? use;
}

function Rows({ rows, edit, remove }: RowsProps) {
  return (
    <ScrollArea className="grid-scroll" label={PASSKEYS.passkeys}>
      <Table heads={[PASSKEYS.name, PASSKEYS.use, PASSKEYS.lastUsedUtc, PASSKEYS.addedUtc, ACTIONS]}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Seen text={row.name} />
            </td>
            <td>{wordsFor(row.use)}</td>
            <td>
              {row.last_used_at === null ? (
                <span className="muted">{PASSKEYS.never}</span>
              ) : (
                <Time value={row.last_used_at} />
              )}
            </td>
            <td>
              <Time value={row.created_at} />
            </td>
            <td className="row-actions">
              <PermittedButton
                call="changePasskey"
                type="button"
                className="button-small"
                aria-label={PASSKEYS.changeNamed(visibleText(row.name))}
                onClick={() => edit(row)}
              >
                {PASSKEYS.change}
              </PermittedButton>
              <PermittedButton
                call="removePasskey"
                type="button"
                className="button-small"
                aria-label={PASSKEYS.removeNamed(visibleText(row.name))}
                onClick={() => remove(row)}
              >
                {PASSKEYS.removeAsked}
              </PermittedButton>
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}

const USES = [
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
function PasskeyForm({ passkey, onClose }: PasskeyFormProps) {
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
