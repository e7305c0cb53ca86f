import * as annotations from './annotations.ts';
import { overLive } from './ledger-routes.ts';
import { rowsOf } from './route.ts';

/** Whoever may search reads and writes them. */
const auditor = rowsOf({ tag: 'Annotations', access: 'compliance_auditor' });

/** Tags, notes and bookmarks over the live ledger: rows of the one table (routes.ts). */
export const ANNOTATION_ROUTES = {
  ...overLive('liveAnnotations'),
  annotationLog: {
    ...auditor.get,
    path: '/v1/annotations/log',
    query: annotations.annotationLogQuery,
    answer: annotations.annotationLogAnswer,
    summary: 'What was written about records, each entry with the hash of the one before, and whether the page holds',
  },
  ...overLive('liveAnnotation', 'annotateLive', 'annotateManyLive', 'removeLiveAnnotation'),
} as const;
