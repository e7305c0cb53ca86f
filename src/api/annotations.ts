import { z } from 'zod';
import { annotationAct } from './annotation-acts.ts';
import { id, isoTime, jsonObject, listOf, name, page, text } from './fields.ts';
import { LIMITS } from './limits.ts';

export const tag = name(LIMITS.tag);
const tags = z.array(tag).max(LIMITS.tagsPerRecord);

/** What investigators wrote about a record: no evidence, and never part of it. */
export const annotation = z.strictObject({
  operation_id: id,
  tags: z.array(z.string()),
  note: z.string(),
  bookmarked: z.boolean(),
  updated_at: isoTime,
  updated_by: z.string().nullable().meta({ description: 'address of who was signed in; null where nobody was' }),
});
export type Annotation = z.infer<typeof annotation>;

export const annotateBody = z
  .strictObject({
    tags: tags.optional(),
    note: text(0, LIMITS.note).optional(),
    bookmarked: z.boolean().optional(),
  })
  .meta({ description: 'what is left out stays as it is' });
export type AnnotateBody = z.infer<typeof annotateBody>;

/** The same change to several records: of all of them or of none. */
export const annotateManyBody = z
  .strictObject({
    operation_ids: z.array(z.string().min(1).max(64)).min(1).max(LIMITS.annotatedAtOnce),
    add_tags: tags.optional(),
    remove_tags: tags.optional(),
    add_note: text(1, LIMITS.note)
      .optional()
      .meta({ description: 'comes after a note that is there, as a new paragraph' }),
    bookmarked: z.boolean().optional(),
  })
  .refine(({ operation_ids: _, ...change }) => Object.values(change).some((value) => value !== undefined), {
    message: 'must have add_tags, remove_tags, add_note or bookmarked',
  });
export type AnnotateManyBody = z.infer<typeof annotateManyBody>;

/** How many records were changed: those that were so already are not among them. */
export const annotateManyAnswer = z.strictObject({ changed: z.int().min(0) });

/** Annotations, all of them, those with a bookmark, or that of one record: none is no error. */
export const annotationsQuery = page.extend({
  operation_id: z.string().max(64).optional(),
  bookmarked: z.literal('true').optional().meta({ description: 'only those with a bookmark' }),
});

export const annotationsAnswer = listOf(annotation).extend({
  tags: z
    .array(z.strictObject({ tag: z.string(), count: z.int() }))
    .meta({ description: 'tags of the case or organization, the first 1,000 by name' }),
  tags_total: z.int().min(0).meta({ description: 'how many there are, those after 1,000 too' }),
});
export type AnnotationsAnswer = z.infer<typeof annotationsAnswer>;

const annotationLogRow = z.strictObject({
  entry_no: z.int(),
  entry_hash: z.string(),
  entry: z
    .strictObject({
      at: z.string(),
      by: z.string().nullable().meta({ description: 'address of who was signed in' }),
      action: annotationAct,
      details: jsonObject.meta({ description: 'operation_id, tags, note and bookmarked, as they were from then on' }),
      prev_hash: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'null where it cannot be read' }),
});
export type AnnotationLogRow = z.infer<typeof annotationLogRow>;

/** Of all entries, or of those about one record. */
export const annotationLogQuery = page.extend({ operation_id: z.string().max(64).optional() });

/** Who wrote what about records of the live ledger, newest first. */
export const annotationLogAnswer = z.strictObject({
  ...listOf(annotationLogRow).shape,
  head: z.strictObject({ entry_no: z.int(), entry_hash: z.string() }).nullable().meta({ description: 'the newest' }),
  damage: z
    .array(
      z.strictObject({
        entry_no: z.int(),
        code: z.enum(['ENTRY_MISSING', 'ENTRY_CHANGED', 'LINK_BROKEN', 'OTHER_LEDGER']),
      }),
    )
    .meta({ description: 'what does not hold in this page, and at its end' }),
});
export type AnnotationLogAnswer = z.infer<typeof annotationLogAnswer>;
