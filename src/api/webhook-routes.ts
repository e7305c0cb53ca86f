import { listOf, page, success } from './fields.ts';
import { overLive } from './ledger-routes.ts';
import * as refusals from './refusals.ts';
import { rowsOf } from './route.ts';
import * as webhooks from './webhooks.ts';

const admin = rowsOf({ tag: 'Webhooks', access: 'security_admin' });
const log = rowsOf({ tag: 'Admin events', access: 'compliance_auditor' });

/** Webhooks and the administrative log: rows of the one table (routes.ts). */
export const WEBHOOK_ROUTES = {
  listWebhooks: {
    ...admin.get,
    path: '/v1/webhooks',
    answer: webhooks.webhooksAnswer,
    summary: 'List the webhooks',
  },
  registerWebhook: {
    ...admin.post,
    path: '/v1/webhooks',
    status: 201,
    body: webhooks.registerWebhookBody,
    answer: webhooks.webhookAnswer,
    summary: 'Register a webhook',
  },
  deleteWebhook: {
    ...admin.remove,
    path: '/v1/webhooks/:webhook_id',
    answer: success,
    summary: 'Delete a webhook; deliveries in flight are still attempted',
  },
  listDeliveries: {
    ...admin.get,
    path: '/v1/webhooks/:webhook_id/deliveries',
    query: page,
    answer: listOf(webhooks.delivery),
    summary: 'Deliveries of a webhook, newest first',
  },
  testWebhook: {
    ...admin.post,
    path: '/v1/webhooks/:webhook_id/test',
    status: 202,
    answer: webhooks.testDeliveryAnswer,
    summary: 'Send a test event',
  },
  listRefusals: {
    ...log.get,
    path: '/v1/refusals',
    query: refusals.refusalsQuery,
    answer: refusals.refusalsAnswer,
    summary: 'Submissions and sign-ins that were refused, newest first',
  },
  ...overLive('listAdminEvents'),
} as const;
