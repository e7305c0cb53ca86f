import { z } from 'zod';

/** What investigators do with what they wrote about a record. */
export const annotationAct = z.enum(['annotation.set', 'annotation.remove']);
