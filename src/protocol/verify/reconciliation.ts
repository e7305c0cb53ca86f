import type { Edges } from '../bundle/edges.ts';
import { equalBytes } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import { type Epoch, epochSignedBytes } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { parseTime } from '../time.ts';
import { ComparisonNotes } from './comparison-notes.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import { KeptCheckpoints, type OwnLog } from './kept-checkpoints.ts';
import { type Kept, KeptIndex } from './kept-index.ts';
import { readKeptReceipts } from './kept-receipts.ts';
import { KeptRoots } from './kept-roots.ts';
import { LedgerOrder } from './ledger-order.ts';
import { heldEvents } from './noted-event.ts';
import { isHidden, mustHold, type NamedSource, type OtherBundle, readOtherBundle } from './other-bundle.ts';
import { linkOf, type PreparedRecord } from './prepared-record.ts';
import type { FindingPlace } from './report.ts';
import type { Side } from './side.ts';
import { isSignedStatement, type SignedStatement } from './signed-statement.ts';
import { type IsSigned, type LogRoot, StatementSet } from './statement-set.ts';
import { type ChainConflict, ChainEnds, Continuations } from './two-chains.ts';
import { type Judging, judgeLedgers } from './two-ledgers.ts';
import { judgeEpochMoments, judgeMoments } from './two-moments.ts';
import { counted } from './wording.ts';

/** The bundle that is verified, with what it says of its log. */
export interface ReconciledBundle extends Side, OwnLog {
  readonly manifestSignature: string;
  readonly edges: Edges;
  /** The signed statement that lists the bundle's records: what a record it lacks is proven by. Empty where none does. */
  readonly proof: readonly SignedStatement[];
}

/** A bundle that was given. */
interface Given {
  readonly bundle: OtherBundle;
  /** Its place among the files given, from 1. */
  readonly file: number;
  readonly ends: ChainEnds;
}

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
  readonly #others: Given[] = [];
  readonly #continued = new Continuations();
  readonly #lacking: { readonly receipt: Receipt; readonly other: OtherBundle }[] = [];
  readonly #checkpoints: KeptCheckpoints;
  #files = 0;
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

  #keep(receipt: Receipt, where: FindingPlace, file: number): void {
    const { seq_no, operation_id, agent_id } = receipt;
    const leaf = receiptLeafHash(receiptSignedBytes(receipt), this.#host.sha256);
    this.#kept.add(receipt, leaf, { ...where, seq_no, operation_id, agent_id }, file);
  }

  /** Reads receipts that agents kept, one EAR a line (protocol V101). */
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

  /** The sizes at which roots of the bundle's log are needed. */
  get sizes(): ReadonlySet<number> {
    return this.#checkpoints.sizes;
  }

  /** Once the bundle's log is known: which file shows the most of how the clock was corrected. */
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
    const keptHere = this.#kept.match(ear, leaf);
    this.#noteLacking(ear, keptHere);
  }

  /** Notes the other bundles that should hold a receipt and lack it. */
  #noteLacking(receipt: Receipt, keptHere: readonly Kept[]): void {
    for (const { bundle, file } of this.#others) {
      if (this.#lacking.length >= MAX_LACKING || !bundle.covers.records) continue;
      const isDue = mustHold(bundle.manifest, receipt, this.#order) || isHidden(bundle.manifest, receipt, this.#order);
      if (!isDue) continue;
      if (!keptHere.some((kept) => kept.file === file)) this.#lacking.push({ receipt, other: bundle });
    }
  }

  /** After the last record: judges everything given. Nothing can be said without the manifest's scope. */
  async finish(subject: ReconciledBundle, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const isSigned: IsSigned = (statement) => isSignedStatement(statement, (kid) => issuer.soundKey(kid), verifier);
    for (const neighbour of [subject.edges.before, subject.edges.after]) {
      if (neighbour === null) continue;
      this.#match(neighbour.ear, receiptLeafHash(receiptSignedBytes(neighbour.ear), this.#host.sha256));
    }
    const isOfAbsentKey: IsSigned = (statement) =>
      isSignedStatement(statement, (kid) => issuer.absentKey(kid), verifier);
    await this.#judgeReceipts(subject, isSigned, isOfAbsentKey);
    const statements = new StatementSet(isSigned, (where) => this.notes.unsigned(where), this.#log, this.#order);
    await this.#state(subject, statements, isSigned);
    const judging = {
      hash: this.#host.sha256,
      order: this.#order,
      isSigned,
      unsigned: (where: FindingPlace) => this.notes.unsigned(where),
      log: this.#log,
    };
    await this.#judgeBundles(subject, judging);
    await this.#judgeLacking(isSigned);
    const keys = { sound: issuer.soundKeys(), absent: issuer.absentKeys() };
    await this.#checkpoints.judge(subject, keys, statements, { verifier, isSigned });
    await statements.finish();
    await this.#judgeRoots(subject, statements, isSigned);
    this.notes.finish();
  }

  /** Puts together what was signed: first what the bundle states, then what each file does. */
  async #state(subject: ReconciledBundle, statements: StatementSet, isSigned: IsSigned): Promise<void> {
    const orgId = subject.manifest.org_id;
    const kids = new Set<string | null>(subject.serviceKeys.map(({ kid }) => kid));
    const addAll = async (from: StatedParts, place: FindingPlace, file: number): Promise<void> => {
      for (const { epoch, where = place } of from.epochs) {
        const { epoch_no, epoch_id, org_id } = epoch;
        if (org_id === orgId) await statements.add({ epoch }, { ...where, epoch_no, epoch_id }, file);
      }
      const { manifest, manifestSignature: manifest_signature } = from;
      if (manifest?.org_id === orgId && manifest_signature !== null) {
        await statements.add({ manifest, manifest_signature }, place, file);
      }
      for (const service_key of from.serviceKeys) {
        // Whoever makes a key can have it name any other as the one before it: only that one's signature counts.
        if (!kids.has(service_key.kid) && !kids.has(service_key.prev_kid)) continue;
        await statements.add({ service_key }, { ...place, kid: service_key.kid }, file);
      }
      for (const { agent_id, org_id, keys } of from.agents) {
        // A key listed below another agent than its own is no statement about that one.
        for (const agent_key of keys.filter((key) => org_id === orgId && key.agent_id === agent_id)) {
          await statements.add({ org_id, agent_key }, { ...place, agent_id, kid: agent_key.kid }, file);
        }
      }
    };
    await addAll(subject, {}, 0);
    const own = new Map(subject.epochs.map(({ epoch }) => [epoch.epoch_no, epoch]));
    for (const { bundle, file } of this.#others) {
      await addAll(bundle, { file: bundle.name }, file);
      for (const { epoch } of bundle.epochs) await this.#compareEpoch(own, epoch, bundle.name, isSigned);
    }
    for (const { receipt, where, file } of this.#kept.rivals()) {
      if (receipt.org_id === orgId) await statements.add({ receipt }, where, file);
    }
  }

  /** Counts an epoch of another file that is one of the bundle's, or signed and numbered next to one. */
  async #compareEpoch(own: ReadonlyMap<number, Epoch>, epoch: Epoch, file: string, isSigned: IsSigned): Promise<void> {
    const same = own.get(epoch.epoch_no);
    const bytes = epochSignedBytes(epoch);
    const isOwn = same !== undefined && equalBytes(epochSignedBytes(same), bytes);
    const isNext = [-1, 0, 1].some((step) => own.has(epoch.epoch_no + step));
    if (isOwn || (isNext && [...own.values()][0]?.org_id === epoch.org_id && (await isSigned({ epoch })))) {
      this.notes.compare({ file });
    }
  }

  /** Holds each two bundles against each other: the verified one and all that were given. */
  async #judgeBundles(subject: ReconciledBundle, judging: Omit<Judging, 'file'>): Promise<void> {
    const { isSigned } = judging;
    const orgId = subject.manifest.org_id;
    const sides: Side[] = [subject];
    for (const given of this.#others) {
      const { manifest, manifestSignature: manifest_signature, ...bundle } = given.bundle;
      const isOurs = manifest?.org_id === orgId && manifest_signature !== null;
      const of = { file: bundle.name, ...judging };
      for (const side of sides) if (side.signed) await judgeEpochMoments(side.manifest, bundle.epochs, of);
      if (!isOurs) continue;
      const side = { ...bundle, manifest, signed: await isSigned({ manifest, manifest_signature }) };
      for (const one of sides) {
        if (side.signed) await judgeEpochMoments(manifest, one.epochs, of);
        judgeLedgers(one, side, of);
        await judgeMoments(one, side, of);
      }
      await this.#tellChains(brokenEnds(subject, side, given.ends), isSigned);
      sides.push(side);
    }
    const receiptIsSigned = (receipt: Receipt): Promise<boolean> => isSigned({ receipt });
    for await (const conflict of this.#continued.conflicts(orgId, receiptIsSigned)) {
      await this.#tellChains([conflict], isSigned);
    }
  }

  async #tellChains(conflicts: readonly ChainConflict[], isSigned: IsSigned): Promise<void> {
    for (const { theirs, own, where, message } of conflicts) {
      if (!(await isSigned({ receipt: theirs })) || !(await isSigned({ receipt: own }))) this.notes.unsigned(where);
      else this.#log.add('CONTRADICTION', { where, expected: theirs.chain_hash, actual: own.chain_hash, message });
    }
  }

  /** Of each size the log has one root, whoever states it and whatever gives it (protocol V123). */
  async #judgeRoots(subject: ReconciledBundle, statements: StatementSet, isSigned: IsSigned): Promise<void> {
    const roots = new Map([...statements.roots()].map((root) => [root.size, root]));
    const given: LogRoot[] = [...subject.logRoots].map(([size, root]) => ({
      ...{ size, root, where: {}, file: 0 },
      isProven: () => Promise.resolve(true),
      isCompared: false,
    }));
    const kept = await KeptRoots.of(this.#kept, subject.manifest.org_id, isSigned, this.#host.sha256);
    given.push(...kept.at(new Set([...roots.keys(), ...given.map(({ size }) => size)])));
    for (const root of given) {
      const first = roots.get(root.size);
      if (first === undefined) roots.set(root.size, root);
      else if (root.file === 0 && first.isCompared) roots.set(root.size, root);
      else if (first.root !== root.root && first.file + root.file > 0) await this.#judgeRoot(first, root);
    }
  }

  async #judgeRoot(first: LogRoot, other: LogRoot): Promise<void> {
    const later = first.file > other.file ? first : other;
    for (const one of [first, other]) {
      if (await one.isProven()) continue;
      this.notes.unsigned(one.file === 0 ? later.where : one.where);
      return;
    }
    this.#log.add('CONTRADICTION', {
      ...{ where: later.where, expected: first.root, actual: other.root },
      message: `What was given leads to another root of the log at the size ${first.size} than what the service signed.`,
    });
  }

  async #judgeReceipts(subject: ReconciledBundle, isSigned: IsSigned, isOfAbsentKey: IsSigned): Promise<void> {
    for (const kept of this.#kept.list()) {
      const { org_id } = subject.manifest;
      const isAbsent = kept.receipt.org_id === org_id && (await isOfAbsentKey({ receipt: kept.receipt }));
      if (isAbsent) this.#judgeAbsentKey(kept, subject);
      else await this.#judgeReceipt(kept, subject, isSigned);
      const { receipt, match } = kept;
      if (match === 'none') this.#noteLacking(receipt, this.#kept.at(receipt.seq_no));
    }
  }

  /** A receipt under a key that the reader trusts and the bundle lacks: nothing but a later rotation explains that (protocol V109). */
  #judgeAbsentKey({ receipt, where }: Kept, { manifest, signed }: ReconciledBundle): void {
    const received = this.#order.at('seq_no', receipt.seq_no, parseTime(receipt.server_received_at));
    const isLater = receipt.seq_no > manifest.log_head.seq_no && received >= this.#order.made(manifest);
    if (isLater || !signed) {
      this.notes.outOfScope++;
      return;
    }
    this.notes.compare(where);
    this.#log.add('CONTRADICTION', {
      where: { ...where, kid: receipt.service_kid },
      expected: `a bundle that has the service key ${receipt.service_kid}`,
      actual: 'no such key',
      message:
        'A service key that you trust signed this receipt before the bundle was made, which does not have that key.',
    });
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

  /** What one file holds and another bundle, which should, does not: a longer bundle must extend a shorter one. */
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
        message: 'The service signed a receipt for a record that this other bundle should hold and lacks.',
        evidence: [{ receipt }, statement],
      });
    }
  }
}

/** The parts of a bundle that hold signed statements, its receipts apart. */
interface StatedParts extends Pick<OtherBundle, 'manifest' | 'manifestSignature' | 'serviceKeys' | 'agents'> {
  readonly epochs: readonly { readonly epoch: Epoch; readonly where?: FindingPlace }[];
}

/** Where the chains of a bundle of all agents do not continue in another one that follows it, or that it follows. */
function brokenEnds(subject: Side, other: Side, ends: ChainEnds): readonly ChainConflict[] {
  const isWhole = ({ signed, covers, manifest }: Side): boolean =>
    signed && covers.records && manifest.filter.agent_id === null;
  const { first_seq_no: first, last_seq_no: last } = subject.manifest;
  return !isWhole(subject) || !isWhole(other) || first === null || last === null ? [] : ends.finish([first, last]);
}
