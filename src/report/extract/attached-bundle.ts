import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';
import type { BundleSource } from '../../protocol/index.ts';
import { ATTACHED_BUNDLE, MAX_BUNDLE_BYTES } from '../attached-name.ts';
import { ExtractError } from '../report-error.ts';
import { foreign, PdfFile } from './pdf-file.ts';
import { member, type PdfValue } from './pdf-syntax.ts';

/** More attachments than this no report has. */
const MAX_ATTACHMENTS = 64;

const CHUNK = 1024 * 1024;

/** Where the bundle is within the PDF, and what it must come to. */
interface Place {
  readonly start: number;
  readonly length: number;
  readonly size: number;
  readonly md5: Buffer;
}

export interface AttachedBundle {
  /** The bundle's bytes. @throws ExtractError ATTACHMENT_DAMAGED while they are read */
  readonly source: BundleSource;
  /** Size of the bundle, in bytes. */
  readonly size: number;
}

function isInteger(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** The file specification of the attachment with the bundle's name. */
async function findSpecification(pdf: PdfFile): Promise<PdfValue> {
  const { value: catalog } = await pdf.object(pdf.trailer.members.get('Root'));
  const names = await pdf.resolve(catalog, 'Names');
  const files = await pdf.resolve(names, 'EmbeddedFiles');
  const list = member(files, 'Names');
  if (list === undefined) throw new ExtractError('NO_BUNDLE', 'is a PDF without an attached bundle');
  if (typeof list !== 'object' || list === null || !('items' in list)) throw foreign();
  const { items } = list;
  if (items.length > 2 * MAX_ATTACHMENTS) throw foreign();
  const found: PdfValue[] = [];
  for (let i = 0; i + 1 < items.length; i += 2) {
    const [name, specification] = [items[i], items[i + 1]];
    if (typeof name !== 'object' || name === null || !('bytes' in name)) throw foreign();
    if (name.bytes.toString('latin1') === ATTACHED_BUNDLE) found.push(specification ?? null);
  }
  if (found.length === 0) throw new ExtractError('NO_BUNDLE', 'is a PDF with attachments, none of which is a bundle');
  if (found.length > 1) throw new ExtractError('NO_BUNDLE', 'is a PDF with more than one bundle attached');
  return (await pdf.object(found[0])).value;
}

async function findPlace(pdf: PdfFile): Promise<Place> {
  const specification = await findSpecification(pdf);
  const { value: dictionary, stream: start } = await pdf.object(member(member(specification, 'EF'), 'F'));
  const filter = member(dictionary, 'Filter');
  const isFlate = typeof filter === 'object' && filter !== null && 'name' in filter && filter.name === 'FlateDecode';
  const length = await pdf.resolve(dictionary, 'Length');
  const params = member(dictionary, 'Params');
  const size = member(params, 'Size');
  const checksum = member(params, 'CheckSum');
  if (start === null || !isFlate || !isInteger(length) || !isInteger(size)) throw foreign();
  if (typeof checksum !== 'object' || checksum === null || !('bytes' in checksum)) throw foreign();
  if (start + length > pdf.size || !(await pdf.hasAt(start + length, '\nendstream\n'))) throw foreign();
  if (size > MAX_BUNDLE_BYTES) {
    throw new ExtractError(
      'NO_BUNDLE',
      `has an attachment of more than ${MAX_BUNDLE_BYTES} bytes, which no report has`,
    );
  }
  return { start, length, size, md5: checksum.bytes };
}

/** Unpacks the attachment, never more of it than it is said to hold. */
async function* unpack(path: string, { start, length, size, md5 }: Place): AsyncGenerator<Uint8Array> {
  const damaged = (): ExtractError =>
    new ExtractError('ATTACHMENT_DAMAGED', 'the attached bundle is damaged: it cannot be unpacked as it was attached');
  const compressed = createReadStream(path, { start, end: start + Math.max(length, 1) - 1, highWaterMark: CHUNK });
  const inflate = createInflate({ chunkSize: CHUNK });
  const fed = pipeline(compressed, inflate).catch((error: unknown) => error);
  const digest = createHash('md5');
  let total = 0;
  try {
    for await (const chunk of inflate as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > size) throw damaged();
      digest.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) throw damaged();
    throw error;
  } finally {
    compressed.destroy();
    inflate.destroy();
    await fed;
  }
  if (total !== size || inflate.bytesWritten !== length || !digest.digest().equals(md5)) throw damaged();
}

/**
 * Finds the bundle in a report that `writePdfReport` wrote. Any other PDF is refused: this reads no PDF but our own, in
 * bounded memory and time. The pages are not looked at.
 * @throws ExtractError; and what reading the file fails with
 */
export async function openAttachedBundle(path: string): Promise<AttachedBundle> {
  const file = await open(path, 'r');
  try {
    const place = await findPlace(await PdfFile.open(file));
    return { source: () => unpack(path, place), size: place.size };
  } finally {
    await file.close();
  }
}
