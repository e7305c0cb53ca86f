import type { AnnotateBody, AnnotateManyBody, ChainPart, CustodyAction, ListAnswer } from '../../../api/index.ts';
import type { Finding, JsonObject } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import type { LogPart } from '../../ledger/hash-log.ts';
import {
  type AnnotationsAsked,
  annotate,
  annotateMany,
  annotationsPage,
  listAnnotations,
  OF_CASE,
  removeAnnotation,
  requireAnnotation,
  type Writing,
} from '../../search/annotations/annotations.ts';
import { type Looked, type LookWriting, markLooked } from '../../search/annotations/looks.ts';
import { readChain } from '../../search/queries/chain.ts';
import { certificateOf } from '../certificate/certificate-of.ts';
import type { LogOf } from '../custody/custody-entry.ts';
import { appendCustody, type Examiner } from '../custody/custody-log.ts';
import { custodyPage } from '../custody/custody-page.ts';
import { type SignedEntry, signEntries } from '../custody/sign-entries.ts';
import { caseItemViews } from '../items/item-views.ts';
import {
  findItem,
  forgetJudgements,
  judgementRound,
  keepJudgement,
  listItems,
  removeItem,
} from '../items/items-table.ts';
import { searchContents } from './case-contents-queries.ts';
import { findCaseEpoch, listCaseEpochs } from './case-epochs.ts';
import { foundActionOf, foundDifferences, foundFiles, foundNotes } from './case-found.ts';
import { CASE_INVESTIGATION_QUERIES } from './case-investigation-queries.ts';
import { caseChain, readCaseOperation, recordPlaces, requireOperation } from './case-operations.ts';
import { proveCaseOperation } from './case-proof.ts';
import { readRecord } from './case-record-text.ts';
import {
  caseAgentHead,
  caseJwks,
  findCaseAgent,
  listCaseAdminEvents,
  listCaseAgents,
  summarizeCase,
} from './directory.ts';
import type { OpenCase } from './open-case.ts';

/** What an examiner writes about records goes into the custody log of the case. */
function writingOf({ annotations }: OpenCase, examiner: Examiner): Writing {
  const { by, at } = examiner;
  const append: Writing['append'] = (action, details) => appendCustody(annotations, examiner, action, details);
  return { by, at, orgId: OF_CASE, append };
}

function findings(
  open: OpenCase,
  { seqNo, operationId }: { readonly seqNo?: number | undefined; readonly operationId?: string | undefined },
  after: number,
  limit: number,
): ListAnswer<Finding> {
  const found = open.findings.filter(
    ({ id, where }) =>
      id > after &&
      (seqNo === undefined || where.seq_no === seqNo) &&
      (operationId === undefined || where.operation_id === operationId),
  );
  return listPage(found.slice(0, limit + 1), limit, ({ id }) => id);
}

/** Everything that is asked of a case, by name: answered on the thread that reads. Arguments and answers are copied. */
export const QUERIES = {
  summary: summarizeCase,
  agents: listCaseAgents,
  agent: findCaseAgent,
  head: caseAgentHead,
  chain: async (open: OpenCase, agentId: string, part: ChainPart) => readChain(caseChain(open, agentId), part),
  search: searchContents,
  ...CASE_INVESTIGATION_QUERIES,
  places: recordPlaces,
  operation: readCaseOperation,
  proof: proveCaseOperation,
  text: (open: OpenCase, operationId: string, seqNo: number | undefined) => {
    const { line, seqNo: seq_no, text } = readRecord(open, operationId, seqNo);
    return { operation_id: operationId, seq_no, line, text };
  },
  epochs: listCaseEpochs,
  epoch: findCaseEpoch,
  adminEvents: listCaseAdminEvents,
  jwks: caseJwks,
  findings,
  foundFiles,
  foundNotes,
  foundDifferences,
  foundAction: foundActionOf,
  annotations: ({ annotations }: OpenCase, asked: AnnotationsAsked, operationId?: string) =>
    annotationsPage(annotations, asked, operationId),
  notes: ({ annotations }: OpenCase, asked: AnnotationsAsked) => listAnnotations(annotations, asked),
  annotation: ({ annotations }: OpenCase, operationId: string) => requireAnnotation(annotations, operationId),
  annotate: (open: OpenCase, operationId: string, given: AnnotateBody, examiner: Examiner) => {
    requireOperation(open, operationId);
    return annotate(open.annotations, operationId, given, writingOf(open, examiner));
  },
  annotateMany: (open: OpenCase, given: AnnotateManyBody, examiner: Examiner) => {
    for (const operationId of given.operation_ids) requireOperation(open, operationId);
    return { changed: annotateMany(open.annotations, given, writingOf(open, examiner)) };
  },
  removeAnnotation: (open: OpenCase, operationId: string, examiner: Examiner) =>
    removeAnnotation(open.annotations, operationId, writingOf(open, examiner)),
  markLooked: ({ annotations }: OpenCase, items: readonly Looked[], seen: boolean, examiner: Examiner) => {
    const append: LookWriting['append'] = (action, details) => appendCustody(annotations, examiner, action, details);
    return { changed: markLooked(annotations, items, seen, { ...examiner, orgId: OF_CASE, append }) };
  },
  custody: async ({ annotations, custody }: OpenCase, of: LogOf, part: LogPart) =>
    custodyPage(annotations, await custody.known(of), part),
  signCustody: ({ annotations, custody }: OpenCase, of: LogOf, signer: string, signed: readonly SignedEntry[]) =>
    signEntries(annotations, custody, of, signer, signed),
  certificate: certificateOf,
  itemViews: caseItemViews,
  items: ({ annotations }: OpenCase) => listItems(annotations),
  item: ({ annotations }: OpenCase, itemNo: number) => findItem(annotations, itemNo),
  addItem: (open: OpenCase, ...given: Parameters<OpenCase['addItem']>) => open.addItem(...given),
  removeItem: ({ annotations }: OpenCase, itemNo: number, examiner: Examiner) =>
    removeItem(annotations, itemNo, examiner),
  judgementRound: ({ annotations }: OpenCase) => judgementRound(annotations),
  keepJudgement: (
    { annotations }: OpenCase,
    itemNo: number,
    judged: Parameters<typeof keepJudgement>[2],
    round: number,
  ) => keepJudgement(annotations, itemNo, judged, round),
  forgetJudgements: ({ annotations }: OpenCase) => forgetJudgements(annotations),
  writeCustody: ({ annotations }: OpenCase, examiner: Examiner, action: CustodyAction, details: JsonObject) =>
    annotations.transaction(() => appendCustody(annotations, examiner, action, details))(),
} as const;

export type Queries = typeof QUERIES;
export type QueryName = keyof Queries;
export type QueryArguments<N extends QueryName> =
  Parameters<Queries[N]> extends [OpenCase, ...infer Rest] ? Rest : never;
export type QueryAnswer<N extends QueryName> = Awaited<ReturnType<Queries[N]>>;
