import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS, WEBHOOK_EVENTS, type WebhookEvent } from '../../../contract/index.ts';
import { toBase64Url } from '../../../protocol/index.ts';
import { call } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { Form } from '../../components/form.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { endpointProblem } from './endpoint-problem.ts';
import { REGISTER_WEBHOOK } from './texts.ts';

const route = getRouteApi('/webhooks');
const SECRET_BYTES = 32;
const EMPTY = { endpoint: '', events: ['operation.accepted'] as readonly WebhookEvent[], secret: '' };

const MEANING: Readonly<Record<WebhookEvent, string>> = {
  'operation.accepted': REGISTER_WEBHOOK.operationEvent,
  'epoch.created': REGISTER_WEBHOOK.epochEvent,
  'agent.status_changed': REGISTER_WEBHOOK.freezeEvent,
};

/** Made in this window by its own source of randomness; it travels once, with the registration. */
function newSecret(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
}

/** Registers a webhook. What is entered stays until it is registered or the page is left. */
export function RegisterWebhook({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const [form, setForm] = useState(EMPTY);
  const navigate = route.useNavigate();
  const register = async (): Promise<void> => {
    const { webhook } = await call('registerWebhook', {
      body: { endpoint_url: form.endpoint.trim(), events: form.events, secret: form.secret },
    });
    toast(REGISTER_WEBHOOK.registered);
    setForm(EMPTY);
    onClose();
    await invalidate('listWebhooks');
    await navigate({ search: { webhook: webhook.webhook_id } });
  };
  const toggle = (name: WebhookEvent, isOn: boolean): void =>
    setForm((before) => ({
      ...before,
      events: WEBHOOK_EVENTS.filter((event) => (event === name ? isOn : before.events.includes(event))),
    }));
  return (
    <Dialog open={open} onClose={onClose} title={REGISTER_WEBHOOK.title} className="dialog-wide">
      <Form
        act={register}
        verb={REGISTER_WEBHOOK.registerWebhook}
        isBlocked={form.events.length === 0 || endpointProblem(form.endpoint) !== null}
        onClose={onClose}
      >
        <TextField
          label={REGISTER_WEBHOOK.address}
          type="url"
          required
          spellCheck={false}
          maxLength={LIMITS.webhookUrl}
          placeholder={REGISTER_WEBHOOK.https}
          dir="ltr"
          hint={REGISTER_WEBHOOK.addressHint}
          problem={endpointProblem(form.endpoint)}
          value={form.endpoint}
          onChange={(endpoint) => setForm((before) => ({ ...before, endpoint }))}
        />
        <fieldset className="choices">
          <legend className="label">{REGISTER_WEBHOOK.events}</legend>
          {WEBHOOK_EVENTS.map((name) => (
            <label key={name}>
              <input
                type="checkbox"
                checked={form.events.includes(name)}
                onChange={(event) => toggle(name, event.currentTarget.checked)}
              />
              <span className="code">
                <Seen text={name} />
              </span>{' '}
              <span className="muted">{MEANING[name]}</span>
            </label>
          ))}
        </fieldset>
        <div className="field-row">
          <TextField
            label={REGISTER_WEBHOOK.secret}
            required
            minLength={LIMITS.webhookSecret.min}
            maxLength={LIMITS.webhookSecret.max}
            spellCheck={false}
            autoComplete="off"
            className="code"
            hint={REGISTER_WEBHOOK.secretHint}
            value={form.secret}
            onChange={(secret) => setForm((before) => ({ ...before, secret }))}
          />
          <button type="button" onClick={() => setForm((before) => ({ ...before, secret: newSecret() }))}>
            {REGISTER_WEBHOOK.generateSecret}
          </button>
          {form.secret !== '' && <CopyButton text={form.secret} what={REGISTER_WEBHOOK.secretCopied} />}
        </div>
      </Form>
    </Dialog>
  );
}
