import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import type { SessionRow } from '../../api/answers.ts';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { Form, FormError } from '../../components/form.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { ProviderButtons } from '../../sign-in/provider-buttons.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { ACTIONS, Table } from '../../ui/table.tsx';
import { agoText, Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { DecisionKeys } from './decision-keys.tsx';
import { Passkeys } from './passkeys.tsx';
import { ACCOUNT_SCREEN, ADDRESS, CHANGE_PASSWORD, LINK_PROVIDER, SESSIONS } from './texts.ts';

/** The account of who is signed in: address, passkeys, sessions, password. */
export function AccountScreen() {
  const account = useQuery(q('account'));
  return (
    <Screen title={ACCOUNT_SCREEN.account} name={ACCOUNT_SCREEN.account}>
      <Answer query={account} what={ACCOUNT_SCREEN.yourAccount}>
        {(found) => (
          <div className="stack">
            <div className="columns">
              <div className="stack">
                <Address account={found} />
                <ChangePassword hasPassword={found.has_password} />
              </div>
              <div className="stack">
                <Passkeys account={found} />
                <LinkProvider />
                <DecisionKeys />
              </div>
            </div>
            <Sessions />
          </div>
        )}
      </Answer>
    </Screen>
  );
}

/** Links the account to a provider by a sign-in there; nothing where the service has none, or in the desktop's window. */
function LinkProvider() {
  const [failure, setFailure] = useState<string | null>(null);
  const isDesktop = window.countersign !== undefined;
  const { data } = useQuery({ ...q('signInProviders'), enabled: !isDesktop });
  if (data === undefined || data.providers.length === 0) return null;
  return (
    <Panel title={LINK_PROVIDER.signProviders}>
      <div className="stack narrow-form">
        <p className="muted note">{LINK_PROVIDER.explained}</p>
        <FormError error={failure} />
        <div className="cluster">
          <ProviderButtons label={LINK_PROVIDER.linkTo} onFailure={setFailure} />
        </div>
      </div>
    </Panel>
  );
}

const EMPTY = { current: '', next: '', endTokens: false };

/** Changes the password, which ends every other session. */
function ChangePassword({ hasPassword }: { readonly hasPassword: boolean }) {
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
        call="changePassword"
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

/** The e-mail address of an account, and whether it is verified; verifies it with a code by mail where the service can. */
function Address({ account }: { readonly account: AnswerOf<'account'> }) {
  const { email, email_verified: isVerified, can_mail: canMail } = account;
  return (
    <Panel title={ADDRESS.eMailAddress}>
      <div className="stack narrow-form">
        <p>
          <Seen text={email} /> – {isVerified ? ADDRESS.verified : ADDRESS.notVerified}
        </p>
        {!isVerified && <p className="muted note">{canMail ? ADDRESS.whyVerify : ADDRESS.noMailServer}</p>}
        {!isVerified && canMail && <VerifyByMail />}
      </div>
    </Panel>
  );
}

function VerifyByMail() {
  const [code, setCode] = useState('');
  const send = useMutation({ mutationFn: () => call('mailAddressCode', { body: {} }) });
  const verify = async (): Promise<void> => {
    await call('verifyAddress', { body: { code: code.trim() } });
    toast(ADDRESS.addressVerified);
    await invalidate('account');
  };
  if (send.data === undefined) {
    return (
      <>
        <FormError error={send.error} />
        <div className="cluster">
          <PermittedButton call="mailAddressCode" disabled={send.isPending} onClick={() => send.mutate()}>
            {send.isPending ? ADDRESS.sending : ADDRESS.mailCode}
          </PermittedButton>
        </div>
      </>
    );
  }
  return (
    <Form
      label={ADDRESS.verifyAddress}
      act={verify}
      call="verifyAddress"
      verb={ADDRESS.verifyAddress}
      actions={
        <button type="button" onClick={() => send.reset()}>
          {ADDRESS.sendAgain}
        </button>
      }
    >
      <p>{fill(ADDRESS.codeMailed, { expiresAt: <Time value={send.data.expires_at} hasZone /> })}</p>
      <TextField label={ADDRESS.codeMail} required autoComplete="one-time-code" value={code} onChange={setCode} />
    </Form>
  );
}

/** Where somebody is signed in with this account, and the way to end that. */
function Sessions() {
  const sessions = useQuery(q('listSessions'));
  const end = useMutation({
    mutationFn: async (row: SessionRow | null) => {
      if (row === null) await call('endOtherSessions', { body: {} });
      else await call('endSession', { params: { session_id: row.id }, body: {} });
    },
    onSuccess: async (_, row) => {
      toast(row === null ? SESSIONS.allOtherSessionsEnded : SESSIONS.sessionEnded);
      await invalidate('listSessions');
    },
  });
  const others = sessions.data?.sessions.some(({ is_current: isCurrent }) => !isCurrent) === true;
  return (
    <Panel
      title={SESSIONS.sessions}
      flush
      actions={
        others && (
          <PermittedButton call="endOtherSessions" disabled={end.isPending} onClick={() => end.mutate(null)}>
            {SESSIONS.endAllOtherSessions}
          </PermittedButton>
        )
      }
    >
      <Answer query={sessions} what={SESSIONS.yourSessions}>
        {({ sessions: rows }) => (
          <ScrollArea className="grid-scroll" label={SESSIONS.sessions}>
            <Table
              heads={[
                SESSIONS.program,
                SESSIONS.lastUsed,
                SESSIONS.address,
                SESSIONS.signedUtc,
                SESSIONS.endsUtc,
                ACTIONS,
              ]}
            >
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    {row.browser ?? SESSIONS.notUsedYet}
                    {row.is_current && <strong> {SESSIONS.current}</strong>}
                  </td>
                  <td>
                    {row.last_used_at === null ? SESSIONS.never : agoText(Date.parse(row.last_used_at), Date.now())}
                  </td>
                  <td className="code">{row.last_used_from}</td>
                  <td>
                    <Time value={row.begun_at} />
                  </td>
                  <td>
                    <Time value={row.expires_at} />
                  </td>
                  <td className="row-actions">
                    {!row.is_current && (
                      <PermittedButton
                        call="endSession"
                        type="button"
                        className="button-small"
                        aria-label={SESSIONS.endNamed(row.browser ?? SESSIONS.someProgram)}
                        disabled={end.isPending}
                        onClick={() => end.mutate(row)}
                      >
                        {SESSIONS.endSession}
                      </PermittedButton>
                    )}
                  </td>
                </tr>
              ))}
            </Table>
          </ScrollArea>
        )}
      </Answer>
      <FormError error={end.error} />
    </Panel>
  );
}
