import * as annotations from './annotations.ts';
import { success } from './fields.ts';
import { get, patch, post, remove } from './route.ts';

/** Whoever may search reads and writes them. */
const live = { tag: 'Annotations', access: 'compliance_auditor' } as const;

/** Tags, notes and bookmarks over the live ledger: rows of the one table (routes.ts). */
export const ANNOTATION_ROUTES = {
  liveAnnotations: {
    ...get,
    ...live,
    path: '/v1/annotations',
    query: annotations.annotationsQuery,
    answer: annotations.annotationsAnswer,
    summary: 'Tags, notes and bookmarks of records, and all tags of the organization',
  },
  annotationLog: {
    ...get,
    ...live,
    path: '/v1/annotations/log',
    query: annotations.annotationLogQuery,
    answer: annotations.annotationLogAnswer,
    summary: 'What was written about records, each entry with the hash of the one before, and whether the page holds',
  },
  liveAnnotation: {
    ...get,
    ...live,
    path: '/v1/annotations/:operation_id',
    answer: annotations.annotation,
    summary: 'Tags, note and bookmark of a record; NOT_FOUND where there are none',
  },
  annotateLive: {
    ...patch,
    ...live,
    path: '/v1/annotations/:operation_id',
    body: annotations.annotateBody,
    answer: annotations.annotation,
    summary: 'Set tags, note or bookmark of a record',
  },
  annotateManyLive: {
    ...post,
    ...live,
    path: '/v1/annotations/batch',
    status: 200,
    body: annotations.annotateManyBody,
    answer: annotations.annotateManyAnswer,
    summary: 'Add tags, a note or a bookmark to several records, or take tags or bookmarks away',
  },
  removeLiveAnnotation: {
    ...remove,
    ...live,
    path: '/v1/annotations/:operation_id',
    answer: success,
    summary: 'Take tags, note and bookmark of a record away',
  },
} as const;
