import { z } from 'zod';
import { DESTINATION_WAYS } from '../actions/light.ts';
import { agentId, id, isoTime, pageEnd, time } from './fields.ts';
import { LIMITS } from './limits.ts';
import { coverage } from './row-details.ts';

const count = z.int().min(0);

export const whatLeftBody = z.strictObject({
  agentId: agentId.optional(),
  startTime: time.optional(),
  endTime: time.optional(),
  contains: z.string().min(1).max(256).optional().meta({ description: 'a part of the name of the destination' }),
  sent: z.boolean().optional().meta({ description: 'only destinations that something was sent to, or only others' }),
  cursor: z.string().max(512).optional(),
  limit: z.int().min(1).max(LIMITS.page.max).default(LIMITS.page.default),
});
export type WhatLeftBody = z.infer<typeof whatLeftBody>;

/** A destination that is not the organization's own, and an agent that directed calls there. */
const leftRow = z.strictObject({
  destination: z.string(),
  kind: z.enum(['address', 'host']),
  agent_id: id,
  ways: z.array(z.enum(DESTINATION_WAYS)),
  first_at: isoTime,
  last_at: isoTime,
  first: z.strictObject({ operation_id: id, seq_no: z.int() }),
  sent: count.meta({
    description: 'actions that gave something: a message, a body, a file. Whether it arrived, nobody recorded',
  }),
  asked: count.meta({ description: 'actions of which only a request was recorded' }),
  failed: count.meta({ description: 'of both, those that failed' }),
  refused: count.meta({ description: 'actions that were refused, which are in none of the others' }),
  query: z.string().meta({ description: 'finds the records of the agent that name the destination' }),
});
export type LeftRow = z.infer<typeof leftRow>;

export const whatLeftAnswer = z.strictObject({
  is_own_stated: z.boolean().meta({ description: 'whether the rules say what is the organization’s own' }),
  destinations: count,
  total: count.meta({ description: 'rows of all pages' }),
  data: z.array(leftRow).meta({ description: 'the destinations that were first used last come first' }),
  ...pageEnd,
  coverage,
});
export type WhatLeftAnswer = z.infer<typeof whatLeftAnswer>;
