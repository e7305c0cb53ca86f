import { formatDigest, type Sha256 } from '../digest.ts';
import type { Manifest } from '../statements/manifest.ts';
import { type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { parseTime } from '../time.ts';
import type { ComparisonNotes } from './comparison-notes.ts';
import type { Kept, KeptIndex } from './kept-index.ts';
import { isHidden, MAX_LACKING, mustHold, type Omissions } from './omissions.ts';
import type { Side } from './side.ts';
import type { SignedStatement } from './signed-statement.ts';
import type { IsSigned, StatementJudging } from './statement-set.ts';

/** What kept receipts are judged by. */
interface ReceiptJudging extends StatementJudging {
  readonly notes: ComparisonNotes;
  readonly hash: Sha256;
  /** Whether a key that the reader trusts and the bundle lacks signed it. */
  readonly isOfAbsentKey: IsSigned;
}

/** What a bundle says of the receipts that it should have. */
type Subject = Pick<Side, 'manifest' | 'signed'> & {
  /** The signed statement that lists its records; empty where none does. */
  readonly proof: readonly SignedStatement[];
};

/** Why the ledger that a bundle states cannot have had a receipt at its time. */
interface Impossible {
  readonly expected: string;
  readonly message: string;
}

/** Receipts that others hold, each against what the bundle has in its place (protocol V101 to V105, V109). */
export class ReceiptJudge {
  readonly #subject: Subject;
  readonly #judging: ReceiptJudging;
  /** Signed receipts behind the head of the ledger that the manifest states. */
  beyond = 0;
  /** Numbers of records that the bundle should hold and lacks. */
  readonly omitted: number[] = [];

  constructor(subject: Subject, judging: ReceiptJudging) {
    this.#subject = subject;
    this.#judging = judging;
  }

  /** Judges all of them, and tells which of those that the bundle lacks other bundles should hold. */
  async judgeAll(index: KeptIndex, omissions: Omissions): Promise<void> {
    const { manifest } = this.#subject;
    for (const kept of index.list()) {
      const { receipt, match } = kept;
      const isAbsent = receipt.org_id === manifest.org_id && (await this.#judging.isOfAbsentKey({ receipt }));
      if (isAbsent) this.#judgeAbsentKey(kept);
      else await this.#judge(kept);
      if (match === 'none') omissions.note(receipt, index.at(receipt.seq_no), this.#judging.order);
    }
  }

  /** A receipt under a key that the reader trusts and the bundle lacks: nothing but a later rotation explains that (protocol V109). */
  #judgeAbsentKey({ receipt, where }: Kept): void {
    const { log, notes, order } = this.#judging;
    const { manifest, signed } = this.#subject;
    const received = order.at('seq_no', receipt.seq_no, parseTime(receipt.server_received_at));
    const isLater = receipt.seq_no > manifest.log_head.seq_no && received >= order.made(manifest);
    if (isLater || !signed) {
      notes.outOfScope++;
      return;
    }
    notes.compare(where);
    log.add('CONTRADICTION', {
      where: { ...where, kid: receipt.service_kid },
      expected: `a bundle that has the service key ${receipt.service_kid}`,
      actual: 'no such key',
      message:
        'A service key that you trust signed this receipt before the bundle was made, which does not have that key.',
    });
  }

  async #judge(kept: Kept): Promise<void> {
    const { notes, order, isSigned } = this.#judging;
    const { manifest } = this.#subject;
    const { receipt, where, match } = kept;
    if (await this.#judgeOperation(kept)) return;
    if (match === 'same') {
      notes.compare(where);
      return;
    }
    if (receipt.org_id !== manifest.org_id) {
      notes.ofAnotherOrganization();
      return;
    }
    const isDue = mustHold(manifest, receipt, order);
    if (match === 'none' && !isDue && !isHidden(manifest, receipt, order)) await this.#judgeOutOfScope(kept);
    else if (!(await isSigned({ receipt }))) notes.unsigned(where);
    else {
      notes.compare(where);
      if (match === 'none') this.#tellOmitted(kept, isDue);
      else await this.#tellAnother(kept, match);
    }
  }

  /** One that the bundle need not hold: it may have come when the ledger of the bundle cannot have had it. */
  async #judgeOutOfScope({ receipt, where }: Kept): Promise<void> {
    const { log, notes, isSigned } = this.#judging;
    const { manifest, signed } = this.#subject;
    if (receipt.seq_no > manifest.log_head.seq_no) {
      if (await isSigned({ receipt })) this.beyond++;
      notes.outOfScope++;
      return;
    }
    const later = signed ? this.#laterThanMade(receipt, manifest) : null;
    if (later !== null && !(await isSigned({ receipt }))) {
      notes.unsigned(where);
      return;
    }
    notes.outOfScope++;
    if (later !== null) log.add('CONTRADICTION', { where, actual: receipt.server_received_at, ...later });
  }

  /** Why the ledger that a bundle states cannot have had a receipt at its time; null where it can. */
  #laterThanMade({ seq_no, server_received_at }: Receipt, manifest: Manifest): Impossible | null {
    const { order } = this.#judging;
    const received = parseTime(server_received_at);
    if (order.at('seq_no', seq_no, received) > order.made(manifest)) {
      const message = 'The receipt was given after the bundle was made, whose ledger is said to have had it.';
      return { expected: `at the latest ${manifest.created_at}`, message };
    }
    const expected = order.misfit('seq_no', seq_no, received);
    const message = 'The receipt was given at a time that the clock corrections of the log do not leave it.';
    return expected === null ? null : { expected, message };
  }

  #tellOmitted({ receipt, where }: Kept, isDue: boolean): void {
    const { manifest, proof } = this.#subject;
    if (isDue && this.omitted.length < MAX_LACKING) this.omitted.push(receipt.seq_no);
    this.#judging.log.add('RECORD_OMITTED', {
      where,
      expected: `the record ${receipt.operation_id} under sequence number ${receipt.seq_no}`,
      actual: isDue ? 'no such record' : `a ledger that ended with ${manifest.log_head.seq_no}`,
      message: isDue
        ? 'The service signed a receipt for this operation, but the bundle lacks it.'
        : 'The service signed a receipt for this operation before it made the bundle, whose ledger ends before it.',
      evidence: [{ receipt }, ...proof],
    });
  }

  async #tellAnother({ receipt, where, leaf }: Kept, match: Receipt): Promise<void> {
    const { log, hash, isSigned } = this.#judging;
    if (!(await isSigned({ receipt: match }))) return;
    log.add('EQUIVOCATION', {
      where,
      expected: formatDigest(leaf),
      actual: formatDigest(receiptLeafHash(receiptSignedBytes(match), hash)),
      message: 'The service signed two different receipts for the same sequence number.',
      evidence: [{ receipt }, { receipt: match }],
    });
  }

  /**
   * An operation is accepted once: two receipts for it contradict each other, whatever range their bundles are of.
   * @returns whether that settles what is to be said of the kept one, since it is not signed
   */
  async #judgeOperation({ receipt, where, elsewhere, match }: Kept): Promise<boolean> {
    const { log, notes, isSigned } = this.#judging;
    const orgId = this.#subject.manifest.org_id;
    // Where the bundle has something under the number too, that says enough.
    if (elsewhere === null || match !== 'none' || receipt.org_id !== orgId || elsewhere.org_id !== orgId) return false;
    if (!(await isSigned({ receipt: elsewhere }))) return false;
    // As unknown as its key may be, nothing honest explains it: a bundle of before a rotation lacks the key of later receipts.
    if (!(await isSigned({ receipt }))) {
      notes.unsigned(where);
      return true;
    }
    notes.compare(where);
    log.add('EQUIVOCATION', {
      where,
      expected: `sequence number ${receipt.seq_no}`,
      actual: `sequence number ${elsewhere.seq_no}`,
      message: 'The service signed two different receipts for the same operation.',
      evidence: [{ receipt }, { receipt: elsewhere }],
    });
    return false;
  }
}
