import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnswerOf } from '../../../contract/index.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form, FormError } from '../../components/form.tsx';
import { fill } from '../../lib/fill.ts';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { ADDRESS } from './texts.ts';

/** The e-mail address of an account, and whether it is verified; verifies it with a code by mail where the service can. */
export function Address({ account }: { readonly account: AnswerOf<'account'> }) {
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
          <button type="button" disabled={send.isPending} onClick={() => send.mutate()}>
            {send.isPending ? ADDRESS.sending : ADDRESS.mailCode}
          </button>
        </div>
      </>
    );
  }
  return (
    <Form
      label={ADDRESS.verifyAddress}
      act={verify}
      verb={ADDRESS.verifyAddress}
      actions={
        <button type="button" onClick={() => send.reset()}>
          {ADDRESS.sendAgain}
        </button>
      }
    >
      <p>{fill(ADDRESS.codeMailed, { expiresAt: <Time value={send.data.expires_at} /> })}</p>
      <TextField label={ADDRESS.codeMail} required autoComplete="one-time-code" value={code} onChange={setCode} />
    </Form>
  );
}
