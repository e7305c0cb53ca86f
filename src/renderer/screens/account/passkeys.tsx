import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf, PasskeyUse } from '../../../contract/index.ts';
import { visibleText } from '../../../protocol/index.ts';
import { accountQuery, type Passkey } from '../../api/account-queries.ts';
import { call } from '../../api/call.ts';
import { canUsePasskeys } from '../../api/passkeys.ts';
import { Confirm } from '../../components/confirm.tsx';
import { PasskeysElsewhere } from '../../sign-in/passkey-sign-in.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { PasskeyForm, USES } from './passkey-form.tsx';

/** The passkeys of an account: added, renamed, given another use, removed. */
export function Passkeys({ account }: { readonly account: AnswerOf<'account'> }) {
  const [editing, setEditing] = useState<Passkey | 'new' | null>(null);
  const [removing, setRemoving] = useState<Passkey | null>(null);
  const client = useQueryClient();
  const { passkeys, passkeys_at: origin } = account;
  const isHere = canUsePasskeys() && window.location.origin === origin;
  const remove = async (): Promise<void> => {
    if (removing === null) return;
    await call('removePasskey', { params: { passkey_id: removing.id }, body: {} });
    toast('Passkey removed.');
    await client.invalidateQueries({ queryKey: accountQuery.queryKey });
  };
  return (
    <Panel
      title="Passkeys"
      flush={passkeys.length > 0}
      actions={
        isHere && (
          <button type="button" className="button-primary" onClick={() => setEditing('new')}>
            Add passkey
          </button>
        )
      }
    >
      {passkeys.length === 0 ? (
        <div className="stack">
          <p>
            A passkey is a key in your device or security key. Use a passkey as a second step after your password, or
            instead of the password.
          </p>
          {!isHere && <PasskeysElsewhere />}
        </div>
      ) : (
        <>
          <Rows rows={passkeys} edit={setEditing} remove={setRemoving} />
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
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title="Remove passkey"
        verb="Remove"
        isDestructive
        act={remove}
      >
        <p>
          <strong>
            <Seen text={removing?.name ?? ''} />
          </strong>{' '}
          can no longer sign in to this account. Delete the passkey from your device as well.
        </p>
      </Confirm>
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
    <ScrollArea className="grid-scroll" label="Passkeys">
      <Table heads={['Name', 'Use', 'Last used (UTC)', 'Added (UTC)', ACTIONS]}>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Seen text={row.name} />
            </td>
            <td>{wordsFor(row.use)}</td>
            <td>
              {row.last_used_at === null ? <span className="muted">never</span> : <Time value={row.last_used_at} />}
            </td>
            <td>
              <Time value={row.created_at} />
            </td>
            <td className="row-actions">
              <button
                type="button"
                className="button-small"
                aria-label={`Change passkey ${visibleText(row.name)}`}
                onClick={() => edit(row)}
              >
                Change…
              </button>
              <button
                type="button"
                className="button-small"
                aria-label={`Remove passkey ${visibleText(row.name)}`}
                onClick={() => remove(row)}
              >
                Remove…
              </button>
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}
