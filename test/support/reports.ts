import { createWriteStream } from 'node:fs';
import { nodeCrypto } from '../../src/host/index.ts';
import { type BundleSource, utf8, type VerificationReport, verifyBundle } from '../../src/protocol/index.ts';
import { type ReportOptions, type WrittenReport, writePdfReport } from '../../src/report/index.ts';

/** The text of a bundle, as a source. */
export function sourceOf(text: string): BundleSource {
  return () => [utf8(text)];
}

/** All of a source, as text. */
export async function textOf(source: BundleSource): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

export function verify(text: string, trustedKids: readonly string[] = []): Promise<VerificationReport> {
  return verifyBundle(sourceOf(text), { crypto: nodeCrypto, trustedKids });
}

/** Writes a report about a bundle to a file, as a reader who trusts these keys. */
export async function writeReport(
  path: string,
  text: string,
  trustedKids: readonly string[] = [],
  options: Partial<ReportOptions> = {},
): Promise<WrittenReport> {
  const report = await verify(text, trustedKids);
  const out = createWriteStream(path);
  return writePdfReport({ source: sourceOf(text), report, maker: 'reader', version: '1.2.3', out, ...options });
}
