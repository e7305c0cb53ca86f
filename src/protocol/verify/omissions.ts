import type { Manifest } from '../statements/manifest.ts';
import type { Receipt } from '../statements/receipt.ts';
import { parseTime } from '../time.ts';
import type { ComparisonNotes } from './comparison-notes.ts';
import type { FindingLog } from './finding-log.ts';
import type { Given } from './given-bundles.ts';
import type { Kept } from './kept-index.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { OtherBundle } from './other-bundle.ts';
import type { IsSigned } from './statement-set.ts';

/** Records that a bundle lacks: more of them say no more. */
export const MAX_LACKING = 1000;

/**
 * Whether a bundle had to hold a record: received in its range, of its agent, and before it was made; or of its one agent, and
 * behind the record that the manifest states as the agent's newest although the ledger had it.
 */
export function mustHold(manifest: Manifest | null, receipt: Receipt, order: LedgerOrder): boolean {
  if (manifest === null || receipt.org_id !== manifest.org_id) return false;
  const { filter, log_head, agent_head, clock_corrections = 0 } = manifest;
  if (filter.agent_id !== null && filter.agent_id !== receipt.agent_id) return false;
  const isInLedger = receipt.seq_no <= log_head.seq_no;
  if (filter.agent_id !== null && isInLedger && receipt.seq_no > (agent_head?.seq_no ?? 0)) return true;
  const received = parseTime(receipt.server_received_at);
  const placed = order.inRange(receipt.seq_no, received, clock_corrections);
  return (
    placed >= parseTime(filter.start_time) &&
    placed < parseTime(filter.end_time) &&
    (isInLedger || order.at('seq_no', receipt.seq_no, received) < order.made(manifest))
  );
}

/**
 * Whether a receipt shows that the ledger was longer when a bundle was made than its manifest states: it lies behind the stated
 * head, and was given before. It does not matter whether the bundle would have to hold the record.
 */
export function isHidden(
  manifest: Manifest | null,
  { org_id, seq_no, server_received_at }: Receipt,
  order: LedgerOrder,
): boolean {
  if (manifest === null || org_id !== manifest.org_id) return false;
  const received = order.at('seq_no', seq_no, parseTime(server_received_at));
  return seq_no > manifest.log_head.seq_no && received < order.made(manifest);
}

/** What one file holds and another bundle, which should, does not: a longer bundle must extend a shorter one (protocol V119). */
export class Omissions {
  readonly #others: readonly Given[];
  readonly #lacking: { readonly receipt: Receipt; readonly other: OtherBundle }[] = [];

  /** @param others the bundles that were given, which may become more */
  constructor(others: readonly Given[]) {
    this.#others = others;
  }

  /** Notes the other bundles that should hold a receipt and lack it. @param keptHere what they have under its number */
  note(receipt: Receipt, keptHere: readonly Kept[], order: LedgerOrder): void {
    for (const { bundle, file } of this.#others) {
      if (this.#lacking.length >= MAX_LACKING || !bundle.covers.records) continue;
      const isDue = mustHold(bundle.manifest, receipt, order) || isHidden(bundle.manifest, receipt, order);
      if (isDue && !keptHere.some((kept) => kept.file === file)) this.#lacking.push({ receipt, other: bundle });
    }
  }

  async judge(isSigned: IsSigned, notes: ComparisonNotes, log: FindingLog): Promise<void> {
    for (const { receipt, other } of this.#lacking) {
      const { name: file, manifest, manifestSignature: manifest_signature } = other;
      if (manifest === null || manifest_signature === null) continue;
      const statement = { manifest, manifest_signature };
      if (!(await isSigned({ receipt }))) continue;
      if (!(await isSigned(statement))) {
        notes.unsigned({ file });
        continue;
      }
      notes.contributed({ file });
      const { seq_no, operation_id, agent_id } = receipt;
      log.add('RECORD_OMITTED', {
        where: { file, seq_no, operation_id, agent_id },
        expected: `the record ${operation_id} under sequence number ${seq_no}`,
        actual: 'no such record',
        message: 'The service signed a receipt for a record that this other bundle should hold and lacks.',
        evidence: [{ receipt }, statement],
      });
    }
  }
}
