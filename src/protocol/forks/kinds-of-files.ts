import { readContents } from '../bundle/contents.ts';
import { type BundleSource, readPiece } from '../bundle/document.ts';
import { withoutMark } from '../bytes.ts';
import type { HostCrypto } from '../crypto.ts';
import { parseJsonBytes } from '../json.ts';
import { unlessRefused } from '../protocol-error.ts';
import { isRecordProof } from '../record-proof/is-record-proof.ts';
import { MAX_RECORD_PROOF_BYTES, recordProofOf } from '../record-proof/record-proof.ts';
import {
  isEquivocationProof,
  MAX_EQUIVOCATION_PROOF_BYTES,
  parseEquivocationProof,
} from '../verify/equivocation-proof.ts';
import { readKeptReceipts } from '../verify/kept-receipts.ts';
import { type NamedSource, readOtherBundle } from '../verify/other-bundle.ts';
import type { SignedStatement } from '../verify/signed-statement.ts';

/** The longest receipt of a line and some more: enough to tell what a file is. */
const BEGINNING = 70_000;

export type HeldKind =
  | 'bundle'
  | 'record_proof'
  | 'receipts'
  | 'checkpoint'
  | 'consistency_proof'
  | 'equivocation_proof';

/** Whether a file brings the keys along that signed it. */
export const bringsKeys = (kind: HeldKind): boolean =>
  kind === 'bundle' || kind === 'record_proof' || kind === 'equivocation_proof';

/** Whether it is a proof of equivocation: a short file whose last member says so. */
async function isEquivocationFile(source: BundleSource): Promise<boolean> {
  const bytes = await readPiece(source, MAX_EQUIVOCATION_PROOF_BYTES, false);
  if (bytes.length >= MAX_EQUIVOCATION_PROOF_BYTES) return false;
  return unlessRefused(() => isEquivocationProof(parseJsonBytes(withoutMark(bytes))), false);
}

/** What a file is, by its content. @throws only what the source throws */
export async function kindOfHeld(source: BundleSource): Promise<HeldKind> {
  const begins = await readPiece(source, BEGINNING, false);
  const text = new TextDecoder().decode(begins).replace(/^\uFEFF/, '');
  if (text.startsWith('old ')) return 'consistency_proof';
  if (!/^\s*\{/.test(text)) return 'checkpoint';
  for await (const line of readKeptReceipts(() => [begins])) {
    if ('receipt' in line) return 'receipts';
    break;
  }
  if (await isRecordProof(source)) return 'record_proof';
  return (await isEquivocationFile(source)) ? 'equivocation_proof' : 'bundle';
}

async function* ofBundle(file: NamedSource, crypto: HostCrypto): AsyncGenerator<SignedStatement> {
  for await (const contents of readContents(file.source)) {
    for (const content of contents) {
      if (content.kind === 'record') yield { receipt: content.value.ear };
      else if (content.kind === 'epoch') yield { epoch: content.value };
      else if (content.kind === 'service_key') yield { service_key: content.value };
      else if (content.kind === 'agent') {
        const { org_id, agent_id, keys } = content.value;
        for (const agent_key of keys) if (agent_key.agent_id === agent_id) yield { org_id, agent_key };
      } else if (content.kind === 'edges') {
        const { before, after, head } = content.value;
        for (const neighbour of [before, after]) if (neighbour != null) yield { receipt: neighbour.ear };
        if (head != null) yield { epoch: head };
      }
    }
  }
  const { manifest, manifestSignature: manifest_signature } = await readOtherBundle(
    file,
    crypto.sha256,
    ignore,
    ignore,
  );
  if (manifest !== null && manifest_signature !== null) yield { manifest, manifest_signature };
}

const ignore = (): void => {};

/** What a proof has, and the keys that it brings along. @throws ProtocolError */
export function proofOf(bytes: Uint8Array, kind: 'record_proof' | 'equivocation_proof') {
  if (kind === 'equivocation_proof') {
    const { org_id: orgId, service_keys: keys, statements } = parseEquivocationProof(bytes);
    return { orgId, keys, statements };
  }
  const { org_id: orgId, service_keys: keys, records, seal } = recordProofOf(parseJsonBytes(bytes));
  const statements: SignedStatement[] = [...records.map(({ ear }) => ({ receipt: ear })), { epoch: seal.epoch }];
  return { orgId, keys, statements };
}

/** Every statement of a file that stands for itself, whether signed or not; of checkpoints a line keeps its own. */
export async function* statementsOf(file: NamedSource, crypto: HostCrypto): AsyncGenerator<SignedStatement> {
  const { source } = file;
  const kind = await kindOfHeld(source);
  if (kind === 'receipts') {
    for await (const line of readKeptReceipts(source)) if ('receipt' in line) yield { receipt: line.receipt };
  } else if (kind === 'bundle') {
    yield* ofBundle(file, crypto);
  } else if (kind === 'record_proof' || kind === 'equivocation_proof')
    yield* proofOf(await readPiece(source, MAX_RECORD_PROOF_BYTES, true), kind).statements;
}
