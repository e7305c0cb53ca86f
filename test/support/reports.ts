import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { nodeCrypto } from '../../src/node/index.ts';
import {
  type BundleSource,
  judgeChosenReport,
  parseChosenReport,
  utf8,
  type VerificationReport,
  verifyBundle,
} from '../../src/protocol/index.ts';
import { attachFile, type EmbeddedFile } from '../../src/reports/pdf/document/attachment.ts';
import { PDFDocument } from '../../src/reports/pdf/document/pdfkit.ts';
import {
  ATTACHED_BUNDLE,
  type ReportOptions,
  readChosenFile,
  type WrittenReport,
  writePdfReport,
} from '../../src/reports/pdf/index.ts';
import { temporaryFolder } from './folders.ts';

/** What is in a report of chosen records that was downloaded, judged by who trusts a service's key. */
export async function judgeChosen(bytes: Buffer, kid: string) {
  const path = join(temporaryFolder(), 'report');
  await writeFile(path, bytes);
  const file = await readChosenFile(path, bytes.subarray(0, 64));
  if (file === null) throw new Error('no report of chosen records');
  const report = parseChosenReport(file.data);
  return { report, judgement: await judgeChosenReport(report, { crypto: nodeCrypto, trustedKids: [kid] }) };
}

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

/** A document as a report is one, with nothing in it yet. */
export function blankDocument(): PDFDocument {
  return new PDFDocument({
    size: [600, 800],
    margin: 0,
    pdfVersion: '1.7',
    subset: 'PDF/A-3a',
    tagged: true,
    lang: 'en',
    displayTitle: true,
    autoFirstPage: false,
    font: null,
    info: { CreationDate: new Date(0) },
  });
}

/** Writes a PDF that is not a report, with these attachments; each is the bundle but for what is said. */
export async function writePdfWith(
  path: string,
  bundle: string,
  attachments: readonly Partial<EmbeddedFile>[],
): Promise<void> {
  await writeFile(path, await pdfWith(Buffer.from(bundle), attachments));
}

/** A PDF that is not a report, with these attachments; each is the file but for what is said. */
export async function pdfWith(bytes: Uint8Array, attachments: readonly Partial<EmbeddedFile>[]): Promise<Buffer> {
  const document = blankDocument();
  document.addPage();
  const written = buffer(document);
  for (const attachment of attachments) {
    const whole: EmbeddedFile = {
      name: ATTACHED_BUNDLE,
      type: 'application/json',
      description: 'a file',
      relationship: 'Source',
      size: bytes.length,
      md5: createHash('md5').update(bytes).digest(),
      modified: new Date(0),
      read: () => [bytes],
      ...attachment,
    };
    await attachFile(document, whole, async () => {});
  }
  document.end();
  return written;
}
