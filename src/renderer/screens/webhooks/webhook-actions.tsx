import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { WebhookRow } from '../../api/answers.ts';
import { call, sentenceOf } from '../../api/call.ts';
import { invalidate } from '../../api/query-client.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Seen } from '../../ui/seen.tsx';
import { toast } from '../../ui/toasts.tsx';
import { WEBHOOK_ACTIONS } from './texts.ts';

const route = getRouteApi('/webhooks');

/** Sends a test event, and shows how its delivery goes. */
export function TestWebhook({ webhook: { webhook_id: id } }: { readonly webhook: WebhookRow }) {
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
export function DeleteWebhook({ webhook }: { readonly webhook: WebhookRow }) {
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
