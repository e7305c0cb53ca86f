import { type BundleRecord, parseBundleRecord } from '../bundle/bundle-record.ts';
import type { BundleSource } from '../bundle/document.ts';
import { readBundle } from '../bundle/reader.ts';
import { ScanError } from '../bundle/scanner.ts';
import { fromBase64Url } from '../encoding.ts';
import { ProtocolError } from '../protocol-error.ts';
import { recordSignedBytes } from '../statements/record.ts';
import { type ChangedMember, changedInReceipt, changedMembers } from './changed-members.ts';
import type { DraftFinding } from './finding-log.ts';
import { readKeptReceipts } from './kept-receipts.ts';
import { CHANGED_RECORD_CODES, type FindingCode } from './report.ts';
import { isSignedStatement } from './signed-statement.ts';
import type { Tracks } from './tracks.ts';
import type { VerifyOptions } from './verify-options.ts';

const CHANGED_RECEIPT: FindingCode = 'RECEIPT_SIGNATURE_INVALID';

/** Records for which what was signed is looked up, and the longest of them in bytes: they are held at once. */
const MOST_RECORDS = 20;
const MOST_BYTES = 1024 * 1024;

interface Suspect {
  readonly finding: DraftFinding;
  readonly record: BundleRecord;
}

/** Of a copy that cannot be read whole nothing is told: it was said where it was read first. */
function asUnreadable(error: unknown): readonly ChangedMember[] {
  if (error instanceof ProtocolError) return [];
  throw error;
}

/** The records of a file, without those that cannot be read. @throws only what the source itself throws */
async function* recordsOf(source: BundleSource, lines?: ReadonlySet<number>): AsyncGenerator<[BundleRecord, number]> {
  try {
    for await (const events of readBundle(source)) {
      for (const event of events) {
        if (event.kind !== 'value' || event.member !== 'records') continue;
        const { bytes, line } = event;
        if (lines?.has(line) === false || bytes.length > MOST_BYTES) continue;
        try {
          yield [parseBundleRecord(bytes), line];
        } catch (error) {
          if (!(error instanceof ProtocolError)) throw error;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
  }
}

/**
 * What the first records that are not as signed were before, where a file that was given still has it: read once more for
 * it, after everything was judged, since nothing of a record is kept while a bundle is verified. Changes no finding but for saying more.
 */
export class SignedValues {
  readonly #tracks: Tracks;
  readonly #options: VerifyOptions;
  readonly #suspects = new Set<Suspect>();

  constructor(tracks: Tracks, options: VerifyOptions) {
    this.#tracks = tracks;
    this.#options = options;
  }

  async tell(source: BundleSource): Promise<void> {
    const { against = [], receipts = [] } = this.#options;
    if (against.length + receipts.length === 0) return;
    await this.#find(source);
    for (const { source: other } of this.#suspects.size === 0 ? [] : against) {
      for await (const [copy] of recordsOf(other)) await this.#compare(copy.ear, copy);
    }
    for (const { source: kept } of this.#suspects.size === 0 ? [] : receipts) {
      for await (const line of readKeptReceipts(kept)) if ('receipt' in line) await this.#compare(line.receipt, null);
    }
  }

  async #find(source: BundleSource): Promise<void> {
    const findings = this.#tracks.log
      .listed()
      .filter(({ code, severity, where }) => {
        const isOfRecord = CHANGED_RECORD_CODES.has(code) || code === CHANGED_RECEIPT;
        return isOfRecord && severity === 'error' && where.line !== undefined && where.seq_no !== undefined;
      })
      .slice(0, MOST_RECORDS);
    if (findings.length === 0) return;
    for await (const [record, line] of recordsOf(source, new Set(findings.map(({ where }) => where.line ?? 0)))) {
      this.#options.signal?.throwIfAborted();
      for (const finding of findings) {
        const { where } = finding;
        const isIt = where.line === line && where.seq_no === record.ear.seq_no;
        if (isIt && where.operation_id === record.eor.operation_id) this.#suspects.add({ finding, record });
      }
    }
  }

  /** Holds what a file has against all that is looked for. */
  async #compare(receipt: BundleRecord['ear'], copy: BundleRecord | null): Promise<void> {
    this.#options.signal?.throwIfAborted();
    for (const suspect of this.#suspects) {
      const { finding, record } = suspect;
      const changed = await this.#changed(finding.code, record, receipt, copy).catch(asUnreadable);
      if (changed.length === 0) continue;
      this.#tracks.log.amend(finding, changed);
      this.#suspects.delete(suspect);
    }
  }

  async #changed(
    code: FindingCode,
    { eor, ear, disclosures }: BundleRecord,
    receipt: BundleRecord['ear'],
    copy: BundleRecord | null,
  ): Promise<readonly ChangedMember[]> {
    const { host, issuer, verifier } = this.#tracks;
    const isSigned = (one: BundleRecord['ear']) =>
      isSignedStatement({ receipt: one }, (kid) => issuer.soundKey(kid), verifier);
    if (code === CHANGED_RECEIPT) {
      const isOfIt = receipt.operation_id === eor.operation_id;
      return isOfIt && (await isSigned(receipt)) ? changedInReceipt(ear, receipt) : [];
    }
    if (copy === null || copy.ear.chain_hash !== ear.chain_hash) return [];
    const changed = changedMembers({ eor, ear, disclosures }, copy, host.sha256);
    return changed.length > 0 && (await isSigned(ear)) && (await this.#isByAgent(copy)) ? changed : [];
  }

  async #isByAgent({ eor }: BundleRecord): Promise<boolean> {
    const { directory, verifier } = this.#tracks;
    const key = directory.find(eor.agent_id, eor.agent_pubkey_kid);
    if (key?.strict !== true || !key.attested) return false;
    const signature = fromBase64Url(eor.signature, 64);
    return verifier.holds({ publicKey: key.publicKey, message: recordSignedBytes(eor), signature });
  }
}
