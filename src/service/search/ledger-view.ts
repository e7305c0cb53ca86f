import type { z } from 'zod';
import type {
  AnnotateBody,
  AnnotateManyBody,
  Annotation,
  AnnotationsAnswer,
  AnswerOf,
  ChainAnswer,
  ChainPart,
  ChosenReportBody,
  DraftReportBody,
  LedgerQuestion,
  LedgerQuestions,
  NameInCase,
  RecordFileBody,
  RulesAnswer,
  SavedSearch,
} from '../../api/index.ts';
import type { JsonObject, ReportSums } from '../../protocol/index.ts';
import type { BodyOf, ContentAnswer, FileAnswer } from '../http/handler.ts';
import type { AnnotationsAsked } from './annotations/annotations.ts';
import type { Looked } from './annotations/looks.ts';
import type { RecordQuery, RecordQueryAnswer, RecordQueryArguments } from './queries/record-queries.ts';

/** Which ledger it is: the live one of an organization, or that of a case. */
export type Scope = 'live' | 'case';

/** The route that asks a question of one of the two. */
export type RouteIn<S extends Scope, N extends LedgerQuestion> = S extends 'case' ? NameInCase<N> : N;

/** What a question asks for; either ledger gets what it knows of, and nothing else. */
export interface QuestionCall<N extends LedgerQuestion> {
  readonly param: (name: string) => string;
  readonly body: BodyOf<LedgerQuestions[N]>;
  readonly query: z.output<LedgerQuestions[N]['query']>;
}

/** A report of chosen records as a file, or its data alone. */
export type AskedReport = { readonly sums: ReportSums | undefined } & (
  | Omit<ChosenReportBody, 'sums'>
  | (Omit<DraftReportBody, 'sums'> & {
      readonly format: 'json';
      readonly details?: undefined;
      readonly signed?: undefined;
    })
);

type Told<T> = T | Promise<T>;
type Tells<S extends Scope, N extends LedgerQuestion> = Told<AnswerOf<RouteIn<S, N>>>;

/**
 * A ledger as one request sees it: what the live ledger and that of a case answer alike, each for its own records. Cursors are
 * of the ledger that gave them. What only one of the two can do has separate routes.
 * @throws ServiceError what the question refuses with; of a case also NOT_FOUND where the caller does not see it, CONFLICT where
 *   it is not ready
 */
export interface LedgerView<S extends Scope = Scope> {
  /** What is in the records. */
  ask<N extends RecordQuery>(query: N, ...args: RecordQueryArguments<N>): Told<RecordQueryAnswer<N>>;
  search(asked: QuestionCall<'auditQuery'>['body']): Tells<S, 'auditQuery'>;
  histogram(asked: QuestionCall<'auditHistogram'>['query']): Tells<S, 'auditHistogram'>;
  summary(): Tells<S, 'ledgerSummary'>;
  agents(): Told<AnswerOf<'listAgents'>['agents']>;
  /** @param of an operation: in an archive the agent is that of its host */
  agent(agentId: string, of: string | undefined): Tells<S, 'getAgent'>;
  agentHead(agentId: string): Tells<S, 'agentHead'>;
  chain(agentId: string, part: ChainPart): Told<ChainAnswer>;
  /** @param seqNo which of several of one operation_id, which only a bad bundle has */
  operation(operationId: string, seqNo: number | undefined): Tells<S, 'getOperation'>;
  proof(operationId: string, seqNo: number | undefined): Told<ContentAnswer>;
  epochs(asked: QuestionCall<'listEpochs'>['query']): Tells<S, 'listEpochs'>;
  epoch(epochId: string): Tells<S, 'getEpoch'>;
  adminEvents(asked: QuestionCall<'listAdminEvents'>['query']): Tells<S, 'listAdminEvents'>;
  rules(): Told<RulesAnswer>;
  setRules(rules: JsonObject | null): Promise<RulesAnswer>;
  searches(): Told<SavedSearch[]>;
  saveSearch(given: QuestionCall<'saveSearch'>['body']): Promise<SavedSearch>;
  deleteSearch(searchId: string): Promise<void>;
  annotations(asked: AnnotationsAsked, operationId: string | undefined): Promise<AnnotationsAnswer>;
  annotation(operationId: string): Told<Annotation>;
  annotate(operationId: string, given: AnnotateBody): Promise<Annotation>;
  annotateMany(given: AnnotateManyBody): Promise<{ readonly changed: number }>;
  removeAnnotation(operationId: string): Promise<void>;
  /** @param seen whether somebody looked at the items, or takes that back */
  markLooked(items: readonly Looked[], seen: boolean): Promise<{ readonly changed: number }>;
  report(asked: AskedReport): Promise<FileAnswer>;
  /** Records as a file for another program. */
  recordFile(asked: RecordFileBody): Promise<FileAnswer>;
}
