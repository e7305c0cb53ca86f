import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pieceOf } from '../../../node/light.ts';
import type { CancelSignal, HostCrypto } from '../../../protocol/index.ts';
import { type CaseArchive, type CaseFileFinding, evidenceIn, openArchive } from '../../../reports/case-file/index.ts';

/**
 * Looks at the headers of a case file and at its manifest. Nothing is written, and nothing of the rest is read.
 * @throws CaseFileRefused naming the first thing that no case file of ours has
 */
export async function openCaseArchive(path: string, crypto: HostCrypto): Promise<CaseArchive> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await openArchive((offset, length) => pieceOf(file, offset, length), size, crypto);
  } finally {
    await file.close();
  }
}

/**
 * Copies the parts of a case file out of it, each to a path that we chose, and compares their digests.
 * @returns a finding for each whose bytes are others
 */
export async function extractParts(
  path: string,
  parts: CaseArchive['parts'],
  pathOf: (name: string) => string,
  { signal, onBytes }: { readonly signal: CancelSignal; readonly onBytes?: (bytes: number) => void },
): Promise<CaseFileFinding[]> {
  const findings: CaseFileFinding[] = [];
  for (const { expected, entry } of parts) {
    const hash = createHash('sha256');
    async function* told(): AsyncGenerator<Buffer> {
      if (entry.size === 0) return;
      const { offset, size } = entry;
      for await (const chunk of createReadStream(path, {
        start: offset,
        end: offset + size - 1,
      }) as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        hash.update(chunk);
        onBytes?.(chunk.length);
        yield chunk;
      }
    }
    await pipeline(told, createWriteStream(pathOf(expected.name), { mode: 0o600, flags: 'wx' }));
    if (`sha256:${hash.digest('hex')}` === expected.sha256) continue;
    const message = `${expected.name}: its bytes are not those that the manifest has the digest of`;
    findings.push({ code: 'DIGEST_MISMATCH', file: expected.name, message });
  }
  return findings;
}

/**
 * Copies what is evidence of a ledger in a case file into a folder: items, and the receipts that were given with the first.
 * @returns the copies, each by the name that the case has for it
 * @throws CaseFileRefused where the file is no case, or so damaged that nothing in it can be found
 */
export async function extractEvidence(
  path: string,
  folder: string,
  { crypto, signal }: { readonly crypto: HostCrypto; readonly signal: CancelSignal },
): Promise<{ readonly name: string; readonly path: string }[]> {
  const found = evidenceIn(await openCaseArchive(path, crypto));
  const wanted = new Map(found.map(({ part }, n) => [part.expected.name, join(folder, String(n))]));
  const pathOf = (entry: string): string => wanted.get(entry) ?? '';
  await extractParts(
    path,
    found.map(({ part }) => part),
    pathOf,
    { signal },
  );
  return found.map(({ name, part }) => ({ name, path: pathOf(part.expected.name) }));
}
