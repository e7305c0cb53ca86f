import { z } from 'zod';
import { type CustodyAction, LIMITS } from '../../api/index.ts';
import type { JsonObject } from '../../protocol/index.ts';
import { proofFile } from '../evidence/proofs/proof-file.ts';
import type { RecordFiles } from '../evidence/record-files/record-files.ts';
import { readCursor } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import type { LedgerView } from '../search/ledger-view.ts';
import { ownerOf } from './case-file.ts';
import { type CaseReports, chosenFile, reportDetails } from './case-reports.ts';
import type { Cases } from './cases.ts';
import type { Examiner } from './custody/custody-log.ts';
import type { Examiners } from './custody/examiner.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './reads/case-queries.ts';
import { keyOf, mayChange, ownerFor, type Waiting } from './scope.ts';

const pair = z.tuple([z.int(), z.int()]);

type AskedOfCase = Waiting & { readonly param: (name: string) => string; readonly signal: () => AbortSignal };

/** Asks a case that the caller sees and that is ready. @throws ServiceError NOT_FOUND, CONFLICT */
export async function askCase<N extends QueryName>(
  cases: Cases,
  call: AskedOfCase,
  query: N,
  ...args: QueryArguments<N>
): Promise<QueryAnswer<N>> {
  const { case_id, archive } = cases.store.findReady(call, call.param('case_id'));
  const ask = <Q extends QueryName>(which: Q, ...given: QueryArguments<Q>): Promise<QueryAnswer<Q>> =>
    cases.reads.askFor(call.signal(), cases.store.folderOf(case_id), which, ...given);
  const engine = archive === null ? null : cases.engine;
  return (await engine?.answer(case_id, ask, call.signal(), query, args)) ?? ask(query, ...args);
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
  readonly recordFiles: RecordFiles;
  readonly now: () => number;
}

/** The ledger that the file of a case holds, as whoever sees the case asks it. Every answer is found on the thread that reads cases. */
export function caseLedger(deps: CaseLedgerDeps, call: AskedOfCase): LedgerView<'case'> {
  const { cases, reports, recordFiles, examinerOf, now } = deps;
  const ask = <N extends QueryName>(query: N, ...args: QueryArguments<N>): Promise<QueryAnswer<N>> =>
    askCase(cases, call, query, ...args);
  /** Asks what changes something of the case. @throws ServiceError NOT_FOUND, FORBIDDEN */
  const examiner = (): Examiner => examinerOf(call.caller, cases.store.findToChange(call, call.param('case_id')));
  return {
    // The queries of a case hold these under the same names; the compiler cannot see it of a name that it does not know.
    ask: (query, ...args) => ask(query, ...(args as unknown as QueryArguments<typeof query>)) as Promise<never>,
    search: ({ cursor, limit, order = 'newest', details = false, ...filter }) =>
      ask('search', filter, { order, details, place: readCursor(cursor, pair), limit, now: now() }),
    histogram: (asked) => ask('histogram', asked, now()),
    summary: () => ask('summary'),
    agents: () => ask('agents'),
    agent: (agentId, of) => ask('agent', agentId, of),
    agentHead: (agentId) => ask('head', agentId),
    chain: (agentId, part) => ask('chain', agentId, part),
    operation: (operationId, seqNo) => ask('operation', operationId, seqNo),
    proof: async (operationId, seqNo) => proofFile(await ask('proof', operationId, seqNo)),
    epochs: ({ cursor, before, of, limit = LIMITS.page.default }) => {
      const begin = before === undefined ? null : ([before, 0] as const);
      return ask('epochs', readCursor(cursor, pair) ?? begin, limit, of);
    },
    epoch: (epochId) => ask('epoch', epochId),
    adminEvents: async ({ limit = LIMITS.adminEvents.default }) => ({ events: await ask('adminEvents', limit) }),
    rules: () => ask('rules'),
    setRules: async (rules) => ask('setRules', rules, examiner()),
    searches: () => ask('searches'),
    saveSearch: async (given) => ask('saveSearch', given, examiner()),
    deleteSearch: async (searchId) => ask('deleteSearch', searchId, examiner()),
    annotations: (asked, operationId) => ask('annotations', asked, operationId),
    annotation: (operationId) => ask('annotation', operationId),
    annotate: async (operationId, given) => ask('annotate', operationId, given, examiner()),
    annotateMany: async (given) => ask('annotateMany', given, examiner()),
    removeAnnotation: async (operationId) => ask('removeAnnotation', operationId, examiner()),
    markLooked: async (items, seen) => ask('markLooked', items, seen, examiner()),
    report: async (asked) => {
      const file = await reports.ofRecords(call, call.param('case_id'), asked);
      const { format, title, entries } = asked;
      const details = { ...reportDetails(asked), title, records: entries.length };
      // What was only drafted, to be signed, nobody has yet.
      if (format !== 'json') await noteCustody(deps, call, 'report.make', details);
      return chosenFile(asked, file);
    },
    recordFile: async (asked) => {
      const { case_id: caseId, name, sha256 } = cases.store.findReady(call, call.param('case_id'));
      const owner = ownerFor(call);
      const { file, records } = await recordFiles.make(
        {
          owner: keyOf(owner),
          caseId,
          of: { name, digest: sha256 },
          asked,
          page: (which, place) => ask('handedRecords', which, place, { now: now() }),
          needDisk: () => cases.needDisk(owner, 0),
        },
        call.signal(),
      );
      await noteCustody(deps, call, 'report.make', { format: asked.format, records });
      return file;
    },
  };
}

/** What only the file of a case can be asked: what its verification found, its own text, and the keys that it claims. */
export function caseFileRoutes(cases: Cases) {
  return {
    caseFindings: async (call) => {
      const { cursor, limit = LIMITS.page.default, seq_no: seqNo, operation_id: operationId } = call.query;
      const after = readCursor(cursor, z.int().min(1)) ?? 0;
      return { body: await askCase(cases, call, 'findings', { seqNo, operationId }, after, limit) };
    },
    caseRecordText: async (call) => ({
      body: await askCase(cases, call, 'text', call.param('operation_id'), call.query.seq_no),
    }),
    archivedLedgers: async (call) => ({ body: { ledgers: await askCase(cases, call, 'archivedLedgers') } }),
    caseJwks: async (call) => ({ body: await askCase(cases, call, 'jwks') }),
  } satisfies Partial<Handlers>;
}
