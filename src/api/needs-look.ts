import { z } from 'zod';
import { LOOK_KINDS, type LookKind } from '../actions/light.ts';
import { cursor, id, isoTime, pageEnd, text, time } from './fields.ts';
import { LIMITS } from './limits.ts';
import { coverage } from './row-details.ts';

export { LOOK_KINDS, type LookKind };

const kind = z.enum(LOOK_KINDS).meta({
  description:
    'decision: carried out without a decision or against one; contradiction: records that cannot all be true; refused: a submission was refused; recorder_gap: a recorder missed something; silent: an agent made no record in hours in which it usually does; failed: a call failed and was not tried again; open: the records leave a question; first_host, first_tool: an agent never used that before',
});

const count = z.int().min(0);
const itemId = text(1, 512).meta({
  description: 'made of what the item is about: the same after records are judged again',
});
const seen = z
  .strictObject({ at: isoTime, by: z.string().nullable().meta({ description: 'null where nobody was signed in' }) })
  .nullable();

export const lookItem = z.strictObject({
  item_id: itemId,
  kind,
  code: z.string().meta({ description: 'the mark, or the error code of what was refused' }),
  agent_id: z.string(),
  at: isoTime.meta({ description: 'when the record was issued; of a silence, the last record before it' }),
  sentence: z.string(),
  about: z.string().nullable().meta({ description: 'the call in one line' }),
  evidence: z.array(z.strictObject({ operation_id: id, seq_no: z.int() })).meta({ description: 'up to 16 records' }),
  seen,
});
export type LookItem = z.infer<typeof lookItem>;

export const needsLookBody = z.strictObject({
  kinds: z.array(z.enum(LOOK_KINDS)).min(1).max(LOOK_KINDS.length).optional(),
  startTime: time.optional().meta({ description: 'only what was at this time or later, by `at` of the item' }),
  endTime: time.optional().meta({ description: 'only what was before' }),
  seen: z.boolean().optional().meta({ description: 'only what was looked at, or only what was not' }),
  cursor,
  limit: z.int().min(1).max(LIMITS.page.max).default(LIMITS.page.default),
});
export type NeedsLookBody = z.infer<typeof needsLookBody>;

export const needsLookAnswer = z.strictObject({
  total: count.meta({ description: 'of all kinds in the range, looked at or not' }),
  unseen: count,
  kinds: z.array(z.strictObject({ kind, count, unseen: count })).meta({ description: 'those that there are' }),
  data: z.array(lookItem).meta({ description: 'what nobody looked at first, of that the worst, of that the newest' }),
  ...pageEnd,
  coverage,
});
export type NeedsLookAnswer = z.infer<typeof needsLookAnswer>;

export const markLookedBody = z.strictObject({
  item_ids: z.array(itemId).min(1).max(LIMITS.lookedAtOnce),
  seen: z.boolean(),
});
export const markLookedAnswer = z.strictObject({ changed: count });
