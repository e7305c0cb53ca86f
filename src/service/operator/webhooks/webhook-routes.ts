import { z } from 'zod';
import { askedPage } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import {
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  registerWebhook,
  sendTest,
  type WebhookContext,
} from './registry.ts';

/** A delivery's id and not its number, which would tell how much other organizations send. */
const place = z.uuid();

export function webhookRoutes(context: WebhookContext) {
  return {
    listWebhooks: ({ caller }) => ({ body: { webhooks: listWebhooks(context, caller.orgId) } }),
    registerWebhook: async ({ body, caller }) => ({
      body: { webhook: await registerWebhook(context, caller.orgId, caller.userId, body) },
    }),
    deleteWebhook: async ({ caller, param }) => {
      await deleteWebhook(context, caller.orgId, caller.userId, param('webhook_id'));
      return { body: { success: true } };
    },
    listDeliveries: ({ caller, param, query }) => ({
      body: askedPage(
        query,
        place,
        (before, most) => listDeliveries(context, caller.orgId, param('webhook_id'), before, most),
        ({ delivery_id }) => delivery_id,
      ),
    }),
    testWebhook: async ({ caller, param }) => ({
      body: { delivery: await sendTest(context, caller.orgId, param('webhook_id')) },
    }),
  } satisfies Partial<Handlers>;
}
