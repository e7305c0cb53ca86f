import { z } from 'zod';
import { id, milliseconds, text } from './fields.ts';
import { LIMITS } from './limits.ts';
import { outgoingUrl } from './witnesses.ts';

/** The events a webhook can be sent (docs/interface.md, Webhooks). */
export const WEBHOOK_EVENTS = ['operation.accepted', 'epoch.created', 'agent.status_changed'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const registerWebhookBody = z.strictObject({
  endpoint_url: outgoingUrl,
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1, 'must name at least one event')
    .refine((events) => new Set(events).size === events.length, 'must not name an event twice'),
  secret: text(LIMITS.webhookSecret.min, LIMITS.webhookSecret.max),
});

/** A webhook; its secret is in no answer. */
export const webhook = z.strictObject({
  webhook_id: id,
  org_id: id,
  endpoint_url: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  status: z.literal('active'),
  created_at: milliseconds,
  updated_at: milliseconds,
});
export const webhookAnswer = z.strictObject({ webhook });
export const webhooksAnswer = z.strictObject({ webhooks: z.array(webhook) });
export type Webhook = z.infer<typeof webhook>;

/** One attempt at a delivery. */
const attempt = z.strictObject({
  at: milliseconds,
  took_ms: z.int().min(0),
  status: z.int().nullable().meta({ description: 'HTTP status of the answer; null where there was none' }),
  error: z.string().nullable(),
});

/** One delivery and how its attempts went. `test` is a separate event, sent on demand. */
export const delivery = z.strictObject({
  delivery_id: id,
  event_type: z.enum([...WEBHOOK_EVENTS, 'test']),
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int().min(0),
  created_at: milliseconds,
  next_attempt_at: milliseconds.nullable(),
  last_attempt_at: milliseconds.nullable(),
  last_status: z.int().nullable().meta({ description: 'HTTP status of the last answer; null where there was none' }),
  last_error: z.string().nullable(),
  body: z.string().meta({ description: 'exactly what is sent and signed' }),
  attempt_log: z.array(attempt).meta({ description: 'each attempt, oldest first; not of those before this was kept' }),
});
export const testDeliveryAnswer = z.strictObject({ delivery });
export type DeliveryAttempt = z.infer<typeof attempt>;
export type Delivery = z.infer<typeof delivery>;
