import { z } from 'zod';
import { LIMITS } from '../../../api/index.ts';
import { listPage, readCursor } from '../../http/cursor.ts';
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
    listDeliveries: ({ caller, param, query }) => {
      const limit = query.limit ?? LIMITS.page.default;
      const before = readCursor(query.cursor, place);
      const found = listDeliveries(context, caller.orgId, param('webhook_id'), before, limit + 1);
      return { body: listPage(found, limit, ({ delivery_id }) => delivery_id) };
    },
    testWebhook: async ({ caller, param }) => ({
      body: { delivery: await sendTest(context, caller.orgId, param('webhook_id')) },
    }),
  } satisfies Partial<Handlers>;
}
