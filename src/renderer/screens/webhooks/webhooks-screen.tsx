import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS, WEBHOOK_EVENTS, type WebhookEvent } from '../../../api/index.ts';
import { toBase64Url, visibleText } from '../../../protocol/index.ts';
import type { WebhookRow } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { Answer } from '../../components/answer.tsx';
import { askBefore } from '../../components/confirm.tsx';
import { Form } from '../../components/form.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Screen } from '../../components/screen.tsx';
import { fill } from '../../lib/fill.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Empty } from '../../ui/panel.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { Deliveries } from './deliveries.tsx';
import { endpointProblem } from './endpoint-problem.ts';
import { REGISTER_WEBHOOK, WEBHOOK_ACTIONS, WEBHOOKS_SCREEN } from './texts.ts';

const route = getRouteApi('/webhooks');

/** The webhooks of the organization, and what was sent to the chosen one. */
export function WebhooksScreen() {
  const { webhook: chosen } = route.useSearch();
  const webhooks = useQuery(q('listWebhooks'));
  const [isRegistering, setRegistering] = useState(false);
  const register = (
    <PermittedButton call="registerWebhook" className="button-primary" onClick={() => setRegistering(true)}>
      {WEBHOOKS_SCREEN.registerWebhook}
    </PermittedButton>
  );
  const shown = webhooks.data?.webhooks.find(({ webhook_id: id }) => id === chosen);
  return (
    <Screen title={WEBHOOKS_SCREEN.webhooks} name={WEBHOOKS_SCREEN.webhooks} flush actions={register}>
      <Answer query={webhooks} what={WEBHOOKS_SCREEN.what}>
        {({ webhooks: rows }) =>
          rows.length === 0 ? (
            <Empty title={WEBHOOKS_SCREEN.noWebhookYet}>
              <p>{WEBHOOKS_SCREEN.whatFor}</p>
              {register}
            </Empty>
          ) : (
            <>
              <WebhookTable rows={rows} chosen={chosen} />
              {shown === undefined ? (
                <p className="loading">{WEBHOOKS_SCREEN.chooseWebhook}</p>
              ) : (
                <Chosen webhook={shown} />
              )}
            </>
          )
        }
      </Answer>
      <RegisterWebhook open={isRegistering} onClose={() => setRegistering(false)} />
    </Screen>
  );
}

function WebhookTable({ rows, chosen }: { readonly rows: readonly WebhookRow[]; readonly chosen: string | undefined }) {
  return (
    <ScrollArea className="upper-list" label={WEBHOOKS_SCREEN.webhooks}>
      <Table heads={[WEBHOOKS_SCREEN.address, WEBHOOKS_SCREEN.events, WEBHOOKS_SCREEN.registeredUtc]}>
        {rows.map((row) => (
          <tr key={row.webhook_id} className={row.webhook_id === chosen ? 'is-chosen' : ''}>
            <td className="wide-cell">
              <Link
                to="/webhooks"
                search={{ webhook: row.webhook_id }}
                data-row
                aria-current={row.webhook_id === chosen ? 'true' : undefined}
                title={visibleText(row.endpoint_url)}
              >
                <Seen dir="ltr" text={row.endpoint_url} />
              </Link>
            </td>
            <td>{row.events.join(', ')}</td>
            <td>
              <Time value={row.created_at} />
            </td>
          </tr>
        ))}
      </Table>
    </ScrollArea>
  );
}

function Chosen({ webhook }: { readonly webhook: WebhookRow }) {
  return (
    <section className="lower-part scroll-column is-filling" aria-label={WEBHOOKS_SCREEN.deliveries}>
      <div className="split-title">
        <span className="ellipsis">
          {fill(WEBHOOKS_SCREEN.deliveriesTo, { endpointUrl: <Seen dir="ltr" text={webhook.endpoint_url} /> })}
        </span>
        <span className="push cluster">
          <TestWebhook webhook={webhook} />
          <DeleteWebhook webhook={webhook} />
        </span>
      </div>
      <Deliveries webhookId={webhook.webhook_id} />
    </section>
  );
}

/** Sends a test event, and shows how its delivery goes. */
function TestWebhook({ webhook: { webhook_id: id } }: { readonly webhook: WebhookRow }) {
  const navigate = route.useNavigate();
  const test = useMutation({
    mutationFn: () => call('testWebhook', { params: { webhook_id: id }, body: {} }),
    onSuccess: async ({ delivery }) => {
      toast(WEBHOOK_ACTIONS.testSent);
      await invalidate('listDeliveries');
      await navigate({ search: { webhook: id, delivery: delivery.delivery_id } });
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <PermittedButton
      call="testWebhook"
      className="button-small"
      disabled={test.isPending}
      onClick={() => test.mutate()}
    >
      {WEBHOOK_ACTIONS.sendTestEvent}
    </PermittedButton>
  );
}

/** Deletes a webhook, after it was said what stays. */
function DeleteWebhook({ webhook }: { readonly webhook: WebhookRow }) {
  const navigate = route.useNavigate();
  const remove = async (): Promise<void> => {
    await call('deleteWebhook', { params: { webhook_id: webhook.webhook_id }, body: {} });
    toast(WEBHOOK_ACTIONS.deleted);
    await navigate({ search: {} });
    await invalidate('listWebhooks');
  };
  return (
    <PermittedButton
      call="deleteWebhook"
      className="button-small button-grave"
      onClick={() =>
        askBefore({
          title: WEBHOOK_ACTIONS.title,
          verb: WEBHOOK_ACTIONS.confirm,
          isDestructive: true,
          act: remove,
          children: (
            <>
              <p className="breakable">
                <Seen dir="ltr" text={webhook.endpoint_url} />
              </p>
              <p>{WEBHOOK_ACTIONS.consequence}</p>
            </>
          ),
        })
      }
    >
      {WEBHOOK_ACTIONS.ask}
    </PermittedButton>
  );
}

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
function RegisterWebhook({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
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
