import type { Edges } from '../bundle/edges.ts';
import { equalBytes } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { type Epoch, epochSignedBytes } from '../statements/epoch.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { demandOf, type WitnessDemand } from '../witness/policy.ts';
import { ComparisonNotes } from './comparison-notes.ts';
import { describeWitnessed } from './completeness-claims.ts';
import type { FindingLog } from './finding-log.ts';
import { type Given, judgeBundles } from './given-bundles.ts';
import type { Issuer } from './issuer.ts';
import { type CarriedSources, KeptCheckpoints, type OwnLog } from './kept-checkpoints.ts';
import { type Kept, KeptIndex } from './kept-index.ts';
import { readKeptReceipts } from './kept-receipts.ts';
import { judgeRoots } from './kept-roots.ts';
import { LedgerOrder } from './ledger-order.ts';
import { heldEvents } from './noted-event.ts';
import { Omissions } from './omissions.ts';
import { type NamedSource, readOtherBundle } from './other-bundle.ts';
import { linkOf, type PreparedRecord } from './prepared-record.ts';
import { ReceiptJudge } from './receipt-judge.ts';
import type { FindingPlace } from './report.ts';
import type { Side } from './side.ts';
import { isSignedStatement, type SignedStatement } from './signed-statement.ts';
import { type IsSigned, type StatementJudging, StatementSet } from './statement-set.ts';
import { ChainEnds, Continuations } from './two-chains.ts';
import type { VerifyOptions } from './verify-options.ts';
import { type DemandedWitnesses, judgeWitnesses, nothingWitnessed, type Witnessed } from './witnessed.ts';
import { counted } from './wording.ts';

/** The bundle that is verified, with what it says of its log. */
export interface ReconciledBundle extends Side, Omit<OwnLog, 'manifest'> {
  readonly manifestSignature: string;
  readonly edges: Edges;
  /** The signed statement that lists the bundle's records: what a record it lacks is proven by. Empty where none does. */
  readonly proof: readonly SignedStatement[];
}

/** Whose word the reader asks for. */
type Asked = Pick<VerifyOptions, 'witnesses' | 'stamps'>;

/**
 * Compares a bundle with what others hold: receipts that agents kept, other bundles of the organization, and checkpoints. What
 * they hold is their word until the issuer's signature on it verifies, so only signed statements become findings of error.
 */
export class Reconciliation {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #kept = new KeptIndex();
  readonly #others: Given[] = [];
  readonly #continued = new Continuations();
  readonly #omissions = new Omissions(this.#others);
  readonly #checkpoints: KeptCheckpoints;
  readonly #witnesses: DemandedWitnesses | null;
  /** What is demanded of the ledger that the bundle is of; of every ledger, until that is known. */
  #demand: WitnessDemand | null;
  readonly #stamps: VerifyOptions['stamps'] | null;
  #witnessed: Witnessed | null = null;
  #files = 0;
  #order: LedgerOrder;
  /** Once the bundle is read. */
  #receipts: ReceiptJudge | null = null;
  readonly notes: ComparisonNotes;

  constructor(host: HostCrypto, log: FindingLog, order: LedgerOrder, { witnesses, stamps }: Asked) {
    this.#host = host;
    this.#order = order;
    this.#log = log;
    this.#stamps = stamps ?? null;
    this.#witnesses = witnesses ?? null;
    this.#demand = witnesses?.policy.everywhere ?? null;
    this.notes = new ComparisonNotes(log, () => this.#demand !== null);
    this.#checkpoints = new KeptCheckpoints(host, log, this.notes);
  }

  /** Of the bundle, or of the other one that shows further clock corrections. */
  get order(): LedgerOrder {
    return this.#order;
  }

  /** What witnesses say, where the reader demands some; of a bundle that fails they say nothing. */
  get witnessed(): Witnessed | null {
    if (this.#demand === null) return null;
    return this.#log.anyFailed ? nothingWitnessed(this.#demand) : (this.#witnessed ?? nothingWitnessed(this.#demand));
  }

  /** Numbers of records that the bundle should hold and lacks. */
  get omitted(): readonly number[] {
    return this.#receipts?.omitted ?? [];
  }

  /** What a comparison without a finding leaves open, or null. */
  get remark(): string | null {
    const beyond = this.#receipts?.beyond ?? 0;
    if (beyond === 0) return null;
    return `${counted(beyond, 'signed receipt')} beyond the head that the bundle states: that it was made before them is the service's word`;
  }

  #leafOf(receipt: Receipt): Uint8Array {
    return receiptLeafHash(receiptSignedBytes(receipt), this.#host.sha256);
  }

  #keep(receipt: Receipt, where: FindingPlace, file: number): void {
    const { seq_no, operation_id, agent_id } = receipt;
    this.#kept.add(receipt, this.#leafOf(receipt), { ...where, seq_no, operation_id, agent_id }, file);
  }

  /** Reads receipts that agents kept, one EAR a line (protocol V1). */
  async loadReceipts({ name, source }: NamedSource): Promise<void> {
    const own = this.notes.give(name);
    const number = ++this.#files;
    for await (const kept of readKeptReceipts(source)) {
      const where = { file: own, line: kept.line };
      if ('error' in kept) this.notes.unreadable(where, kept.error);
      else this.#keep(kept.receipt, where, number);
    }
  }

  /** Reads what another bundle states; whether that bundle is sound is a separate question. */
  async loadBundle({ name, source }: NamedSource): Promise<void> {
    const file = ++this.#files;
    const bundle = await readOtherBundle(
      { name: this.notes.give(name), source },
      this.#host.sha256,
      (receipt, where) => this.#keep(receipt, where, file),
      (where, error) => this.notes.unreadable(where, error),
    );
    for (const link of bundle.links) this.#continued.add(link);
    this.#others.push({ bundle, file, ends: new ChainEnds(bundle) });
  }

  /** Reads a checkpoint that somebody kept. */
  async loadCheckpoint({ name, source }: NamedSource): Promise<void> {
    await this.#checkpoints.load({ name: this.notes.give(name), source }, ++this.#files);
  }

  /**
   * Takes what is demanded of an organization's ledger, and what the file itself brings along: nothing but those whom the reader names
   * makes it say anything.
   */
  async takeCarried(orgId: string, { cosigned, stamped }: CarriedSources): Promise<void> {
    if (this.#witnesses !== null) this.#demand = demandOf(this.#witnesses.policy, orgId);
    for (const one of this.#demand === null ? [] : cosigned) await this.loadCheckpoint(one);
    for (const one of this.#stamps?.takesCarried ? stamped : []) await this.loadCheckpoint(one);
  }

  /** The sizes at which roots of the bundle's log are needed. */
  get sizes(): ReadonlySet<number> {
    return this.#checkpoints.sizes;
  }

  /** Once the bundle's log is known: which file shows the most of how the clock was corrected (protocol V106). */
  async settleOrder(issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const own = this.#order;
    for (const { bundle } of this.#others) {
      const { manifest, manifestSignature: manifest_signature, events, covers } = bundle;
      if (manifest === null || manifest_signature === null || !covers.events) continue;
      if (heldEvents(events, manifest, this.#host.sha256).length < events.length) continue;
      const theirs = new LedgerOrder().load(events);
      if (theirs.corrections.length <= this.#order.corrections.length || !theirs.continues(own)) continue;
      const statement = { manifest, manifest_signature };
      if (await isSignedStatement(statement, (kid) => issuer.soundKey(kid), verifier)) this.#order = theirs;
    }
  }

  /** Tells what the bundle has under a sequence number. */
  sawRecord(record: PreparedRecord): void {
    this.#match(record.ear, record.leaf);
    if (this.#others.length === 0) return;
    const link = linkOf(record);
    this.#continued.addOwn(link);
    for (const { ends } of this.#others) ends.add(link);
  }

  #match(ear: Receipt, leaf: Uint8Array): void {
    const keptHere: readonly Kept[] = this.#kept.match(ear, leaf);
    this.#omissions.note(ear, keptHere, this.#order);
  }

  /** After the last record: judges everything given. Nothing can be said without the manifest's scope. */
  async finish(subject: ReconciledBundle, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const judging = this.#judging(issuer, verifier);
    const { isSigned } = judging;
    const isOfAbsentKey: IsSigned = (statement) =>
      isSignedStatement(statement, (kid) => issuer.absentKey(kid), verifier);
    for (const neighbour of [subject.edges.before, subject.edges.after]) {
      if (neighbour !== null) this.#match(neighbour.ear, this.#leafOf(neighbour.ear));
    }
    this.#receipts = new ReceiptJudge(subject, { ...judging, notes: this.notes, isOfAbsentKey });
    await this.#receipts.judgeAll(this.#kept, this.#omissions);
    const statements = new StatementSet(judging);
    await this.#state(subject, statements, isSigned);
    await judgeBundles(subject, this.#others, this.#continued, judging);
    await this.#omissions.judge(isSigned, this.notes, this.#log);
    await this.#judgeCheckpoints(subject, issuer, verifier, statements, isSigned);
    await statements.finish();
    await judgeRoots({ ...subject, kept: this.#kept, statements }, judging);
    const { manifest } = subject;
    await this.#demandWitnesses(manifest.last_seq_no ?? manifest.log_head.seq_no, verifier);
    this.notes.finish();
  }

  /** Of a proof of records: whether witnesses stand behind what it carries (protocol R14). @param last the highest number in it */
  async finishProof(own: OwnLog, last: number, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    if (!this.notes.given) return;
    const judging = this.#judging(issuer, verifier);
    const statements = new StatementSet(judging);
    await this.#judgeCheckpoints(own, issuer, verifier, statements, judging.isSigned);
    await statements.finish();
    await this.#demandWitnesses(last, verifier);
    this.notes.finish();
  }

  #judging(issuer: Issuer, verifier: StrictVerifier): StatementJudging & { readonly hash: HostCrypto['sha256'] } {
    return {
      hash: this.#host.sha256,
      order: this.#order,
      isSigned: (statement) => isSignedStatement(statement, (kid) => issuer.soundKey(kid), verifier),
      unsigned: (where) => this.notes.unsigned(where),
      log: this.#log,
    };
  }

  async #judgeCheckpoints(
    own: OwnLog,
    issuer: Issuer,
    verifier: StrictVerifier,
    statements: StatementSet,
    isSigned: IsSigned,
  ): Promise<void> {
    const keys = { sound: issuer.soundKeys(), absent: issuer.absentKeys() };
    await this.#checkpoints.judge(own, keys, statements, { verifier, isSigned });
    this.#stamps?.onAgreeing(this.#checkpoints.agreeing);
  }

  /** Whether enough witnesses stand behind all records (protocol V185). */
  async #demandWitnesses(last: number, verifier: StrictVerifier): Promise<void> {
    const { mlDsa44 } = this.#witnesses ?? {};
    if (this.#demand === null || mlDsa44 === undefined) return;
    const rooms = { host: this.#host, verifier };
    this.#witnessed = await judgeWitnesses(this.#checkpoints.agreeing, this.#demand, mlDsa44, rooms);
    if (this.#witnessed.size < last || last === 0) this.notes.notWitnessed(describeWitnessed(this.#witnessed, last));
  }

  /** Puts together what was signed: first what the bundle states, then what each file does. */
  async #state(subject: ReconciledBundle, statements: StatementSet, isSigned: IsSigned): Promise<void> {
    const orgId = subject.manifest.org_id;
    const about = { orgId, kids: new Set(subject.serviceKeys.map(({ kid }) => kid)) };
    await statements.addAll(subject, about, {}, 0);
    const places = new Map<number, number>();
    let index = 0;
    for (const { epoch } of subject.epochs) places.set(epoch.epoch_no, index++);
    const own = { orgId, places, epochs: subject.epochs };
    for (const { bundle, file } of this.#others) {
      await statements.addAll(bundle, about, { file: bundle.name }, file);
      for (const { epoch } of bundle.epochs) await this.#compareEpoch(own, epoch, bundle.name, isSigned);
    }
    for (const { receipt, where, file } of this.#kept.rivals()) {
      if (receipt.org_id === orgId) await statements.add({ receipt }, where, file);
    }
  }

  /** Counts an epoch of another file that is one of the bundle's, or signed and numbered next to one (protocol V125). */
  async #compareEpoch(
    own: Pick<Side, 'epochs'> & { readonly orgId: string; readonly places: ReadonlyMap<number, number> },
    epoch: Epoch,
    file: string,
    isSigned: IsSigned,
  ): Promise<void> {
    const place = own.places.get(epoch.epoch_no);
    const same = place === undefined ? undefined : own.epochs.at(place)?.epoch;
    const isOwn = same !== undefined && equalBytes(epochSignedBytes(same), epochSignedBytes(epoch));
    const isNext = [-1, 0, 1].some((step) => own.places.has(epoch.epoch_no + step));
    if (isOwn || (isNext && epoch.org_id === own.orgId && (await isSigned({ epoch })))) this.notes.compare({ file });
  }
}
