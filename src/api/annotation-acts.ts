import { z } from 'zod';

/** What investigators do with what they wrote about a record, and that they looked at what needs a look. */
export const annotationAct = z.enum(['annotation.set', 'annotation.remove', 'look.mark']);
export type AnnotationAct = z.infer<typeof annotationAct>;
