import type {
  AnnotateBody,
  AnnotateManyBody,
  ChainPart,
  ChainRow,
  CustodyAction,
  ListAnswer,
  StoredOperation,
} from '../../../api/index.ts';
import {
  assembleRecordProof,
  type Finding,
  formatDigest,
  type JsonObject,
  type RecordProof,
  RecordProofError,
} from '../../../protocol/index.ts';
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
import { type Chain, readChain } from '../../search/queries/chain.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { ENGINE_QUERIES } from '../archived/engine-queries.ts';
import { caseLogNodes } from '../case-log.ts';
import { type CertificateSource, certificate } from '../certificate/certificate.ts';
import type { LogOf } from '../custody/custody-entry.ts';
import { appendCustody, type Examiner, findEntry } from '../custody/custody-log.ts';
import { custodyPage } from '../custody/custody-page.ts';
import { type SignedEntry, signEntries } from '../custody/sign-entries.ts';
import { caseItemViews, type FirstItem } from '../items/item-views.ts';
import {
  findItem,
  forgetJudgements,
  judgementRound,
  keepJudgement,
  listItems,
  removeItem,
} from '../items/items-table.ts';
import { searchContents } from './case-contents-queries.ts';
import { epochOf, findCaseEpoch, inclusionOf, listCaseEpochs } from './case-epochs.ts';
import { foundActionOf, foundDifferences, foundFiles, foundNotes } from './case-found.ts';
import { CASE_INVESTIGATION_QUERIES } from './case-investigation-queries.ts';
import { readRecord } from './case-record-text.ts';
import {
  archivedLedgers,
  caseAgentHead,
  caseBundleAgent,
  caseJwks,
  caseOrg,
  caseServiceKeys,
  findCaseAgent,
  listCaseAdminEvents,
  listCaseAgents,
  requireAgent,
  runOfRecords,
  summarizeCase,
} from './directory.ts';
import type { OpenCase } from './open-case.ts';

const LINK = `operation_id, agent_id, operation_type, subject, action, issued_at, seq_no, server_received_at,
  chain_hash, prev_chain_hash, agent_pubkey_kid`;

/** Where the records of a case are in the ledger that it was exported from, as the bundle says it; in the order of the file. */
function recordPlaces(
  open: OpenCase,
  after: number,
  limit: number,
): { readonly n: number; readonly seqNo: number; readonly operationId: string }[] {
  const sql = 'SELECT n, seq_no AS seqNo, operation_id AS operationId FROM records WHERE n > ? ORDER BY n LIMIT ?';
  return open.statement(sql).all(after, limit) as { n: number; seqNo: number; operationId: string }[];
}

interface StoredLink extends Omit<ChainRow, 'chain_hash' | 'prev_chain_hash'> {
  readonly chain_hash: Uint8Array;
  readonly prev_chain_hash: Uint8Array | null;
}

function link({ chain_hash, prev_chain_hash, ...row }: StoredLink): ChainRow {
  return {
    ...row,
    chain_hash: formatDigest(chain_hash),
    prev_chain_hash: prev_chain_hash && formatDigest(prev_chain_hash),
  };
}

/**
 * In an archive an agent of one name may have a chain on each of several hosts: the one at hand is that of the record that a part begins
 * at, or of the agent's newest.
 */
function chainLedger(open: OpenCase, agentId: string, { before, after }: ChainPart): string {
  if (!open.isArchive) return '';
  const sql = `SELECT ledger_no FROM records WHERE agent_id = @agentId AND seq_no <= @to ORDER BY seq_no = @at DESC, seq_no DESC LIMIT 1`;
  const at = before ?? after ?? Number.MAX_SAFE_INTEGER;
  const found = open.statement(sql).pluck().get({ agentId, at, to: at }) as number | undefined;
  return `AND ledger_no = ${found ?? 0}`;
}

/** The chain of an agent of a case, as far as the bundle goes. @throws ServiceError NOT_FOUND */
function caseChain(open: OpenCase, agentId: string, part: ChainPart): Chain {
  requireAgent(open, agentId);
  const ofLedger = chainLedger(open, agentId, part);
  return {
    links: (side, most) => {
      const [within, seqNo, order] = 'before' in side ? ['<', side.before, 'DESC'] : ['>', side.after, 'ASC'];
      const sql = `SELECT ${LINK} FROM records WHERE agent_id = ? ${ofLedger} AND seq_no ${within} ?
        ORDER BY seq_no ${order}, n ${order} LIMIT ?`;
      return (open.statement(sql).all(agentId, seqNo, most) as StoredLink[]).map(link);
    },
    newestAt: (time) => {
      const sql = `SELECT coalesce(max(seq_no), 0) FROM records WHERE agent_id = ? ${ofLedger} AND issued_at_ms <= ?`;
      return open.statement(sql).pluck().get(agentId, time) as number;
    },
  };
}

/** A record, its receipt, and where it is sealed. @throws ServiceError NOT_FOUND */
function readCaseOperation(open: OpenCase, operationId: string, seqNo: number | undefined): StoredOperation {
  const { n, seqNo: number, record } = readRecord(open, operationId, seqNo);
  const { eor, ear, disclosures } = record;
  const shown = {
    eor,
    ear,
    ...(disclosures === undefined ? {} : { disclosures }),
    ...(open.isArchive ? { listed_as: number } : {}),
  };
  const epoch = epochOf(open, number);
  if (epoch === null) return { ...shown, epoch: null };
  const { epoch_id, epoch_no } = epoch;
  return { ...shown, epoch: { epoch_id, epoch_no, inclusion: inclusionOf(open, epoch, ear, open.runOf(n)) } };
}

/** @throws ServiceError NOT_FOUND */
function requireOperation(open: OpenCase, operationId: string): void {
  const isThere = (table: 'records' | 'found'): boolean =>
    open.statement(`SELECT 1 FROM ${table} WHERE operation_id = ? LIMIT 1`).get(operationId) !== undefined;
  if (!isThere('records') && !isThere('found')) {
    throw new ServiceError('NOT_FOUND', 'there is no such operation in this case');
  }
}

/** @throws ServiceError CONFLICT */
function notProvable(how: string): never {
  throw new ServiceError('CONFLICT', `there is no proof of this record: ${how}`);
}

/**
 * The proof of a record of a case (protocol R3), from what its bundle shows: what is withheld there stays so.
 * @throws ServiceError NOT_FOUND; CONFLICT where the bundle does not lead from the record to an epoch
 */
function proveCaseOperation(open: OpenCase, operationId: string, seqNo: number | undefined): RecordProof {
  const { n, seqNo: number, record } = readRecord(open, operationId, seqNo);
  const { eor, ear } = record;
  const run = open.runOf(n);
  const org = caseOrg(open, run) ?? notProvable('the organization of the bundle cannot be read');
  const epoch = epochOf(open, number) ?? notProvable('the bundle holds no epoch that seals it');
  if (inclusionOf(open, epoch, ear, run) === null) notProvable('it does not lead to the root of the log in its epoch');
  const directory = {
    orgId: org.org_id,
    agents: [caseBundleAgent(open, eor.agent_id, run)],
    serviceKeys: caseServiceKeys(open, run),
  };
  try {
    return assembleRecordProof(directory, [record], epoch, caseLogNodes(open, run));
  } catch (error) {
    if (error instanceof RecordProofError) notProvable(error.message);
    throw error;
  }
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

/** Everything that is asked of a case, by name: answered on the thread that reads. Arguments and answers are copied. */
export const QUERIES = {
  summary: summarizeCase,
  agents: listCaseAgents,
  agent: findCaseAgent,
  head: caseAgentHead,
  chain: async (open: OpenCase, agentId: string, part: ChainPart) => readChain(caseChain(open, agentId, part), part),
  search: searchContents,
  ...CASE_INVESTIGATION_QUERIES,
  ...ENGINE_QUERIES,
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
  archivedLedgers,
  runOfRecords,
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

/** What a certificate is asked for with: what of a case is not in its tables. */
interface AskedCertificate {
  readonly of: LogOf;
  readonly about: CertificateSource['about'];
  readonly first: FirstItem;
  /** In milliseconds since 1970. */
  readonly madeAt: number;
}

/** The draft of a certificate about a case, as an HTML document. */
async function certificateOf(open: OpenCase, { of, about, first, madeAt }: AskedCertificate): Promise<string> {
  const known = await open.custody.whole(of);
  const acts = known.acts.flatMap((entryNo) => {
    const entry = findEntry(open.annotations, entryNo);
    return entry === null ? [] : [{ ...entry, signature: known.states.get(entryNo) ?? ('unsigned' as const) }];
  });
  return certificate({ about, items: caseItemViews(open, first), custody: { ...known, acts }, madeAt });
}
