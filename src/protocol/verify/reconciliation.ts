import type { BundleSource } from '../bundle/document.ts';
import { readBundle } from '../bundle/reader.ts';
import { concatBytes, decodeUtf8, equalBytes } from '../bytes.ts';
import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import { formatDigest } from '../digest.ts';
import type { SignatureCheck } from '../ed25519.ts';
import { fromBase64Url } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { parseJson, parseJsonBytes } from '../json.ts';
import { type Epoch, epochHash, epochSignedBytes, parseEpoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import { parseReceipt, type Receipt, receiptLeafHash, receiptSignedBytes } from '../statements/receipt.ts';
import { parseTime } from '../time.ts';
import type { FindingLog } from './finding-log.ts';
import type { Issuer } from './issuer.ts';
import type { FindingPlace } from './report.ts';

/** A file to compare the bundle with; `name` is how findings call it. */
export interface NamedSource {
  readonly name: string;
  readonly source: BundleSource;
}

interface Kept {
  readonly receipt: Receipt;
  readonly leaf: Uint8Array;
  readonly where: FindingPlace;
  /** What the bundle has under the same number: nothing so far, the same statement, or another. */
  match: 'none' | 'same' | Receipt;
}

interface KeptEpoch {
  readonly epoch: Epoch;
  readonly hash: string;
  readonly where: FindingPlace;
}

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
  readonly #epochs: KeptEpoch[] = [];
  readonly #problems: string[] = [];
  given = false;
  compared = 0;
  outOfScope = 0;

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

  /** Reads the receipts and epochs of another bundle; whether that bundle is sound is a question of its own. */
  async loadBundle({ name, source }: NamedSource): Promise<void> {
    this.given = true;
    try {
      for await (const events of readBundle(source)) {
        for (const event of events) {
          if (event.kind !== 'value' || !event.value.element) continue;
          const { member, bytes, line } = event.value;
          const where = { file: name, line };
          if (member === 'records') {
            const record = parseJsonBytes(bytes);
            const ear =
              typeof record === 'object' && record !== null && 'ear' in record
                ? (record as { ear: unknown }).ear
                : undefined;
            this.#keep(parseReceipt(ear), where);
          } else if (member === 'epochs') {
            const epoch = parseEpoch(parseJsonBytes(bytes));
            this.#epochs.push({ epoch, hash: epochHash(epochSignedBytes(epoch), this.#host.sha256), where });
          }
        }
      }
    } catch (error) {
      this.#unreadable({ file: name }, error);
    }
  }

  /** Tells what the bundle has under a sequence number. */
  sawRecord(ear: Receipt, leaf: Uint8Array): void {
    for (const kept of this.#bySeqNo.get(ear.seq_no) ?? []) {
      kept.match = equalBytes(kept.leaf, leaf) ? 'same' : ear;
    }
  }

  /** After the last record: judges everything kept. Nothing can be said without the manifest's scope. */
  async finish(
    manifest: Manifest,
    epochs: readonly { readonly epoch: Epoch; readonly hash: string }[],
    issuer: Issuer,
    verifier: StrictVerifier,
  ): Promise<void> {
    const isSigned = async (kid: string, message: Uint8Array, signature: string): Promise<boolean> => {
      const publicKey = issuer.keyFor(kid);
      if (publicKey === null) return false;
      const check: SignatureCheck = { publicKey, message, signature: fromBase64Url(signature, 64) };
      return (await verifier.verify([check]))[0] === true;
    };
    const receiptSigned = (receipt: Receipt): Promise<boolean> =>
      isSigned(receipt.service_kid, receiptSignedBytes(receipt), receipt.service_signature);

    for (const [seqNo, keptHere] of [...this.#bySeqNo].sort(([a], [b]) => a - b)) {
      for (const kept of keptHere) {
        if (kept.match === 'same') this.compared++;
        else if (!this.#isInScope(kept.receipt, manifest)) this.outOfScope++;
        else if (!(await receiptSigned(kept.receipt))) this.#unsigned(kept.where);
        else if (kept.match === 'none') {
          this.compared++;
          this.#log.add('RECORD_OMITTED', {
            where: kept.where,
            expected: `the record ${kept.receipt.operation_id} under sequence number ${seqNo}`,
            actual: 'no such record',
            message: 'The service signed a receipt for this operation, but the bundle lacks it.',
          });
        } else {
          this.compared++;
          if (await receiptSigned(kept.match)) this.#equivocation(kept.where, kept.leaf, kept.match);
        }
      }
    }
    for (const { epoch, hash, where } of this.#epochs) {
      const own = epochs.find((candidate) => candidate.epoch.epoch_no === epoch.epoch_no);
      if (own === undefined || own.hash === hash || epoch.org_id !== manifest.org_id) continue;
      const bothSigned =
        (await isSigned(epoch.service_kid, epochSignedBytes(epoch), epoch.signature_by_service)) &&
        (await isSigned(own.epoch.service_kid, epochSignedBytes(own.epoch), own.epoch.signature_by_service));
      if (!bothSigned) {
        this.#unsigned(where);
        continue;
      }
      this.#log.add('EQUIVOCATION', {
        where: { ...where, epoch_no: epoch.epoch_no, epoch_id: epoch.epoch_id },
        expected: hash,
        actual: own.hash,
        message: 'The service signed two different epochs with the same number.',
      });
    }
  }

  /** Whether the bundle had to hold the record: received in its range, of its agent, and before it was made. */
  #isInScope(receipt: Receipt, manifest: Manifest): boolean {
    if (receipt.org_id !== manifest.org_id) {
      this.#problems.push('some of what was given belongs to another organization');
      return false;
    }
    const received = parseTime(receipt.server_received_at);
    return (
      (manifest.filter.agent_id === null || manifest.filter.agent_id === receipt.agent_id) &&
      received >= parseTime(manifest.filter.start_time) &&
      received < parseTime(manifest.filter.end_time) &&
      (receipt.seq_no <= manifest.log_head.seq_no || received < parseTime(manifest.created_at))
    );
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

  #equivocation(where: FindingPlace, keptLeaf: Uint8Array, own: Receipt): void {
    this.#log.add('EQUIVOCATION', {
      where,
      expected: formatDigest(keptLeaf),
      actual: formatDigest(receiptLeafHash(receiptSignedBytes(own), this.#host.sha256)),
      message: 'The service signed two different receipts for the same sequence number.',
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
