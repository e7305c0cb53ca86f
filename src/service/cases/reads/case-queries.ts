import type {
  AnnotateBody,
  AnnotateManyBody,
  Annotation,
  AnnotationsAnswer,
  ChainPart,
  CustodyAction,
  ListAnswer,
} from '../../../contract/index.ts';
import type { Finding, JsonObject } from '../../../protocol/index.ts';
import { ServiceError } from '../../base/errors.ts';
import { listPage } from '../../http/cursor.ts';
import {
  type AnnotationsAsked,
  annotate,
  annotateMany,
  countTags,
  findAnnotation,
  listAnnotations,
  OF_CASE,
  removeAnnotation,
  type Writing,
} from '../annotations.ts';
import { appendCustody, checkedCustody, custodyPage, type Examiner, signEntries } from '../custody/custody-log.ts';
import {
  findItem,
  forgetJudgements,
  judgementRound,
  keepJudgement,
  listItems,
  removeItem,
} from '../items/items-table.ts';
import { contentsFacets, contentsHistogram, contentsNames, searchContents } from './case-contents-queries.ts';
import { findCaseEpoch, listCaseEpochs } from './case-epochs.ts';
import { caseHistogram } from './case-histogram.ts';
import { CASE_INVESTIGATION_QUERIES } from './case-investigation-queries.ts';
import {
  type CaseFilter,
  readCaseChain,
  readCaseOperation,
  recordPlaces,
  requireOperation,
  type SearchPlace,
  searchOperations,
} from './case-operations.ts';
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

function findAnnotated(open: OpenCase, operationId: string): Annotation {
  const found = findAnnotation(open.annotations, operationId);
  if (found === null) throw new ServiceError('NOT_FOUND', 'the record has no tags, no note and no bookmark');
  return found;
}

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

function pageOfAnnotations(open: OpenCase, asked: AnnotationsAsked, operationId?: string): AnnotationsAnswer {
  if (operationId !== undefined) {
    const found = findAnnotation(open.annotations, operationId);
    const data = found === null ? [] : [found];
    return { data, nextCursor: null, hasMore: false, tags: countTags(open.annotations) };
  }
  const found = listAnnotations(open.annotations, { ...asked, limit: asked.limit + 1 });
  const page = listPage(found, asked.limit, ({ operation_id }) => operation_id);
  return { ...page, data: [...page.data], tags: countTags(open.annotations) };
}

/** The whole log with what was found about it, for papers that are made of it: acts on records are counted, not told. */
async function custodyOf(annotations: OpenCase['annotations'], caseSha256: string) {
  const acts: {
    entry_no: number;
    at: string;
    by: string | null;
    action: CustodyAction;
    details: JsonObject;
    signature: string;
  }[] = [];
  const { damage, signatures, examiners, head } = await checkedCustody(
    annotations,
    caseSha256,
    ({ entry, signature }) => {
      if (entry === null || entry.details['operation_id'] !== undefined || acts.length >= MAX_ACTS) return;
      const { entry_no, at, by, action, details } = entry;
      acts.push({ entry_no, at, by, action, details, signature });
    },
  );
  return { acts, damage, signatures, examiners, head };
}

/** Acts that a paper tells of one by one. */
const MAX_ACTS = 500;

/** Everything that is asked of a case, by name: answered on the thread that reads. Arguments and answers are copied. */
export const QUERIES = {
  summary: summarizeCase,
  agents: listCaseAgents,
  agent: findCaseAgent,
  head: caseAgentHead,
  chain: (open: OpenCase, agentId: string, part: ChainPart) => readCaseChain(open, agentId, part),
  search: (open: OpenCase, filter: CaseFilter, place: SearchPlace | null, limit: number) =>
    searchOperations(open, filter, place, limit),
  histogram: caseHistogram,
  searchContents,
  contentsHistogram,
  contentsFacets,
  contentsNames,
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
  annotations: pageOfAnnotations,
  annotation: findAnnotated,
  annotate: (open: OpenCase, operationId: string, given: AnnotateBody, examiner: Examiner) => {
    requireOperation(open, operationId);
    return annotate(open.annotations, operationId, given, writingOf(open, examiner));
  },
  annotateMany: (open: OpenCase, given: AnnotateManyBody, examiner: Examiner) => {
    for (const operationId of given.operation_ids) requireOperation(open, operationId);
    return { changed: annotateMany(open.annotations, given, writingOf(open, examiner)) };
  },
  removeAnnotation: (open: OpenCase, operationId: string, examiner: Examiner) => {
    const removed = removeAnnotation(open.annotations, operationId, writingOf(open, examiner));
    if (!removed) findAnnotated(open, operationId);
  },
  custody: ({ annotations }: OpenCase, caseSha256: string, page: Parameters<typeof custodyPage>[2]) =>
    custodyPage(annotations, caseSha256, page),
  signCustody: ({ annotations }: OpenCase, signer: string, signed: Parameters<typeof signEntries>[2]) =>
    signEntries(annotations, signer, signed),
  custodyCheck: ({ annotations }: OpenCase, caseSha256: string) => custodyOf(annotations, caseSha256),
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
