import { useState } from 'react';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CHANGE_PASSWORD } from './texts.ts';

const EMPTY = { current: '', next: '', endTokens: false };

/** Changes the password, which ends every other session. */
export function ChangePassword({ hasPassword }: { readonly hasPassword: boolean }) {
  const [form, setForm] = useState(EMPTY);
  const change = async (): Promise<void> => {
    const current = hasPassword ? { current_password: form.current } : {};
    const { ended_sessions: sessions, ended_tokens: tokens } = await call('changePassword', {
      body: { ...current, new_password: form.next, end_tokens: form.endTokens },
    });
    setForm(EMPTY);
    const ended = CHANGE_PASSWORD.ended(sessions, tokens);
    toast(CHANGE_PASSWORD.changed(ended));
    await invalidate('account', 'listSessions', 'listTokens', 'listOrganizationTokens');
  };
  return (
    <Panel title={hasPassword ? CHANGE_PASSWORD.changePassword : CHANGE_PASSWORD.setPassword}>
      <Form
        className="stack narrow-form"
        label={CHANGE_PASSWORD.password}
        act={change}
        verb={hasPassword ? CHANGE_PASSWORD.changePassword : CHANGE_PASSWORD.setPassword}
      >
        {hasPassword && (
          <TextField
            label={CHANGE_PASSWORD.currentPassword}
            type="password"
            autoComplete="current-password"
            required
            value={form.current}
            onChange={(current) => setForm({ ...form, current })}
          />
        )}
        <NewPassword
          label={CHANGE_PASSWORD.newPassword}
          value={form.next}
          onChange={(next) => setForm({ ...form, next })}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={form.endTokens}
            onChange={(event) => setForm({ ...form, endTokens: event.currentTarget.checked })}
          />
          <span>{CHANGE_PASSWORD.revokeTokens}</span>
        </label>
        <p className="muted note">{CHANGE_PASSWORD.otherSessions}</p>
      </Form>
    </Panel>
  );
}
