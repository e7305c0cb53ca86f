import { z } from 'zod';
import {
  type AnnotateBody,
  type AnnotateManyBody,
  type Annotation,
  type AnnotationsAnswer,
  type AnswerOf,
  type ChainAnswer,
  type ChainPart,
  LIMITS,
  type RulesAnswer,
  type SavedSearch,
} from '../../api/index.ts';
import type { JsonObject } from '../../protocol/index.ts';
import { listPage, readCursor } from '../http/cursor.ts';
import type { ContentAnswer, FileAnswer, Member } from '../http/handler.ts';
import { filteredEvents } from '../ledger/admin-log/filtered-events.ts';
import { findEpoch, listEpochs } from '../ledger/epochs/epoch-queries.ts';
import type { KeyHolder } from '../ledger/keys/key-holder.ts';
import type { OperationIndex } from '../ledger/operation-index/operation-index.ts';
import { describeOperation } from '../ledger/operations/operation-queries.ts';
import { readChain } from '../people/agents/chain.ts';
import { findAgentRow, getAgent, getHead, listAgents } from '../people/agents/registry.ts';
import type { AnnotationsAsked } from '../search/annotations/annotations.ts';
import {
  annotateLive,
  annotateManyLive,
  liveAnnotation,
  removeLiveAnnotation,
} from '../search/annotations/live-annotations.ts';
import type { AskedReport, LedgerView, QuestionCall } from '../search/ledger-view.ts';
import type { LedgerQueryAnswer, LedgerQueryArguments, LedgerQueryName } from '../search/queries/ledger-queries.ts';
import type { LedgerReads } from '../search/queries/ledger-reads.ts';
import { changeRules, rulesOf } from '../search/reading/stored-rules.ts';
import { countLive, searchLive } from '../search/search/live-search.ts';
import { deleteSearch, listSearches, saveSearch } from '../search/search/saved-searches.ts';
import { ServiceError } from '../store/base/service-error.ts';
import type { WriteAccess } from '../store/write-access.ts';
import { summarize } from './ledger-summary.ts';
import { proveOperation } from './proofs/operation-proof.ts';
import { proofFile } from './proofs/proof-file.ts';

export interface LiveLedgerDeps extends WriteAccess {
  readonly index: OperationIndex;
  readonly key: KeyHolder;
  readonly content: LedgerReads;
  /** Told that the records of an organization are to be read by other rules. */
  readonly contentIndex: { committed(orgIds: readonly string[]): void };
  /** Makes a report of chosen records. */
  readonly report: (by: Member, asked: AskedReport) => Promise<FileAnswer>;
}

const place = z.int().min(1);

/** The live ledger of an organization, as a member asks it. */
export class LiveLedger implements LedgerView<'live'> {
  readonly #deps: LiveLedgerDeps;
  readonly #caller: Member;
  readonly #reader: { readonly orgId: string; readonly signal: AbortSignal };

  constructor(deps: LiveLedgerDeps, caller: Member, signal: AbortSignal) {
    this.#deps = deps;
    this.#caller = caller;
    this.#reader = { orgId: caller.orgId, signal };
  }

  ask<N extends LedgerQueryName>(query: N, ...args: LedgerQueryArguments<N>): Promise<LedgerQueryAnswer<N>> {
    return this.#deps.content.ask(this.#reader, query, ...args);
  }

  search({ tag: _, ...asked }: QuestionCall<'auditQuery'>['body']): ReturnType<typeof searchLive> {
    return searchLive(this.#deps, this.#reader, asked);
  }

  histogram({ tag: _, ...asked }: QuestionCall<'auditHistogram'>['query']): ReturnType<typeof countLive> {
    return countLive(this.#deps, this.#reader, asked);
  }

  summary(): AnswerOf<'ledgerSummary'> {
    return summarize(this.#deps.store, this.#caller.orgId);
  }

  agents(): ReturnType<typeof listAgents> {
    return listAgents(this.#deps.store, this.#caller.orgId);
  }

  agent(agentId: string): AnswerOf<'getAgent'> {
    return getAgent(this.#deps.store, this.#caller.orgId, agentId);
  }

  agentHead(agentId: string): AnswerOf<'agentHead'> {
    return getHead(this.#deps.store, this.#caller.orgId, agentId);
  }

  chain(agentId: string, part: ChainPart): ChainAnswer {
    const { orgId } = this.#caller;
    return readChain(this.#deps, orgId, findAgentRow(this.#deps.store, orgId, agentId).agentId, part);
  }

  operation(operationId: string): AnswerOf<'getOperation'> {
    return describeOperation(this.#deps, this.#caller.orgId, operationId);
  }

  proof(operationId: string): ContentAnswer {
    return proofFile(proveOperation(this.#deps, this.#caller.orgId, operationId));
  }

  epochs({ cursor, before, limit = LIMITS.page.default }: QuestionCall<'listEpochs'>['query']): AnswerOf<'listEpochs'> {
    const begin = readCursor(cursor, place) ?? before ?? null;
    const found = listEpochs(this.#deps.store, this.#caller.orgId, begin, limit + 1);
    const rows = found.map(({ org_id: _, signature_by_service: __, ...row }) => row);
    return listPage(rows, limit, ({ epoch_no }) => epoch_no);
  }

  epoch(epochId: string): AnswerOf<'getEpoch'> {
    const epoch = findEpoch(this.#deps.store, this.#caller.orgId, epochId);
    if (epoch === null) throw new ServiceError('NOT_FOUND', 'there is no such epoch');
    return epoch;
  }

  adminEvents(asked: QuestionCall<'listAdminEvents'>['query']): AnswerOf<'listAdminEvents'> {
    const { limit = LIMITS.adminEvents.default, cursor, ...filter } = asked;
    const before = cursor === '' ? null : readCursor(cursor, place);
    const found = filteredEvents(this.#deps.store, this.#caller.orgId, filter, before, limit + 1);
    const { data, nextCursor, hasMore } = listPage(found, limit, ({ eventNo }) => eventNo);
    const events = data.map(({ event }) => event);
    return cursor === undefined ? { events } : { events, nextCursor, hasMore };
  }

  rules(): RulesAnswer {
    return rulesOf(this.#deps.store, this.#caller.orgId);
  }

  async setRules(rules: JsonObject | null): Promise<RulesAnswer> {
    const { orgId, userId } = this.#caller;
    const changed = await changeRules(this.#deps, orgId, userId, rules);
    this.#deps.contentIndex.committed([orgId]);
    return changed;
  }

  searches(): SavedSearch[] {
    return listSearches(this.#deps.store, this.#caller.orgId);
  }

  saveSearch(given: QuestionCall<'saveSearch'>['body']): Promise<SavedSearch> {
    return saveSearch(this.#deps, this.#caller.orgId, this.#caller.userId, given);
  }

  deleteSearch(searchId: string): Promise<void> {
    return deleteSearch(this.#deps, this.#caller.orgId, this.#caller.userId, searchId);
  }

  annotations(asked: AnnotationsAsked, operationId: string | undefined): Promise<AnnotationsAnswer> {
    return this.#deps.content.annotations(this.#reader, asked, operationId);
  }

  annotation(operationId: string): Annotation {
    return liveAnnotation(this.#deps.store, this.#caller.orgId, operationId);
  }

  annotate(operationId: string, given: AnnotateBody): Promise<Annotation> {
    return annotateLive(this.#deps, this.#caller, operationId, given);
  }

  async annotateMany(given: AnnotateManyBody): Promise<{ readonly changed: number }> {
    return { changed: await annotateManyLive(this.#deps, this.#caller, given) };
  }

  removeAnnotation(operationId: string): Promise<void> {
    return removeLiveAnnotation(this.#deps, this.#caller, operationId);
  }

  report(asked: AskedReport): Promise<FileAnswer> {
    return this.#deps.report(this.#caller, asked);
  }
}
