import type Database from 'better-sqlite3';
import type { ComparisonResult, DifferingRecord } from '../../api/index.ts';
import { nodeCrypto } from '../../node/index.ts';
import { readerOptions } from '../../node/reader/index.ts';
import {
  type BundleOrg,
  equivocationProofBytes,
  type Finding,
  type HostCrypto,
  type Json,
  makeEquivocationProof,
  parseJsonBytes,
  readContents,
  type ServiceKey,
  verifyBundle,
  verifyEquivocationProof,
} from '../../protocol/index.ts';
import { openIndex } from './case-index-file.ts';
import { CaseRefused, caseSource } from './case-source.ts';
import type { ComparedFile, CompareTask, JobMeans } from './job-messages.ts';
import { compareContent, type RecordText } from './record-differences.ts';
import { makeIndex } from './verify-case.ts';

/** Runs of each list that an answer carries. */
const MAX_RUNS = 1000;
const MAX_DIFFERING = 100;

/** How many records are compared between two looks at whether the job is to end. */
const LOOK_EVERY = 1000;

type Run = ComparisonResult['only_this'][number];
type Side = ComparisonResult['this'];

interface Leaf extends RecordText {
  readonly leaf_hash: Uint8Array;
}

/** Sequence numbers as runs; beyond a bound they are only counted. */
class Runs {
  readonly list: { first_seq_no: number; last_seq_no: number }[] = [];
  leftOut = 0;
  #last = Number.NEGATIVE_INFINITY;

  add(seqNo: number): void {
    const run = this.list.at(-1);
    const goesOn = seqNo === this.#last + 1;
    this.#last = seqNo;
    if (goesOn && this.leftOut === 0 && run !== undefined) run.last_seq_no = seqNo;
    else if (this.list.length < MAX_RUNS) this.list.push({ first_seq_no: seqNo, last_seq_no: seqNo });
    else if (!goesOn) this.leftOut++;
  }
}

/** The first record of each seq_no, in order. */
function* leavesOf(index: Database.Database): Generator<Leaf> {
  let last = 0;
  const sql = 'SELECT seq_no, leaf_hash, text FROM records JOIN texts USING (n) ORDER BY seq_no, n';
  for (const row of index.prepare(sql).iterate()) {
    const leaf = row as Leaf;
    if (leaf.seq_no !== last) yield leaf;
    last = leaf.seq_no;
  }
}

interface Merged {
  readonly common: number;
  readonly differing: number;
  readonly firstDiffering: number[];
  readonly contentDiffering: number;
  readonly firstContentDiffering: DifferingRecord[];
  readonly payloadsUncompared: number;
  readonly onlyOne: Runs;
  readonly onlyOther: Runs;
}

/** Reads two indexes in the order of their records. What is in them, and how much, whoever sent the files chose. */
function merge(one: Database.Database, other: Database.Database, signal: JobMeans['signal']): Merged {
  const [left, right] = [leavesOf(one), leavesOf(other)];
  const firstDiffering: number[] = [];
  const [onlyOne, onlyOther] = [new Runs(), new Runs()];
  const firstContentDiffering: DifferingRecord[] = [];
  let [common, differing, contentDiffering, payloadsUncompared] = [0, 0, 0, 0];
  let [a, b] = [left.next(), right.next()];
  while (!a.done || !b.done) {
    const [x, y] = [a.done ? null : a.value, b.done ? null : b.value];
    if (x !== null && (y === null || x.seq_no < y.seq_no)) {
      onlyOne.add(x.seq_no);
      a = left.next();
    } else if (y !== null && (x === null || y.seq_no < x.seq_no)) {
      onlyOther.add(y.seq_no);
      b = right.next();
    } else if (x !== null && y !== null) {
      common++;
      if (common % LOOK_EVERY === 0) signal.throwIfAborted();
      if (!Buffer.from(x.leaf_hash).equals(y.leaf_hash)) {
        differing++;
        if (firstDiffering.length < MAX_DIFFERING) firstDiffering.push(x.seq_no);
      } else {
        const { difference, withheld } = compareContent(x, y, nodeCrypto.sha256);
        if (withheld) payloadsUncompared++;
        if (difference !== null) {
          contentDiffering++;
          if (firstContentDiffering.length < MAX_DIFFERING) firstContentDiffering.push(difference);
        }
      }
      a = left.next();
      b = right.next();
    }
  }
  return {
    common,
    differing,
    firstDiffering,
    onlyOne,
    onlyOther,
    contentDiffering,
    firstContentDiffering,
    payloadsUncompared,
  };
}

function sideOf(name: string, index: Database.Database): Side {
  const text = index.prepare("SELECT value FROM facts WHERE name = 'org'").pluck().get() as string | undefined;
  const org = text === undefined ? null : (JSON.parse(text) as BundleOrg);
  const ends = index
    .prepare('SELECT count(*) AS records, min(seq_no) AS first_seq_no, max(seq_no) AS last_seq_no FROM records')
    .get() as Pick<Side, 'records' | 'first_seq_no' | 'last_seq_no'>;
  return { name, org_id: org?.org_id ?? null, ...ends };
}

function relationOf(merged: Merged, contradicts: boolean): ComparisonResult['relation'] {
  if (contradicts) return 'contradiction';
  const [hasOwn, otherHasOwn] = [merged.onlyOne.list.length > 0, merged.onlyOther.list.length > 0];
  if (!hasOwn && !otherHasOwn) return 'same';
  if (!otherHasOwn) return 'this_extends';
  if (!hasOwn) return 'other_extends';
  return merged.common > 0 ? 'overlap' : 'disjoint';
}

function sourceOf({ file }: ComparedFile) {
  return caseSource(file.path, file.kind, file);
}

async function serviceKeysOf(compared: ComparedFile): Promise<ServiceKey[]> {
  const keys: ServiceKey[] = [];
  for await (const contents of readContents(sourceOf(compared))) {
    for (const content of contents) if (content.kind === 'service_key') keys.push(content.value);
  }
  return keys;
}

/** The proof of the first contradiction that findings name; null where there is none that verifies. */
async function proofOf(
  findings: readonly Finding[],
  orgId: string | null,
  one: ComparedFile,
  crypto: HostCrypto,
): Promise<Json> {
  const found = findings.find(({ code, evidence }) => code === 'EQUIVOCATION' && evidence?.length === 2);
  const [a, b] = found?.evidence ?? [];
  if (a === undefined || b === undefined || orgId === null) return null;
  const proof = makeEquivocationProof(a, b, orgId, await serviceKeysOf(one));
  const { verdict } = await verifyEquivocationProof(proof, { crypto });
  return verdict === 'failed' ? null : parseJsonBytes(equivocationProofBytes(proof));
}

function open(path: string): Database.Database {
  const index = openIndex(path);
  if (index === null) throw new CaseRefused('UNEXPECTED', 'a case has no index of this version: verify it again');
  return index;
}

/**
 * Holds two ledgers against each other: by the receipts they hold, by what is signed in them, and by the content of each
 * record, of which receipts say nothing.
 */
export async function compareCases(task: CompareTask, means: JobMeans): Promise<ComparisonResult> {
  const { one, other, scratchIndex, trust } = task;
  // Two ledgers are compared, and neither is held to witnesses for that.
  const { trustedKids } = readerOptions(trust);
  if (other.indexPath === null) await makeIndex(other.file, [], scratchIndex, means);
  const left = open(one.indexPath ?? scratchIndex);
  try {
    const right = open(other.indexPath ?? scratchIndex);
    try {
      const [here, there] = [sideOf(one.name, left), sideOf(other.name, right)];
      const merged = merge(left, right, means.signal);
      const sameOrganization = here.org_id !== null && here.org_id === there.org_id;
      const { crypto, signal } = means;
      const against = [{ name: other.name, source: sourceOf(other) }];
      const report = sameOrganization
        ? await verifyBundle(sourceOf(one), { crypto, signal, trustedKids, against })
        : null;
      const findings = (report?.findings ?? []).filter(({ check }) => check === 'reconciliation');
      const contradicts =
        merged.differing > 0 || findings.some(({ code }) => code === 'EQUIVOCATION' || code === 'CONTRADICTION');
      const onlyThis: Run[] = merged.onlyOne.list;
      return {
        same_organization: sameOrganization,
        this: here,
        other: there,
        relation: sameOrganization ? relationOf(merged, contradicts) : 'unrelated',
        common: sameOrganization ? merged.common : 0,
        differing: sameOrganization ? merged.differing : 0,
        first_differing: sameOrganization ? merged.firstDiffering : [],
        content_differing: sameOrganization ? merged.contentDiffering : 0,
        first_content_differing: sameOrganization ? merged.firstContentDiffering : [],
        payloads_uncompared: sameOrganization ? merged.payloadsUncompared : 0,
        only_this: onlyThis,
        only_other: merged.onlyOther.list,
        runs_left_out: merged.onlyOne.leftOut + merged.onlyOther.leftOut,
        // Numbers and causes are those of the whole report: a cause that is not listed here is left out.
        findings: findings.map(({ caused_by, ...finding }) =>
          findings.some(({ id }) => id === caused_by) ? { ...finding, ...(caused_by && { caused_by }) } : finding,
        ),
        proof: await proofOf(findings, here.org_id, one, crypto),
      };
    } finally {
      right.close();
    }
  } finally {
    left.close();
  }
}
