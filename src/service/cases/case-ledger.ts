import { z } from 'zod';
import {
  type AnnotateBody,
  type AnnotateManyBody,
  type Annotation,
  type AnnotationsAnswer,
  type AnswerOf,
  type ChainAnswer,
  type ChainPart,
  type CustodyAction,
  LIMITS,
  type RulesAnswer,
  type SavedSearch,
} from '../../api/index.ts';
import type { JsonObject } from '../../protocol/index.ts';
import { proofFile } from '../evidence/proofs/proof-file.ts';
import { readCursor } from '../http/cursor.ts';
import type { ContentAnswer, FileAnswer, Handlers } from '../http/handler.ts';
import type { AnnotationsAsked } from '../search/annotations/annotations.ts';
import type { AskedReport, LedgerView, QuestionCall } from '../search/ledger-view.ts';
import type { RecordQuery, RecordQueryAnswer, RecordQueryArguments } from '../search/queries/record-queries.ts';
import { ownerOf } from './case-file.ts';
import { type CaseReports, chosenFile, reportDetails } from './case-reports.ts';
import type { Cases } from './cases.ts';
import type { Examiner } from './custody/custody-log.ts';
import type { Examiners } from './custody/examiner.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './reads/case-queries.ts';
import { type Asker, mayChange } from './scope.ts';

const pair = z.tuple([z.int(), z.int()]);

type AskedOfCase = Asker & { readonly param: (name: string) => string; readonly signal: () => AbortSignal };

/** Asks a case that the caller sees and that is ready. @throws ServiceError NOT_FOUND, CONFLICT */
export async function askCase<N extends QueryName>(
  cases: Cases,
  call: AskedOfCase,
  query: N,
  ...args: QueryArguments<N>
): Promise<QueryAnswer<N>> {
  const { case_id } = cases.store.findReady(call, call.param('case_id'));
  return cases.reads.askFor(call.signal(), cases.store.folderOf(case_id), query, ...args);
}

interface Custodian {
  readonly cases: Cases;
  readonly examinerOf: Examiners;
}

/** Writes down what was done with a case, where whoever did it may change it. */
export async function noteCustody(
  { cases, examinerOf }: Custodian,
  call: AskedOfCase,
  action: CustodyAction,
  details: JsonObject,
): Promise<void> {
  const about = cases.store.find(call, call.param('case_id'));
  if (about.state !== 'ready' || !mayChange(call, ownerOf(about))) return;
  await askCase(cases, call, 'writeCustody', examinerOf(call.caller, about), action, details);
}

export interface CaseLedgerDeps extends Custodian {
  readonly reports: CaseReports;
  readonly now: () => number;
}

/** The ledger that the file of a case holds, as whoever sees the case asks it. Every answer is found on the thread that reads cases. */
export class CaseLedger implements LedgerView<'case'> {
  readonly #deps: CaseLedgerDeps;
  readonly #call: AskedOfCase;

  constructor(deps: CaseLedgerDeps, call: AskedOfCase) {
    this.#deps = deps;
    this.#call = call;
  }

  #ask<N extends QueryName>(query: N, ...args: QueryArguments<N>): Promise<QueryAnswer<N>> {
    return askCase(this.#deps.cases, this.#call, query, ...args);
  }

  ask<N extends RecordQuery>(query: N, ...args: RecordQueryArguments<N>): Promise<RecordQueryAnswer<N>> {
    // The queries of a case hold these under the same names; the compiler cannot see it of a name that it does not know.
    return this.#ask(query, ...(args as unknown as QueryArguments<N>)) as Promise<RecordQueryAnswer<N>>;
  }

  /** Who changes something of the case. @throws ServiceError NOT_FOUND, FORBIDDEN */
  #examiner(): Examiner {
    const { cases, examinerOf } = this.#deps;
    return examinerOf(this.#call.caller, cases.store.findToChange(this.#call, this.#call.param('case_id')));
  }

  search(asked: QuestionCall<'auditQuery'>['body']): Promise<AnswerOf<'caseAuditQuery'>> {
    const { cursor, limit, beforeSeq, order = 'newest', details = false, query, zone, ...filter } = asked;
    const place = readCursor(cursor, pair);
    if (query !== undefined || order === 'oldest' || details) {
      const given = { ...filter, beforeSeq, query, zone };
      return this.#ask('searchContents', given, { order, details, place, limit, now: this.#deps.now() });
    }
    const begin = beforeSeq === undefined ? null : ([beforeSeq, 0] as const);
    return this.#ask('search', filter, place ?? begin, limit);
  }

  histogram(asked: QuestionCall<'auditHistogram'>['query']): Promise<AnswerOf<'caseHistogram'>> {
    return asked.query === undefined
      ? this.#ask('histogram', asked)
      : this.#ask('contentsHistogram', asked, this.#deps.now());
  }

  summary(): Promise<AnswerOf<'caseSummary'>> {
    return this.#ask('summary');
  }

  agents(): Promise<QueryAnswer<'agents'>> {
    return this.#ask('agents');
  }

  agent(agentId: string): Promise<AnswerOf<'getAgent'>> {
    return this.#ask('agent', agentId);
  }

  agentHead(agentId: string): Promise<AnswerOf<'agentHead'>> {
    return this.#ask('head', agentId);
  }

  chain(agentId: string, part: ChainPart): Promise<ChainAnswer> {
    return this.#ask('chain', agentId, part);
  }

  operation(operationId: string, seqNo: number | undefined): Promise<AnswerOf<'getOperation'>> {
    return this.#ask('operation', operationId, seqNo);
  }

  async proof(operationId: string, seqNo: number | undefined): Promise<ContentAnswer> {
    return proofFile(await this.#ask('proof', operationId, seqNo));
  }

  async epochs(asked: QuestionCall<'listEpochs'>['query']): Promise<AnswerOf<'listEpochs'>> {
    const { cursor, before, limit = LIMITS.page.default } = asked;
    const begin = before === undefined ? null : ([before, 0] as const);
    return this.#ask('epochs', readCursor(cursor, pair) ?? begin, limit);
  }

  epoch(epochId: string): Promise<AnswerOf<'getEpoch'>> {
    return this.#ask('epoch', epochId);
  }

  async adminEvents(asked: QuestionCall<'listAdminEvents'>['query']): Promise<AnswerOf<'listAdminEvents'>> {
    return { events: await this.#ask('adminEvents', asked.limit ?? LIMITS.adminEvents.default) };
  }

  rules(): Promise<RulesAnswer> {
    return this.#ask('rules');
  }

  async setRules(rules: JsonObject | null): Promise<RulesAnswer> {
    return this.#ask('setRules', rules, this.#examiner());
  }

  searches(): Promise<SavedSearch[]> {
    return this.#ask('searches');
  }

  async saveSearch(given: QuestionCall<'saveSearch'>['body']): Promise<SavedSearch> {
    return this.#ask('saveSearch', given, this.#examiner());
  }

  async deleteSearch(searchId: string): Promise<void> {
    return this.#ask('deleteSearch', searchId, this.#examiner());
  }

  annotations(asked: AnnotationsAsked, operationId: string | undefined): Promise<AnnotationsAnswer> {
    return this.#ask('annotations', asked, operationId);
  }

  annotation(operationId: string): Promise<Annotation> {
    return this.#ask('annotation', operationId);
  }

  async annotate(operationId: string, given: AnnotateBody): Promise<Annotation> {
    return this.#ask('annotate', operationId, given, this.#examiner());
  }

  async annotateMany(given: AnnotateManyBody): Promise<{ readonly changed: number }> {
    return this.#ask('annotateMany', given, this.#examiner());
  }

  async removeAnnotation(operationId: string): Promise<void> {
    return this.#ask('removeAnnotation', operationId, this.#examiner());
  }

  async report(asked: AskedReport): Promise<FileAnswer> {
    const { reports } = this.#deps;
    const file = await reports.ofRecords(this.#call, this.#call.param('case_id'), asked);
    const { format, title, entries } = asked;
    const details = { ...reportDetails(asked), title, records: entries.length };
    // What was only drafted, to be signed, nobody has yet.
    if (format !== 'json') await noteCustody(this.#deps, this.#call, 'report.make', details);
    return chosenFile(asked, file);
  }
}

/** What only the file of a case can be asked: what its verification found, its own text, and the keys that it claims. */
export function caseFileRoutes(cases: Cases): Pick<Handlers, 'caseFindings' | 'caseRecordText' | 'caseJwks'> {
  return {
    caseFindings: async (call) => {
      const { cursor, limit = LIMITS.page.default, seq_no: seqNo, operation_id: operationId } = call.query;
      const after = readCursor(cursor, z.int().min(1)) ?? 0;
      return { body: await askCase(cases, call, 'findings', { seqNo, operationId }, after, limit) };
    },
    caseRecordText: async (call) => ({
      body: await askCase(cases, call, 'text', call.param('operation_id'), call.query.seq_no),
    }),
    caseJwks: async (call) => ({ body: await askCase(cases, call, 'jwks') }),
  };
}
