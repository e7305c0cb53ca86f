import { z } from 'zod';
import {
  type AnnotateBody,
  type AnnotateManyBody,
  type Annotation,
  type AnnotationAct,
  type AnnotationLogAnswer,
  LIMITS,
} from '../../../api/index.ts';
import type { JsonObject } from '../../../protocol/index.ts';
import { readCursor } from '../../http/cursor.ts';
import { type Handlers, type Member, readerOf } from '../../http/handler.ts';
import type { LogPart } from '../../ledger/hash-log.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { users } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import type { Reader } from '../content-index/queries/content-queries.ts';
import { appendEntry } from './annotation-log.ts';
import { annotate, annotateMany, removeAnnotation, requireAnnotation, type Writing } from './annotations.ts';
import { type Looked, type LookWriting, markLooked } from './looks.ts';

/*
 * What an organization's people write about the records of its ledger: kept as in a case, with its own log of hashes. It is in no
 * export, and no administrative event tells of it.
 */

/** The operation_id as the ledger has it: it is looked up in whatever case. @throws ServiceError NOT_FOUND */
function requireOperation({ statement }: Store, orgId: string, operationId: string): string {
  const sql = 'SELECT operation_id FROM operations WHERE org_id = ? AND operation_id = ?';
  const found = statement(sql).get(orgId, operationId) as { readonly operation_id: string } | undefined;
  if (found === undefined) throw new ServiceError('NOT_FOUND', `there is no operation ${operationId}`);
  return found.operation_id;
}

function writingOf({ db, sqlite }: WritableStore, { userId, orgId }: Member, at: number): Writing & LookWriting {
  const row = db.select({ email: users.email }).from(users).where(eq(users.userId, userId)).get();
  const writer = { orgId, by: row?.email ?? null, at };
  const append = (...[action, details]: [AnnotationAct, JsonObject & { readonly operation_id: string }]): void =>
    appendEntry(sqlite, writer, action, details);
  return { ...writer, append };
}

/** @throws ServiceError NOT_FOUND */
export function liveAnnotation(store: Store, orgId: string, operationId: string): Annotation {
  return requireAnnotation(store.sqlite, requireOperation(store, orgId, operationId), orgId);
}

/** @throws ServiceError NOT_FOUND, QUOTA_EXCEEDED */
export async function annotateLive(
  { store, writer, now }: WriteAccess,
  caller: Member,
  operationId: string,
  given: AnnotateBody,
): Promise<Annotation> {
  const id = requireOperation(store, caller.orgId, operationId);
  return writer.transact((to) => annotate(to.sqlite, id, given, writingOf(to, caller, now())));
}

/** @returns how many records were changed @throws ServiceError NOT_FOUND, QUOTA_EXCEEDED */
export async function annotateManyLive(
  { store, writer, now }: WriteAccess,
  caller: Member,
  given: AnnotateManyBody,
): Promise<number> {
  const ids = given.operation_ids.map((id) => requireOperation(store, caller.orgId, id));
  return writer.transact((to) =>
    annotateMany(to.sqlite, { ...given, operation_ids: ids }, writingOf(to, caller, now())),
  );
}

/** @throws ServiceError NOT_FOUND, also where nothing was written about the record */
export async function removeLiveAnnotation(
  { store, writer, now }: WriteAccess,
  caller: Member,
  operationId: string,
): Promise<void> {
  const id = requireOperation(store, caller.orgId, operationId);
  await writer.transact((to) => removeAnnotation(to.sqlite, id, writingOf(to, caller, now())));
}

/** @returns how many were changed @throws ServiceError QUOTA_EXCEEDED */
export async function markLookedLive(
  { writer, now }: WriteAccess,
  caller: Member,
  items: readonly Looked[],
  seen: boolean,
): Promise<number> {
  return writer.transact((to) => markLooked(to.sqlite, items, seen, writingOf(to, caller, now())));
}

interface AnnotationLogDeps {
  /** Answers off the thread of the service: notes and tags are long and many. */
  readonly content: {
    readonly rows: (by: Reader, query: 'annotationLog', part: LogPart) => Promise<AnnotationLogAnswer>;
  };
}

const entryPlace = z.int().min(1);

/** The log of what was written; a case has its custody log. */
export function annotationLogRoutes({ content }: AnnotationLogDeps) {
  return {
    annotationLog: async ({ query, ...call }) => {
      const { cursor, limit = LIMITS.page.default, operation_id: operationId } = query;
      const part = { before: readCursor(cursor, entryPlace), limit, operationId };
      return { body: await content.rows(readerOf(call), 'annotationLog', part) };
    },
  } satisfies Partial<Handlers>;
}
