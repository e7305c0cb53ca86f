import { z } from 'zod';
import { errorCode } from './error-envelope.ts';
import { agentId, isoTime, listOf, page, time } from './fields.ts';

export const REFUSAL_KINDS = ['submission', 'sign_in'] as const;
const kind = z.enum(REFUSAL_KINDS);

export const refusalsQuery = page.extend({
  kind: kind.optional(),
  code: errorCode.optional(),
  agentId: agentId.optional(),
  startTime: time.optional(),
  endTime: time.optional(),
});

/** What was refused. It is no evidence: nothing signs it, and it goes after 90 days. */
const refusal = z.strictObject({
  refusal_no: z.int(),
  kind,
  code: z.string(),
  is_alarm: z.boolean().meta({ description: 'a frozen agent or a revoked key tried' }),
  agent_id: z.string().nullable().meta({ description: 'as the record claims it, where it is well formed' }),
  kid: z.string().nullable(),
  operation_id: z.string().nullable(),
  user_id: z.string().nullable().meta({ description: 'whose account was tried' }),
  address: z.string(),
  first_at: isoTime,
  last_at: isoTime,
  times: z.int().min(1).meta({ description: 'how often within a minute, where many are counted as one' }),
});
export type Refusal = z.infer<typeof refusal>;

export const refusalsAnswer = listOf(refusal).extend({
  last_24_hours: z.int().min(0).meta({ description: 'how many were refused, of all kinds' }),
  last_24_hours_alarms: z.int().min(0).meta({ description: 'how many of those are alarms' }),
});
