import { open } from 'node:fs/promises';
import { nodeCrypto } from '../node/index.ts';
import {
  type BundleSource,
  type EquivocationJudgement,
  type EquivocationProof,
  equivocationProofBytes,
  fingerprintDigits,
  isEquivocationProof,
  type Json,
  MAX_EQUIVOCATION_PROOF_BYTES,
  makeEquivocationProof,
  ProtocolError,
  parseEquivocationProof,
  parseJsonBytes,
  readContents,
  type ServiceKey,
  unlessRefused,
  type VerificationReport,
  verifyEquivocationProof,
  withoutMark,
} from '../protocol/index.ts';
import { UnreadableFile } from './bundle-file.ts';
import { UsageError } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { printable } from './printable.ts';
import type { Terminal } from './terminal.ts';

async function serviceKeysOf(source: BundleSource): Promise<ServiceKey[]> {
  const keys: ServiceKey[] = [];
  for await (const contents of readContents(source)) {
    for (const content of contents) if (content.kind === 'service_key') keys.push(content.value);
  }
  return keys;
}

/**
 * Writes the proof of the first contradiction that a report names.
 * @returns how many contradictions there are; where there is none, no file is written
 * @throws UsageError where the file is there already or cannot be written
 */
export async function writeProof(path: string, report: VerificationReport, source: BundleSource): Promise<number> {
  const proofs = report.findings.filter(({ code, evidence }) => code === 'EQUIVOCATION' && evidence?.length === 2);
  const [a, b] = proofs[0]?.evidence ?? [];
  if (a === undefined || b === undefined) return 0;
  const { org_id: orgId } = report.bundle;
  if (orgId === null) return 0;
  const proof = makeEquivocationProof(a, b, orgId, await serviceKeysOf(source));
  const judgement = await verifyEquivocationProof(proof, { crypto: nodeCrypto });
  // A bundle that was exchanged meanwhile may have other keys.
  if (judgement.verdict === 'failed') throw new UsageError(`${path}: not written: ${judgement.summary}`);
  await writeNewFile(path, { overwrite: false }, async (out) => {
    out.end(equivocationProofBytes(proof));
  });
  return report.finding_counts.EQUIVOCATION ?? proofs.length;
}

/** Reads a small file as JSON; null where it is not JSON. */
function asJson(bytes: Uint8Array): Json | null {
  return unlessRefused(() => parseJsonBytes(withoutMark(bytes)), null);
}

/**
 * Reads a proof of equivocation.
 * @returns null where the file is something else
 * @throws UnreadableFile where it says that it is a proof and has not the shape of one
 */
export async function readProof(path: string): Promise<EquivocationProof | null> {
  const file = await open(path, 'r');
  try {
    const info = await file.stat();
    if (!info.isFile() || info.size > MAX_EQUIVOCATION_PROOF_BYTES) return null;
    const bytes = await file.readFile();
    if (!isEquivocationProof(asJson(bytes))) return null;
    return parseEquivocationProof(bytes);
  } catch (error) {
    if (error instanceof ProtocolError) throw new UnreadableFile(`${path}: is not a sound proof: ${error.message}`);
    throw error;
  } finally {
    await file.close();
  }
}

/** What came of a proof, for a person: a proof that verifies is bad news about the service. */
export function renderJudgement(file: string, judgement: EquivocationJudgement, terminal: Terminal): void {
  const { verdict, org_id, issuer, problems, summary } = judgement;
  terminal.line(terminal.style('bold', file));
  terminal.line('  a proof of equivocation: two signed statements of which only one can be true');
  terminal.line(`  organization  ${printable(org_id)}`);
  for (const { kid, trusted } of issuer) {
    terminal.line(
      `  signed by     ${printable(fingerprintDigits(kid).join(' '))}${trusted ? '  (trusted)' : '  (not trusted)'}`,
    );
  }
  for (const problem of problems) terminal.line(`  ✗ ${printable(problem)}`);
  terminal.line();
  const colour = { verified: 'green', incomplete: 'yellow', failed: 'red' } as const;
  terminal.line(`  ${terminal.badge(['bold', colour[verdict]], `Proof: ${verdict}`)}`);
  terminal.wrapped(`  ${printable(summary)}`, 2);
  if (verdict === 'verified')
    terminal.wrapped(
      '  The proof speaks against the service: do not rely on records of the service without asking further.',
      2,
    );
}
