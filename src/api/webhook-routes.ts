import { listOf, page, success } from './fields.ts';
import { overLive } from './ledger-routes.ts';
import * as refusals from './refusals.ts';
import { get, post, remove } from './route.ts';
import * as webhooks from './webhooks.ts';

const webhook = { tag: 'Webhooks' } as const;
const log = { tag: 'Admin events' } as const;

/** Webhooks and the administrative log: rows of the one table (routes.ts). */
export const WEBHOOK_ROUTES = {
  listWebhooks: {
    ...get,
    ...webhook,
    path: '/v1/webhooks',
    access: 'security_admin',
    answer: webhooks.webhooksAnswer,
    summary: 'List the webhooks',
  },
  registerWebhook: {
    ...post,
    ...webhook,
    path: '/v1/webhooks',
    access: 'security_admin',
    status: 201,
    body: webhooks.registerWebhookBody,
    answer: webhooks.webhookAnswer,
    summary: 'Register a webhook',
  },
  deleteWebhook: {
    ...remove,
    ...webhook,
    path: '/v1/webhooks/:webhook_id',
    access: 'security_admin',
    answer: success,
    summary: 'Delete a webhook; deliveries in flight are still attempted',
  },
  listDeliveries: {
    ...get,
    ...webhook,
    path: '/v1/webhooks/:webhook_id/deliveries',
    access: 'security_admin',
    query: page,
    answer: listOf(webhooks.delivery),
    summary: 'Deliveries of a webhook, newest first',
  },
  testWebhook: {
    ...post,
    ...webhook,
    path: '/v1/webhooks/:webhook_id/test',
    access: 'security_admin',
    status: 202,
    answer: webhooks.testDeliveryAnswer,
    summary: 'Send a test event',
  },
  listRefusals: {
    ...get,
    ...log,
    path: '/v1/refusals',
    access: 'compliance_auditor',
    query: refusals.refusalsQuery,
    answer: refusals.refusalsAnswer,
    summary: 'Submissions and sign-ins that were refused, newest first',
  },
  ...overLive('listAdminEvents'),
} as const;
