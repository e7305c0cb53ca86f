import type { BundleSource } from '../bundle/document.ts';
import { concatBytes, decodeUtf8, equalBytes } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import { fromBase64Url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { parseJson } from '../json.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { parseReceipt, type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { contradictionBetween } from './contradiction.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import { mustHold, type NamedSource, type OtherBundle, readOtherBundle } from './other-bundle.ts';
import type { FindingPlace } from './report.ts';
import { factsOf, type SignedStatement } from './signed-statement.ts';

interface Kept {
  readonly receipt: Receipt;
  readonly leaf: Uint8Array;
  readonly where: FindingPlace;
  /** What the bundle has under the same number: nothing so far, the same statement, or another. */
  match: 'none' | 'same' | Receipt;
}

/** The bundle that others' statements are held against. */
export interface ReconciledBundle {
  readonly manifest: Manifest;
  readonly manifestSignature: string;
  readonly epochs: readonly { readonly epoch: Epoch; readonly hash: string }[];
  /** The signed statement that lists the bundle's records: what a record it lacks is proven by. Empty where none does. */
  readonly proof: readonly SignedStatement[];
}

type IsSigned = (statement: SignedStatement) => Promise<boolean>;

/** Records that another bundle lacks: more of them say no more. */
const MAX_LACKING = 1000;

/** One receipt a line is at most this long; the file may be somebody else's word. */
const MAX_LINE_BYTES = 64 * 1024;

/**
 * Compares a bundle with what others hold: receipts that agents kept, and other bundles of the organization. What they
 * hold is their word until the issuer's signature on it verifies, so only signed statements become findings of error.
 */
export class Reconciliation {
  readonly #host: HostCrypto;
  readonly #log: FindingLog;
  readonly #bySeqNo = new Map<number, Kept[]>();
  readonly #others: OtherBundle[] = [];
  readonly #lacking: { readonly receipt: Receipt; readonly other: OtherBundle }[] = [];
  readonly #problems: string[] = [];
  given = false;
  compared = 0;
  outOfScope = 0;
  /** Numbers of records that the bundle should hold and lacks. */
  readonly omitted: number[] = [];

  constructor(host: HostCrypto, log: FindingLog) {
    this.#host = host;
    this.#log = log;
  }

  /** Why the comparison is not complete, or null. */
  get problem(): string | null {
    return this.#problems[0] ?? null;
  }

  #keep(receipt: Receipt, where: FindingPlace): void {
    const kept: Kept = {
      receipt,
      leaf: receiptLeafHash(receiptSignedBytes(receipt), this.#host.sha256),
      where: { ...where, seq_no: receipt.seq_no, operation_id: receipt.operation_id, agent_id: receipt.agent_id },
      match: 'none',
    };
    const others = this.#bySeqNo.get(receipt.seq_no);
    if (others === undefined) this.#bySeqNo.set(receipt.seq_no, [kept]);
    else others.push(kept);
  }

  #unreadable(where: FindingPlace, error: unknown): void {
    if (!(error instanceof ProtocolError)) throw error;
    this.#problems.push(`${where.file ?? 'a file'}: not all of it could be read`);
    this.#log.add('MALFORMED', {
      where,
      severity: 'warning',
      check: 'reconciliation',
      message: `Not readable for comparison: ${error.message}.`,
    });
  }

  /** Reads receipts that agents kept, one EAR a line (protocol §9). */
  async loadReceipts({ name, source }: NamedSource): Promise<void> {
    this.given = true;
    let number = 0;
    for await (const line of splitLines(source)) {
      number++;
      const where = { file: name, line: number };
      try {
        if (line.length > MAX_LINE_BYTES) throw new ProtocolError('JSON_INVALID', 'the line is too long for a receipt');
        const text = decodeUtf8(line);
        // JSON's own white space and no other: a byte order mark is none (protocol §1).
        if (/[^ \t\r]/.test(text)) this.#keep(parseReceipt(parseJson(text)), where);
      } catch (error) {
        this.#unreadable(where, error);
      }
    }
  }

  /** Reads what another bundle states; whether that bundle is sound is a question of its own. */
  async loadBundle(named: NamedSource): Promise<void> {
    this.given = true;
    try {
      const other = await readOtherBundle(named, this.#host.sha256, (receipt, where) => this.#keep(receipt, where));
      this.#others.push(other);
    } catch (error) {
      this.#unreadable({ file: named.name }, error);
    }
  }

  /** Tells what the bundle has under a sequence number. */
  sawRecord(ear: Receipt, leaf: Uint8Array): void {
    const keptHere = this.#bySeqNo.get(ear.seq_no) ?? [];
    for (const kept of keptHere) kept.match = equalBytes(kept.leaf, leaf) ? 'same' : ear;
    for (const other of this.#others) {
      if (this.#lacking.length >= MAX_LACKING || !other.isComplete || !mustHold(other.manifest, ear)) continue;
      if (!keptHere.some(({ where }) => where.file === other.name)) this.#lacking.push({ receipt: ear, other });
    }
  }

  /** After the last record: judges everything kept. Nothing can be said without the manifest's scope. */
  async finish(subject: ReconciledBundle, issuer: Issuer, verifier: StrictVerifier): Promise<void> {
    const isSigned = async (statement: SignedStatement): Promise<boolean> => {
      const { kid, signedBytes, signature } = factsOf(statement);
      const publicKey = issuer.keyFor(kid);
      if (publicKey === null) return false;
      const check = { publicKey, message: signedBytes, signature: fromBase64Url(signature, 64) };
      return (await verifier.verify([check]))[0] === true;
    };
    await this.#judgeReceipts(subject, isSigned);
    await this.#judgeEpochs(subject, isSigned);
    await this.#judgeManifests(subject, isSigned);
    await this.#judgeOthers(isSigned);
  }

  async #judgeReceipts({ manifest, proof }: ReconciledBundle, isSigned: IsSigned): Promise<void> {
    for (const [seqNo, keptHere] of [...this.#bySeqNo].sort(([a], [b]) => a - b)) {
      for (const { receipt, where, leaf, match } of keptHere) {
        if (match === 'same') this.compared++;
        else if (receipt.org_id !== manifest.org_id) {
          this.#problems.push('some of what was given belongs to another organization');
          this.outOfScope++;
        } else if (!mustHold(manifest, receipt)) this.outOfScope++;
        else if (!(await isSigned({ receipt }))) this.#unsigned(where);
        else if (match === 'none') {
          this.compared++;
          if (this.omitted.length < MAX_LACKING) this.omitted.push(seqNo);
          this.#log.add('RECORD_OMITTED', {
            where,
            expected: `the record ${receipt.operation_id} under sequence number ${seqNo}`,
            actual: 'no such record',
            message: 'The service signed a receipt for this operation, but the bundle lacks it.',
            evidence: [{ receipt }, ...proof],
          });
        } else {
          this.compared++;
          if (!(await isSigned({ receipt: match }))) continue;
          this.#log.add('EQUIVOCATION', {
            where,
            expected: formatDigest(leaf),
            actual: formatDigest(receiptLeafHash(receiptSignedBytes(match), this.#host.sha256)),
            message: 'The service signed two different receipts for the same sequence number.',
            evidence: [{ receipt }, { receipt: match }],
          });
        }
      }
    }
  }

  async #judgeEpochs({ epochs, manifest }: ReconciledBundle, isSigned: IsSigned): Promise<void> {
    const byNumber = new Map(epochs.map((own) => [own.epoch.epoch_no, own]));
    for (const { epoch, hash, where } of this.#others.flatMap((other) => other.epochs)) {
      const own = byNumber.get(epoch.epoch_no);
      if (own === undefined || own.hash === hash || epoch.org_id !== manifest.org_id) continue;
      if (!(await isSigned({ epoch })) || !(await isSigned({ epoch: own.epoch }))) {
        this.#unsigned(where);
        continue;
      }
      this.#log.add('EQUIVOCATION', {
        where: { ...where, epoch_no: epoch.epoch_no, epoch_id: epoch.epoch_id },
        expected: hash,
        actual: own.hash,
        message: 'The service signed two different epochs with the same number.',
        evidence: [{ epoch }, { epoch: own.epoch }],
      });
    }
  }

  /** Two manifests of one filter over one head of the ledger can only list the same. */
  async #judgeManifests({ manifest, manifestSignature }: ReconciledBundle, isSigned: IsSigned): Promise<void> {
    const own = { manifest, manifest_signature: manifestSignature };
    for (const other of this.#others) {
      if (other.manifest === null || other.manifestSignature === null) continue;
      const theirs = { manifest: other.manifest, manifest_signature: other.manifestSignature };
      const member = contradictionBetween(theirs, own);
      if (member === null || !(await isSigned(theirs)) || !(await isSigned(own))) continue;
      const stated = (of: Manifest): string => String(of[member as keyof Manifest]);
      this.#log.add('EQUIVOCATION', {
        where: { file: other.name, member: `manifest.${member}` },
        expected: stated(other.manifest),
        actual: stated(manifest),
        message: 'The service signed two different lists of records for the same range and head of the ledger.',
        evidence: [theirs, own],
      });
    }
  }

  /** What the bundle holds and another one, which should, does not: a longer bundle must extend a shorter one. */
  async #judgeOthers(isSigned: IsSigned): Promise<void> {
    for (const { receipt, other } of this.#lacking) {
      const { name: file, manifest, manifestSignature } = other;
      if (manifest === null || manifestSignature === null) continue;
      const statement = { manifest, manifest_signature: manifestSignature };
      if (!(await isSigned({ receipt })) || !(await isSigned(statement))) continue;
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

  #unsigned(where: FindingPlace): void {
    this.#problems.push(`${where.file ?? 'a file'}: not everything in it is signed by the issuer`);
    this.#log.add('RECEIPT_SIGNATURE_INVALID', {
      where,
      severity: 'warning',
      check: 'reconciliation',
      message: 'What was kept is not signed by a service key of the bundle; it proves nothing against it.',
    });
  }
}

/** Lines of a file, the last one also without line break; an overlong one is cut just beyond the limit. */
async function* splitLines(source: BundleSource): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  for await (const chunk of source()) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      yield concatBytes(held, chunk.subarray(from, end));
      held = new Uint8Array(0);
      from = end + 1;
    }
    if (held.length <= MAX_LINE_BYTES) held = concatBytes(held, chunk.subarray(from));
  }
  if (held.length > 0) yield held;
}
