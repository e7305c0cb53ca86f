import { z } from 'zod';
import { type LedgerSummary, LIMITS, type Unit } from '../../api/index.ts';
import { formatTime, type JsonObject } from '../../protocol/index.ts';
import { listPage, readCursor } from '../http/cursor.ts';
import type { Call, FileAnswer } from '../http/handler.ts';
import { recordAdminEvent } from '../ledger/admin-log/admin-events.ts';
import { correctedTimesOf } from '../ledger/admin-log/clock-corrections.ts';
import { findEpoch, listEpochs } from '../ledger/epochs/epoch-queries.ts';
import type { KeyHolder } from '../ledger/keys/key-holder.ts';
import type { OperationIndex } from '../ledger/operation-index/operation-index.ts';
import { describeOperation } from '../ledger/operations/operation-queries.ts';
import { liveChain } from '../people/agents/chain.ts';
import { findAgentRow, getAgent, getHead, listAgents } from '../people/agents/registry.ts';
import { resemblesHome } from '../people/organizations/home.ts';
import {
  annotateLive,
  annotateManyLive,
  liveAnnotation,
  markLookedLive,
  removeLiveAnnotation,
} from '../search/annotations/live-annotations.ts';
import { deleteSearch, listSearches, type SearchWriting, saveSearch } from '../search/annotations/saved-searches.ts';
import type { AskedReport, LedgerView } from '../search/ledger-view.ts';
import { readChain } from '../search/queries/chain.ts';
import type { LedgerReads } from '../search/queries/ledger-reads.ts';
import { changeRules, describeRules } from '../search/reading/stored-rules.ts';
import { type DiskRefusal, throwRefusal } from '../store/base/disk-room.ts';
import { ServiceError } from '../store/base/service-error.ts';
import { sql } from '../store/drizzle.ts';
import type { Store, WritableStore } from '../store/open.ts';
import type { WriteAccess } from '../store/write-access.ts';
import { proveOperation } from './proofs/operation-proof.ts';
import { proofFile } from './proofs/proof-file.ts';
import type { RecordFiles } from './record-files/record-files.ts';

/** An organization's ledger in figures: a few look-ups at the ends of indexes, however large it is. */
function summarize(store: Store, orgId: string): LedgerSummary {
  const { db } = store;
  const { name } = db.get<{ name: string }>(sql`SELECT name FROM organizations WHERE org_id = ${orgId}`);
  const { records } = db.get<{ records: number }>(
    sql`SELECT coalesce(max(seq_no), 0) AS records FROM operations WHERE org_id = ${orgId}`,
  );
  const { epochs, sealed } = db.get<{ epochs: number; sealed: number }>(
    sql`SELECT coalesce(max(epoch_no), 0) AS epochs, coalesce(max(last_seq_no), 0) AS sealed
        FROM epochs WHERE org_id = ${orgId}`,
  );
  const oldest = db.get<{ receivedAt: number } | undefined>(
    sql`SELECT received_at AS receivedAt FROM operations WHERE org_id = ${orgId} AND seq_no = ${sealed + 1}`,
  );
  const agents = db.get<LedgerSummary['agents']>(
    sql`SELECT count(*) FILTER (WHERE deleted_at IS NULL AND status = 'active') AS active,
               count(*) FILTER (WHERE deleted_at IS NULL AND status = 'frozen') AS frozen,
               count(*) FILTER (WHERE deleted_at IS NOT NULL) AS deleted
        FROM agents WHERE org_id = ${orgId}`,
  );
  return {
    org: { org_id: orgId, name },
    records,
    unsealed: {
      count: Math.max(0, records - sealed),
      oldest_received_at: oldest === undefined ? null : formatTime(oldest.receivedAt),
    },
    epochs,
    agents,
    resembles_home: resemblesHome(store, orgId, name),
    corrected_times: correctedTimesOf(store, orgId),
  };
}

/** A member's request about the ledger, and until when somebody waits for the answer. */
type LedgerCall = Pick<Call<'getOperation'>, 'caller' | 'signal' | 'waits'>;

export interface LiveLedgerDeps extends WriteAccess {
  readonly index: OperationIndex;
  readonly key: KeyHolder;
  readonly content: LedgerReads;
  /** Told that the records of an organization are to be read by other rules. */
  readonly contentIndex: { committed(orgIds: readonly string[]): void };
  /** Makes a report of chosen records. */
  readonly report: (by: LedgerCall, asked: AskedReport) => Promise<FileAnswer>;
  readonly recordFiles: RecordFiles;
  readonly refuseDisk: DiskRefusal;
}

const place = z.int().min(1);

/** Whether the rows themselves can be asked: without what is in payloads, which a query needs and what records are one action. */
function isOfRows({ query, unit }: { readonly query?: string | undefined; readonly unit?: Unit | undefined }): boolean {
  return query === undefined && unit !== 'actions';
}

/** The live ledger of an organization, as a member asks it. */
export function liveLedger(deps: LiveLedgerDeps, call: LedgerCall): LedgerView<'live'> {
  const { caller } = call;
  const signal = call.signal();
  const { store, content, contentIndex } = deps;
  const { orgId, userId: actor } = caller;
  const reader = { orgId, signal };
  const saving = (to: WritableStore): SearchWriting => {
    const at = deps.now();
    const append: SearchWriting['append'] = (action, targetId, { name }) =>
      recordAdminEvent(to, { orgId, actor, action, targetType: 'saved_search', targetId, details: { name } }, at);
    return { by: actor, at, orgId, append };
  };
  return {
    ask: (query, ...args) => content.ask(reader, query, ...args),
    // What the rows themselves can be asked waits for no index of what is in them.
    search: ({ tag: _, cursor, limit, order = 'newest', details = false, ...filter }) => {
      const page = { order, details, place: readCursor(cursor, place), limit, now: deps.now() };
      return isOfRows(filter)
        ? content.askNow(reader, 'search', filter, page)
        : content.ask(reader, 'search', filter, page);
    },
    histogram: ({ tag: _, ...asked }) =>
      isOfRows(asked)
        ? content.askNow(reader, 'histogram', asked, deps.now())
        : content.ask(reader, 'histogram', asked, deps.now()),
    summary: () => summarize(store, orgId),
    agents: () => listAgents(store, orgId),
    agent: (agentId) => getAgent(store, orgId, agentId),
    agentHead: (agentId) => getHead(store, orgId, agentId),
    chain: async (agentId, part) =>
      readChain(liveChain(deps, reader, findAgentRow(store, orgId, agentId).agentId), part),
    operation: (operationId) => describeOperation(deps, orgId, operationId),
    proof: async (operationId) => proofFile(await proveOperation(deps, deps.key, orgId, operationId)),
    epochs: ({ cursor, before, limit = LIMITS.page.default }) => {
      const found = listEpochs(store, orgId, readCursor(cursor, place) ?? before ?? null, limit + 1);
      const rows = found.map(({ org_id: _, signature_by_service: __, ...row }) => row);
      return listPage(rows, limit, ({ epoch_no }) => epoch_no);
    },
    epoch: (epochId) => {
      const epoch = findEpoch(store, orgId, epochId);
      if (epoch === null) throw new ServiceError('NOT_FOUND', 'there is no such epoch');
      return epoch;
    },
    adminEvents: ({ limit = LIMITS.adminEvents.default, cursor, ...filter }) => {
      const before = cursor === undefined ? undefined : cursor === '' ? null : readCursor(cursor, place);
      return content.rows(reader, 'adminEvents', { filter, limit, before });
    },
    rules: () => describeRules(store.sqlite, orgId),
    setRules: async (given) => {
      const changed = await deps.writer.transact((to) => {
        const at = deps.now();
        const target = { targetType: 'investigation_rules', targetId: orgId };
        const append = (rules: JsonObject | null): void =>
          recordAdminEvent(to, { orgId, actor, action: 'investigation.rules', ...target, details: { rules } }, at);
        return changeRules(to.sqlite, given, { by: actor, at, orgId, append });
      });
      contentIndex.committed([orgId]);
      return changed;
    },
    searches: () => listSearches(store.sqlite, orgId),
    saveSearch: (given) => deps.writer.transact((to) => saveSearch(to.sqlite, given, saving(to))),
    deleteSearch: (searchId) => deps.writer.transact((to) => deleteSearch(to.sqlite, searchId, saving(to))),
    annotations: (asked, operationId) => content.rows(reader, 'annotations', asked, operationId),
    annotation: (operationId) => liveAnnotation(store, orgId, operationId),
    annotate: (operationId, given) => annotateLive(deps, caller, operationId, given),
    annotateMany: async (given) => ({ changed: await annotateManyLive(deps, caller, given) }),
    removeAnnotation: (operationId) => removeLiveAnnotation(deps, caller, operationId),
    markLooked: async (items, seen) => ({ changed: await markLookedLive(deps, caller, items, seen) }),
    report: (asked) => deps.report(call, asked),
    recordFile: async (asked) => {
      const { org } = summarize(store, orgId);
      const { file, records } = await deps.recordFiles.make(
        {
          owner: orgId,
          caseId: null,
          of: { name: org.name, digest: null },
          asked,
          page: (which, place) => content.ask(reader, 'handedRecords', which, place, { now: deps.now() }),
          needDisk: () => throwRefusal(deps.refuseDisk(orgId, 0)),
        },
        signal,
      );
      const target = { targetType: 'organization', targetId: orgId, details: { format: asked.format, records } };
      await deps.writer.transact((to) =>
        recordAdminEvent(to, { orgId, actor, action: 'report.create', ...target }, deps.now()),
      );
      return file;
    },
  };
}
