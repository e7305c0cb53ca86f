import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import type { Manifest } from '../statements/manifest.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { parseTime } from '../time.ts';
import { ComparisonNotes } from './comparison-notes.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import { KeptCheckpoints, type OwnLog } from './kept-checkpoints.ts';
import { type Kept, KeptIndex } from './kept-index.ts';
import { readKeptReceipts } from './kept-receipts.ts';
import { LedgerOrder } from './ledger-order.ts';
import { isHidden, mustHold, type NamedSource, type OtherBundle, readOtherBundle } from './other-bundle.ts';
import type { PreparedRecord } from './prepared-record.ts';
import type { FindingPlace } from './report.ts';
import { isSignedStatement } from './signed-statement.ts';
import { TwoChains } from './two-chains.ts';
import { type IsSigned, TwoFiles } from './two-files.ts';
import { judgeLedgers, type ReconciledBundle } from './two-ledgers.ts';
import { judgeMoments } from './two-moments.ts';
import { counted } from './wording.ts';

/** Records that another bundle lacks: more of them say no more. */
const MAX_LACKING = 1000;

/**
 * Compares a bundle with what others hold: receipts that agents kept, other bundles of the organization, and checkpoints. What
 * they hold is their word until the issuer's signature on it verifies, so only signed statements become findings of error.
 */
export class Reconciliation {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #kept = new KeptIndex();
  readonly #others: { readonly bundle: OtherBundle; readonly chains: TwoChains }[] = [];
  readonly #lacking: { readonly receipt: Receipt; readonly other: OtherBundle }[] = [];
  readonly #checkpoints: KeptCheckpoints;
  readonly notes: ComparisonNotes;
  /** Signed receipts behind the head of the ledger that the manifest states. */
  #beyond = 0;
  /** Numbers of records that the bundle should hold and lacks. */
  readonly omitted: number[] = [];

  /** Of the bundle, or of the other one that shows further clock corrections. */
  #order: LedgerOrder;

  constructor(host: HostCrypto, log: FindingLog, order: LedgerOrder) {
    this.#host = host;
    this.#order = order;
    this.#log = log;
    this.notes = new ComparisonNotes(log);
    this.#checkpoints = new KeptCheckpoints(host, log, this.notes);
  }

  /** What a comparison without a finding leaves open, or null. */
  get remark(): string | null {
    if (this.#beyond === 0) return null;
    return `${counted(this.#beyond, 'signed receipt')} beyond the head that the bundle states: that it was made before them is the service's word`;
  }

  #keep(receipt: Receipt, where: FindingPlace): void {
    const { seq_no, operation_id, agent_id } = receipt;
    const leaf = receiptLeafHash(receiptSignedBytes(receipt), this.#host.sha256);
    this.#kept.add(receipt, leaf, { ...where, seq_no, operation_id, agent_id });
  }

  /** Reads receipts that agents kept, one EAR a line (protocol §9). */
  async loadReceipts({ name, source }: NamedSource): Promise<void> {
    const file = this.notes.give(name);
    for await (const kept of readKeptReceipts(source)) {
      const where = { file, line: kept.line };
      if ('error' in kept) this.notes.unreadable(where, kept.error);
      else this.#keep(kept.receipt, where);
    }
  }

  /** Reads what another bundle states; whether that bundle is sound is a separate question. */
  async loadBundle({ name, source }: NamedSource): Promise<void> {
    const bundle = await readOtherBundle(
      { name: this.notes.give(name), source },
      this.#host.sha256,
      (receipt, where) => this.#keep(receipt, where),
      (where, error) => this.notes.unreadable(where, error),
    );
    this.#others.push({ bundle, chains: new TwoChains(bundle) });
  }

  /** Reads a checkpoint that somebody kept. */
  async loadCheckpoint({ name, source }: NamedSource): Promise<void> {
    await this.#checkpoints.load({ name: this.notes.give(name), source });
  }

  /** The sizes at which roots of the bundle's log are needed. */
  get checkpointSizes(): ReadonlySet<number> {
    return this.#checkpoints.sizes;
  }

  /** Once the bundle's log is known: which file shows the most of how the clock was corrected. */
  async settleOrder(issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const own = this.#order;
    for (const { bundle } of this.#others) {
      const { manifest, manifestSignature: manifest_signature, eventList, hasEvents } = bundle;
      if (manifest === null || manifest_signature === null || eventList === null || !hasEvents) continue;
      const theirs = new LedgerOrder().load(eventList);
      if (theirs.corrections.length <= this.#order.corrections.length || !theirs.continues(own)) continue;
      const statement = { manifest, manifest_signature };
      if (await isSignedStatement(statement, (kid) => issuer.keyFor(kid), verifier)) this.#order = theirs;
    }
  }

  /** Tells what the bundle has under a sequence number. */
  sawRecord(record: PreparedRecord): void {
    this.#match(record.ear, record.leaf);
    for (const { chains } of this.#others) chains.add(record);
  }

  #match(ear: Receipt, leaf: Uint8Array): void {
    const keptHere = this.#kept.match(ear, leaf);
    for (const { bundle } of this.#others) {
      if (this.#lacking.length >= MAX_LACKING || !bundle.isComplete) continue;
      const isDue = mustHold(bundle.manifest, ear, this.#order) || isHidden(bundle.manifest, ear, this.#order);
      if (!isDue) continue;
      if (!keptHere.some(({ where }) => where.file === bundle.name))
        this.#lacking.push({ receipt: ear, other: bundle });
    }
  }

  /** After the last record: judges everything kept. Nothing can be said without the manifest's scope. */
  async finish(subject: ReconciledBundle & OwnLog, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const isSigned: IsSigned = (statement) => isSignedStatement(statement, (kid) => issuer.keyFor(kid), verifier);
    for (const neighbour of [subject.edges.before, subject.edges.after]) {
      if (neighbour === null) continue;
      this.#match(neighbour.ear, receiptLeafHash(receiptSignedBytes(neighbour.ear), this.#host.sha256));
    }
    await this.#judgeReceipts(subject, isSigned);
    const twoFiles = new TwoFiles(subject, isSigned, (where) => this.notes.unsigned(where), this.#log, this.#order);
    for (const { bundle, chains } of this.#others) {
      const epochs = await twoFiles.judge(bundle);
      this.notes.compare({ file: bundle.name }, epochs);
      await this.#judgeChains(subject, bundle, chains, isSigned);
      await judgeLedgers(subject, bundle, isSigned, (where) => this.notes.unsigned(where), this.#log);
      await judgeMoments(subject, bundle, isSigned, (where) => this.notes.unsigned(where), this.#log, this.#order);
    }
    await this.#judgeLacking(isSigned);
    await this.#checkpoints.judge(subject, issuer.soundKeys(), { verifier, isSigned });
    this.notes.finish();
  }

  async #judgeReceipts(subject: ReconciledBundle, isSigned: IsSigned): Promise<void> {
    for (const kept of this.#kept.list()) await this.#judgeReceipt(kept, subject, isSigned);
  }

  async #judgeReceipt(kept: Kept, { manifest, proof, signed }: ReconciledBundle, isSigned: IsSigned): Promise<void> {
    const { receipt, where, leaf, match } = kept;
    const isSettled = await this.#judgeOperation(kept, manifest.org_id, isSigned);
    if (isSettled) return;
    if (match === 'same') {
      this.notes.compare(where);
      return;
    }
    if (receipt.org_id !== manifest.org_id) {
      this.notes.ofAnotherOrganization();
      return;
    }
    const isDue = mustHold(manifest, receipt, this.#order);
    const mayBeMissing = match === 'none' && !isDue && !isHidden(manifest, receipt, this.#order);
    const isBeyond = receipt.seq_no > manifest.log_head.seq_no;
    if (mayBeMissing && !isBeyond) {
      const later = this.#laterThanMade(receipt, manifest);
      if (later !== null && signed) await this.#judgeLater(kept, later, isSigned);
      else this.notes.outOfScope++;
      return;
    }
    if (!(await isSigned({ receipt }))) {
      if (mayBeMissing) this.notes.outOfScope++;
      else this.notes.unsigned(where);
      return;
    }
    if (mayBeMissing) {
      this.notes.outOfScope++;
      this.#beyond++;
      return;
    }
    this.notes.compare(where);
    if (match === 'none') {
      if (isDue && this.omitted.length < MAX_LACKING) this.omitted.push(receipt.seq_no);
      this.#log.add('RECORD_OMITTED', {
        where,
        expected: `the record ${receipt.operation_id} under sequence number ${receipt.seq_no}`,
        actual: isDue ? 'no such record' : `a ledger that ended with ${manifest.log_head.seq_no}`,
        message: isDue
          ? 'The service signed a receipt for this operation, but the bundle lacks it.'
          : 'The service signed a receipt for this operation before it made the bundle, whose ledger ends before it.',
        evidence: [{ receipt }, ...proof],
      });
    } else if (await isSigned({ receipt: match })) {
      this.#log.add('EQUIVOCATION', {
        where,
        expected: formatDigest(leaf),
        actual: formatDigest(receiptLeafHash(receiptSignedBytes(match), this.#host.sha256)),
        message: 'The service signed two different receipts for the same sequence number.',
        evidence: [{ receipt }, { receipt: match }],
      });
    }
  }

  /** Why the ledger that a bundle states cannot have had a receipt at its time; null where it can. */
  #laterThanMade(
    { seq_no, server_received_at }: Receipt,
    manifest: Manifest,
  ): { readonly expected: string; readonly message: string } | null {
    const received = parseTime(server_received_at);
    if (this.#order.at('seq_no', seq_no, received) > this.#order.made(manifest)) {
      const message = 'The receipt was given after the bundle was made, whose ledger is said to have had it.';
      return { expected: `at the latest ${manifest.created_at}`, message };
    }
    const expected = this.#order.misfit('seq_no', seq_no, received);
    const message = 'The receipt was given at a time that the clock corrections of the log do not leave it.';
    return expected === null ? null : { expected, message };
  }

  /** A receipt that the bundle's ledger cannot have had when it says. */
  async #judgeLater(
    { receipt, where }: Kept,
    later: { readonly expected: string; readonly message: string },
    isSigned: IsSigned,
  ): Promise<void> {
    if (!(await isSigned({ receipt }))) {
      this.notes.unsigned(where);
      return;
    }
    this.notes.outOfScope++;
    this.#log.add('CONTRADICTION', { where, actual: receipt.server_received_at, ...later });
  }

  /**
   * An operation is accepted once: two receipts for it contradict each other, whatever range their bundles are of.
   * @returns whether that settles what is to be said of the kept one, since it is not signed
   */
  async #judgeOperation(
    { receipt, where, elsewhere, match }: Kept,
    orgId: string,
    isSigned: IsSigned,
  ): Promise<boolean> {
    // Where the bundle has something under the number too, that says enough.
    if (elsewhere === null || match !== 'none' || receipt.org_id !== orgId || elsewhere.org_id !== orgId) return false;
    if (!(await isSigned({ receipt: elsewhere }))) return false;
    // As unknown as its key may be, nothing honest explains it: a bundle of before a rotation lacks the key of later receipts.
    if (!(await isSigned({ receipt }))) {
      this.notes.unsigned(where);
      return true;
    }
    this.notes.compare(where);
    this.#log.add('EQUIVOCATION', {
      where,
      expected: `sequence number ${receipt.seq_no}`,
      actual: `sequence number ${elsewhere.seq_no}`,
      message: 'The service signed two different receipts for the same operation.',
      evidence: [{ receipt }, { receipt: elsewhere }],
    });
    return false;
  }

  async #judgeChains(
    { manifest, signed }: ReconciledBundle,
    other: OtherBundle,
    chains: TwoChains,
    isSigned: IsSigned,
  ): Promise<void> {
    const { first_seq_no: first, last_seq_no: last, filter } = manifest;
    // Only where each file is as the service signed it: anybody can take a record out of one.
    const { manifest: theirs, manifestSignature: manifest_signature, isComplete } = other;
    const isTheirs =
      isComplete &&
      theirs !== null &&
      theirs.org_id === manifest.org_id &&
      manifest_signature !== null &&
      (await isSigned({ manifest: theirs, manifest_signature }));
    const run =
      signed && isTheirs && filter.agent_id === null && first !== null && last !== null
        ? ([first, last] as const)
        : null;
    for (const { theirs: receipt, own, where, message } of chains.finish(run)) {
      if (!(await isSigned({ receipt })) || !(await isSigned({ receipt: own }))) this.notes.unsigned(where);
      else {
        this.#log.add('CONTRADICTION', { where, expected: receipt.chain_hash, actual: own.chain_hash, message });
      }
    }
  }

  /** What the bundle holds and another one, which should, does not: a longer bundle must extend a shorter one. */
  async #judgeLacking(isSigned: IsSigned): Promise<void> {
    for (const { receipt, other } of this.#lacking) {
      const { name: file, manifest, manifestSignature } = other;
      if (manifest === null || manifestSignature === null) continue;
      const statement = { manifest, manifest_signature: manifestSignature };
      if (!(await isSigned({ receipt }))) continue;
      if (!(await isSigned(statement))) {
        this.notes.unsigned({ file });
        continue;
      }
      this.notes.contributed({ file });
      const { seq_no, operation_id, agent_id } = receipt;
      this.#log.add('RECORD_OMITTED', {
        where: { file, seq_no, operation_id, agent_id },
        expected: `the record ${operation_id} under sequence number ${seq_no}`,
        actual: 'no such record',
        message: 'The bundle holds a record that the other bundle should hold and lacks.',
        evidence: [{ receipt }, statement],
      });
    }
  }
}
