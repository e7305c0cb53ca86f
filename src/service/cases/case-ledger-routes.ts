import { z } from 'zod';
import { LIMITS } from '../../api/index.ts';
import { proofFile } from '../evidence/proofs/proof-file.ts';
import { readCursor } from '../http/cursor.ts';
import type { Handlers } from '../http/handler.ts';
import type { Cases } from './cases.ts';
import type { QueryAnswer, QueryArguments, QueryName } from './reads/case-queries.ts';
import type { Asker } from './scope.ts';

const pair = z.tuple([z.int(), z.int()]);

type LedgerHandlers = Pick<
  Handlers,
  | 'caseFindings'
  | 'caseSummary'
  | 'caseAgents'
  | 'caseAgent'
  | 'caseAgentHead'
  | 'caseAgentChain'
  | 'caseAuditQuery'
  | 'caseHistogram'
  | 'caseFacets'
  | 'caseNames'
  | 'caseOperation'
  | 'caseOperationProof'
  | 'caseRecordText'
  | 'caseEpochs'
  | 'caseEpoch'
  | 'caseAdminEvents'
  | 'caseJwks'
>;

type Named = Asker & { readonly param: (name: string) => string; readonly signal: () => AbortSignal };

/** Asks a case that the caller sees and that is ready. @throws ServiceError NOT_FOUND, CONFLICT */
export function askCase<N extends QueryName>(
  cases: Cases,
  call: Named,
  query: N,
  ...args: QueryArguments<N>
): Promise<QueryAnswer<N>> {
  const { case_id } = cases.store.findReady(call, call.param('case_id'));
  return cases.reads.askFor(call.signal(), cases.store.folderOf(case_id), query, ...args);
}

/** The ledger that a case holds, answered as the live one is. */
export function caseLedgerRoutes(cases: Cases, now: () => number): LedgerHandlers {
  return {
    caseFindings: async (call) => {
      const { cursor, limit = LIMITS.page.default, seq_no: seqNo, operation_id: operationId } = call.query;
      const after = readCursor(cursor, z.int().min(1)) ?? 0;
      return { body: await askCase(cases, call, 'findings', { seqNo, operationId }, after, limit) };
    },
    caseSummary: async (call) => ({ body: await askCase(cases, call, 'summary') }),
    caseAgents: async (call) => ({ body: { agents: await askCase(cases, call, 'agents') } }),
    caseAgent: async (call) => ({ body: await askCase(cases, call, 'agent', call.param('agent_id')) }),
    caseAgentHead: async (call) => ({ body: await askCase(cases, call, 'head', call.param('agent_id')) }),
    caseAgentChain: async (call) => ({
      body: await askCase(cases, call, 'chain', call.param('agent_id'), call.query),
    }),
    caseAuditQuery: async (call) => {
      const { cursor, limit, beforeSeq, order = 'newest', details = false, query, zone, ...filter } = call.body;
      if (query !== undefined || order === 'oldest' || details) {
        const asked = { order, details, place: readCursor(cursor, pair), limit, now: now() };
        const given = { ...filter, beforeSeq, query, zone };
        return { body: await askCase(cases, call, 'searchContents', given, asked) };
      }
      const begin = beforeSeq === undefined ? null : ([beforeSeq, 0] as const);
      const place = readCursor(cursor, pair) ?? begin;
      return { body: await askCase(cases, call, 'search', filter, place, limit) };
    },
    caseHistogram: async (call) => ({
      body:
        call.query.query === undefined
          ? await askCase(cases, call, 'histogram', call.query)
          : await askCase(cases, call, 'contentsHistogram', call.query, now()),
    }),
    caseFacets: async (call) => {
      const { fields, values, ...filter } = call.body;
      return { body: await askCase(cases, call, 'contentsFacets', filter, fields, values, now()) };
    },
    caseNames: async (call) => ({ body: await askCase(cases, call, 'contentsNames', call.body) }),
    caseOperation: async (call) => ({
      body: await askCase(cases, call, 'operation', call.param('operation_id'), call.query.seq_no),
    }),
    caseOperationProof: async (call) =>
      proofFile(await askCase(cases, call, 'proof', call.param('operation_id'), call.query.seq_no)),
    caseRecordText: async (call) => ({
      body: await askCase(cases, call, 'text', call.param('operation_id'), call.query.seq_no),
    }),
    caseEpochs: async (call) => {
      const { cursor, before, limit = LIMITS.page.default } = call.query;
      const begin = before === undefined ? null : ([before, 0] as const);
      return { body: await askCase(cases, call, 'epochs', readCursor(cursor, pair) ?? begin, limit) };
    },
    caseEpoch: async (call) => ({ body: await askCase(cases, call, 'epoch', call.param('epoch_id')) }),
    caseAdminEvents: async (call) => {
      const limit = call.query.limit ?? LIMITS.adminEvents.default;
      return { body: { events: await askCase(cases, call, 'adminEvents', limit) } };
    },
    caseJwks: async (call) => ({ body: await askCase(cases, call, 'jwks') }),
  };
}
