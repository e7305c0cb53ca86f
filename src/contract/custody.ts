import { z } from 'zod';
import { jsonObject, listOf, page } from './fields.ts';

/** What examiners do with a case. */
export const custodyAction = z.enum([
  'annotation.set',
  'annotation.remove',
  'case.rename',
  'case.verify',
  'report.make',
  'rules.change',
  'search.save',
  'search.delete',
]);
export type CustodyAction = z.infer<typeof custodyAction>;

const custodyRow = z.strictObject({
  entry_no: z.int(),
  entry_hash: z.string(),
  entry: z
    .strictObject({
      at: z.string(),
      by: z.string().nullable().meta({ description: 'address of who was signed in; null where nobody was' }),
      action: custodyAction,
      details: jsonObject,
      prev_hash: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'null where it cannot be read' }),
});
export type CustodyRow = z.infer<typeof custodyRow>;

const custodyDamage = z.strictObject({
  entry_no: z.int(),
  code: z.enum(['ENTRY_MISSING', 'ENTRY_CHANGED', 'LINK_BROKEN', 'OTHER_CASE']),
});
export type CustodyDamage = z.infer<typeof custodyDamage>;

/** Of all entries, or of those about one record. */
export const custodyQuery = page.extend({ operation_id: z.string().max(64).optional() });

/** What was done with a case, newest first. */
export const custodyAnswer = z.strictObject({
  ...listOf(custodyRow).shape,
  head: z.strictObject({ entry_no: z.int(), entry_hash: z.string() }).nullable().meta({ description: 'the newest' }),
  damage: z.array(custodyDamage).meta({ description: 'what does not hold in the whole log, the first 100 places' }),
});
export type CustodyAnswer = z.infer<typeof custodyAnswer>;
