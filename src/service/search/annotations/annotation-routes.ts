import { z } from 'zod';
import { type Annotation, type AnnotationLogAnswer, type AnnotationsAnswer, LIMITS } from '../../../api/index.ts';
import { readCursor } from '../../http/cursor.ts';
import { type Handlers, type Member, readerOf } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { users } from '../../store/schema.ts';
import type { Writer } from '../../store/writer.ts';
import type { Reader } from '../content-index/queries/content-queries.ts';
import { appendEntry, type LogPart } from './annotation-log.ts';
import {
  type AnnotationsAsked,
  annotate,
  annotateMany,
  findAnnotation,
  removeAnnotation,
  type Writing,
} from './annotations.ts';

interface AnnotationDeps {
  readonly store: Store;
  readonly writer: Writer;
  /** Answers off the thread of the service: notes and tags are long and many. */
  readonly content: {
    readonly annotations: (
      by: Reader,
      asked: AnnotationsAsked,
      operationId: string | undefined,
    ) => Promise<AnnotationsAnswer>;
    readonly annotationLog: (by: Reader, part: LogPart) => Promise<AnnotationLogAnswer>;
  };
  readonly now: () => number;
}

type AnnotationHandlers = Pick<
  Handlers,
  'liveAnnotations' | 'liveAnnotation' | 'annotateLive' | 'annotateManyLive' | 'removeLiveAnnotation' | 'annotationLog'
>;

const entryPlace = z.int().min(1);

/** The operation_id as the ledger has it: it is looked up in whatever case. @throws ServiceError NOT_FOUND */
function requireOperation({ statement }: Store, orgId: string, operationId: string): string {
  const sql = 'SELECT operation_id FROM operations WHERE org_id = ? AND operation_id = ?';
  const found = statement(sql).get(orgId, operationId) as { readonly operation_id: string } | undefined;
  if (found === undefined) throw new ServiceError('NOT_FOUND', `there is no operation ${operationId}`);
  return found.operation_id;
}

/** @throws ServiceError NOT_FOUND */
function requireAnnotation({ sqlite }: Store, orgId: string, operationId: string): Annotation {
  const found = findAnnotation(sqlite, operationId, orgId);
  if (found === null) throw new ServiceError('NOT_FOUND', 'the record has no tags, no note and no bookmark');
  return found;
}

/**
 * What an organization's people write about the records of its ledger: kept as in a case, with its own log of hashes. It is in no
 * export, and no administrative event tells of it.
 */
export function annotationRoutes({ store, writer, content, now }: AnnotationDeps): AnnotationHandlers {
  const writingOf = ({ db, sqlite }: WritableStore, { userId, orgId }: Member): Writing => {
    const row = db.select({ email: users.email }).from(users).where(eq(users.userId, userId)).get();
    const writer = { orgId, by: row?.email ?? null, at: now() };
    return { ...writer, append: (action, details) => appendEntry(sqlite, writer, action, details) };
  };
  return {
    liveAnnotations: async ({ query, ...call }) => {
      const { cursor, limit = LIMITS.page.default, operation_id: operationId, bookmarked } = query;
      const after = readCursor(cursor, z.string()) ?? '';
      const asked = { after, limit, bookmarked: bookmarked === 'true' };
      return { body: await content.annotations(readerOf(call), asked, operationId) };
    },
    liveAnnotation: ({ param, caller: { orgId } }) => ({
      body: requireAnnotation(store, orgId, requireOperation(store, orgId, param('operation_id'))),
    }),
    annotateLive: async ({ param, body, caller }) => {
      const operationId = requireOperation(store, caller.orgId, param('operation_id'));
      return {
        body: await writer.transact((to) => annotate(to.sqlite, operationId, body, writingOf(to, caller))),
      };
    },
    annotateManyLive: async ({ body, caller }) => {
      const operationIds = body.operation_ids.map((id) => requireOperation(store, caller.orgId, id));
      const given = { ...body, operation_ids: operationIds };
      const changed = await writer.transact((to) => annotateMany(to.sqlite, given, writingOf(to, caller)));
      return { body: { changed } };
    },
    removeLiveAnnotation: async ({ param, caller }) => {
      const operationId = requireOperation(store, caller.orgId, param('operation_id'));
      const removed = await writer.transact((to) => removeAnnotation(to.sqlite, operationId, writingOf(to, caller)));
      if (!removed) requireAnnotation(store, caller.orgId, operationId);
      return { body: { success: true } };
    },
    annotationLog: async ({ query, ...call }) => {
      const { cursor, limit = LIMITS.page.default, operation_id: operationId } = query;
      const part = { before: readCursor(cursor, entryPlace), limit, operationId };
      return { body: await content.annotationLog(readerOf(call), part) };
    },
  };
}
