import {
  type BundleSource,
  concatBytes,
  equalBytes,
  type FileChange,
  MAX_CHOSEN_REPORT_BYTES,
} from '../../protocol/index.ts';
import {
  ATTACHED_BUNDLE,
  ATTACHED_OPTIONS,
  ATTACHED_REPORT,
  ATTACHED_WHOLE_BUNDLE,
  MAX_BUNDLE_BYTES,
  MAX_OPTIONS_BYTES,
} from './attached-name.ts';
import { ExtractError } from './extract-error.ts';
import { foreign, PdfFile, type ReadableFile } from './pdf-file.ts';
import { latin1, member, type PdfValue } from './pdf-syntax.ts';

/** What the host lends: the file, and two things that every host has better than code of our own. */
export interface PdfHost extends ReadableFile {
  /**
   * Unpacks a stretch of the file (zlib, RFC 1950), a piece at a time and no further than it is asked for. The stretch
   * must be one whole zlib stream: one that is damaged, cut off, or has something after its end ends in a
   * `DamagedStream`.
   */
  readonly inflate: (start: number, length: number) => AsyncIterable<Uint8Array>;
  /** A digest that PDF wants (RFC 1321). It guards against mishaps; evidence is what the bundle itself says. */
  readonly md5: () => { readonly update: (bytes: Uint8Array) => unknown; readonly digest: () => Uint8Array };
}

/** Thrown by a host's `inflate` where the bytes are no whole zlib stream. */
export class DamagedStream extends Error {
  override readonly name = 'DamagedStream';
}

/** More attachments than this no report has. */
const MAX_ATTACHMENTS = 64;

/** Where the bundle is within the PDF, and what it must come to. */
interface Place {
  readonly start: number;
  readonly length: number;
  readonly size: number;
  readonly md5: Uint8Array;
}

export interface AttachedBundle {
  /** What another program did to the file around it; null where it is as it was written. */
  readonly change: FileChange | null;
  /** The bundle's bytes. @throws ExtractError ATTACHMENT_DAMAGED while they are read */
  readonly source: BundleSource;
  /** Size of the bundle, in bytes. */
  readonly size: number;
}

function isInteger(value: PdfValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** What the parts of an attachment consist of; one more member, and a reader may take the file out in another way. */
const SPECIFICATION = ['AFRelationship', 'Desc', 'EF', 'F', 'Type', 'UF'];
const STREAM = ['Filter', 'Length', 'Params', 'Subtype', 'Type'];
const NAMES = ['Limits', 'Names'];

function hasOnly(value: PdfValue | undefined, names: readonly string[]): boolean {
  const isDictionary = typeof value === 'object' && value !== null && 'members' in value;
  return isDictionary && [...value.members.keys()].every((name) => names.includes(name));
}

/** A text in printable ASCII, which every reader takes for the same; null where it is anything else. */
function plainText(value: PdfValue | undefined): string | null {
  if (typeof value !== 'object' || value === null || !('bytes' in value)) return null;
  return value.bytes.every((byte) => byte >= 0x20 && byte < 0x7f) ? latin1(value.bytes) : null;
}

/**
 * Refuses whatever readers of PDF could take for one more attachment: files attached to a page, and specifications of files
 * that the list of attachments does not have. Two programs that take "the bundle" out must get the same bytes.
 */
async function refuseHidden(pdf: PdfFile, listed: ReadonlySet<number>): Promise<void> {
  const hides = (value: PdfValue, isListed: boolean): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    if ('items' in value) return value.items.some((item) => hides(item, false));
    if (!('members' in value)) return false;
    const { members } = value;
    const subtype = members.get('Subtype');
    const isAttached =
      typeof subtype === 'object' && subtype !== null && 'name' in subtype && subtype.name === 'FileAttachment';
    if (isAttached || (members.has('EF') && !isListed)) return true;
    return [...members.values()].some((item) => hides(item, false));
  };
  for await (const { ref, value } of pdf.objects()) if (hides(value, listed.has(ref))) throw foreign();
}

/** The file specifications of the attachments with a name; null where the PDF has no attachments at all. */
async function findSpecifications(pdf: PdfFile, wanted: string): Promise<PdfValue[] | null> {
  const { value: catalog } = await pdf.object(pdf.trailer.members.get('Root'));
  const names = await pdf.resolve(catalog, 'Names');
  const files = await pdf.resolve(names, 'EmbeddedFiles');
  const list = member(files, 'Names');
  if (files === undefined) return null;
  if (!hasOnly(files, NAMES)) throw foreign();
  if (typeof list !== 'object' || list === null || !('items' in list)) throw foreign();
  const { items } = list;
  if (items.length > 2 * MAX_ATTACHMENTS || items.length % 2 !== 0) throw foreign();
  const found: PdfValue[] = [];
  const listed = new Set<number>();
  for (let i = 0; i < items.length; i += 2) {
    const [name, reference] = [plainText(items[i]), items[i + 1]];
    if (name === null || typeof reference !== 'object' || reference === null || !('ref' in reference)) throw foreign();
    const { value: specification } = await pdf.object(reference);
    // Some programs name what they take out after the list, others after the specification.
    const isNamed = plainText(member(specification, 'F')) === name && plainText(member(specification, 'UF')) === name;
    if (!isNamed || !hasOnly(specification, SPECIFICATION)) throw foreign();
    listed.add(reference.ref);
    if (name === wanted) found.push(reference);
  }
  await refuseHidden(pdf, listed);
  return found;
}

async function findBundle(pdf: PdfFile): Promise<Place> {
  const place = await placeOfOnly(pdf, ATTACHED_BUNDLE, MAX_BUNDLE_BYTES);
  if (place !== null) return place;
  if ((await placeOfOnly(pdf, ATTACHED_REPORT, MAX_CHOSEN_REPORT_BYTES)) !== null) {
    throw new ExtractError(
      'NO_BUNDLE',
      'is a report of chosen records: no bundle, but only those records can be verified',
    );
  }
  throw new ExtractError('NO_BUNDLE', 'is a PDF without an attached bundle');
}

/** The only attachment with a name; null where there is none. */
async function placeOfOnly(pdf: PdfFile, name: string, maxBytes: number): Promise<Place | null> {
  const [specification, ...others] = (await findSpecifications(pdf, name)) ?? [];
  if (specification === undefined) return null;
  if (others.length > 0) throw new ExtractError('NO_BUNDLE', 'is a PDF with more than one bundle attached');
  return placeOf(pdf, specification, maxBytes);
}

function refOf(value: PdfValue | undefined): number | null {
  return typeof value === 'object' && value !== null && 'ref' in value ? value.ref : null;
}

async function placeOf(pdf: PdfFile, reference: PdfValue, maxBytes: number): Promise<Place> {
  const { value: specification } = await pdf.object(reference);
  const embedded = member(specification, 'EF');
  const [file, unicode] = [member(embedded, 'F'), member(embedded, 'UF')];
  if (!hasOnly(embedded, ['F', 'UF']) || refOf(file) === null || refOf(file) !== refOf(unicode)) throw foreign();
  const { value: dictionary, stream: start } = await pdf.object(file);
  if (!hasOnly(dictionary, STREAM)) throw foreign();
  const filter = member(dictionary, 'Filter');
  const isFlate = typeof filter === 'object' && filter !== null && 'name' in filter && filter.name === 'FlateDecode';
  const length = await pdf.resolve(dictionary, 'Length');
  const params = member(dictionary, 'Params');
  const size = member(params, 'Size');
  const checksum = member(params, 'CheckSum');
  if (start === null || !isFlate || !isInteger(length) || !isInteger(size)) throw foreign();
  if (typeof checksum !== 'object' || checksum === null || !('bytes' in checksum)) throw foreign();
  if (start + length > pdf.size || !(await pdf.endsStream(start + length))) throw foreign();
  if (size > maxBytes) {
    throw new ExtractError('NO_BUNDLE', `has an attachment of more than ${maxBytes} bytes, which no report has`);
  }
  return { start, length, size, md5: checksum.bytes };
}

/** Unpacks the attachment, never more of it than it is said to hold. */
async function* unpack(host: PdfHost, { start, length, size, md5 }: Place): AsyncGenerator<Uint8Array> {
  const damaged = (): ExtractError =>
    new ExtractError('ATTACHMENT_DAMAGED', 'the attached bundle is damaged: it cannot be unpacked as it was attached');
  const digest = host.md5();
  let total = 0;
  try {
    for await (const chunk of host.inflate(start, length)) {
      total += chunk.length;
      if (total > size) throw damaged();
      digest.update(chunk);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof DamagedStream) throw damaged();
    throw error;
  }
  if (total !== size || !equalBytes(digest.digest(), md5)) throw damaged();
}

function attached(host: PdfHost, { change }: PdfFile, place: Place): AttachedBundle {
  return { source: () => unpack(host, place), size: place.size, change };
}

/**
 * Finds the bundle in a report that `writePdfReport` wrote. Any other PDF is refused: this reads no PDF but our own, in
 * bounded memory and time. The pages are not looked at.
 * @throws ExtractError; and what reading the file fails with
 */
export async function findAttachedBundle(host: PdfHost): Promise<AttachedBundle> {
  const pdf = await PdfFile.open(host);
  return attached(host, pdf, await findBundle(pdf));
}

/** The options that a report was made with, and what else decides whether its pages can be made again. */
export interface AttachedOptions {
  /** As they are attached (src/reports/pdf/made-with.ts reads them): what whoever sent the file says. Null where none can be read. */
  readonly bytes: Uint8Array | null;
  readonly change: FileChange | null;
}

/** @throws ExtractError NOT_A_REPORT; and what reading the file fails with */
export async function readAttachedOptions(host: PdfHost): Promise<AttachedOptions> {
  const pdf = await PdfFile.open(host);
  const { change } = pdf;
  const [specification, ...others] = (await findSpecifications(pdf, ATTACHED_OPTIONS)) ?? [];
  if (specification === undefined || others.length > 0) return { bytes: null, change };
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of unpack(host, await placeOf(pdf, specification, MAX_OPTIONS_BYTES))) chunks.push(chunk);
  } catch (error) {
    // Options that cannot be taken out are none: they say nothing of the bundle.
    if (!(error instanceof ExtractError)) throw error;
    return { bytes: null, change };
  }
  return { bytes: concatBytes(...chunks), change };
}

/** What is in a report: a bundle, or the data of a report of chosen records. */
export interface AttachedData extends AttachedBundle {
  readonly kind: 'bundle' | 'chosen_report';
}

/**
 * Finds what is to be verified in a PDF that was written here.
 * @throws ExtractError, also where it carries both, of which a reader could take either; and what reading the file fails with
 */
export async function findAttachedData(host: PdfHost): Promise<AttachedData> {
  const pdf = await PdfFile.open(host);
  const chosen = await placeOfOnly(pdf, ATTACHED_REPORT, MAX_CHOSEN_REPORT_BYTES);
  const kind = chosen === null ? 'bundle' : 'chosen_report';
  if (chosen !== null && (await placeOfOnly(pdf, ATTACHED_BUNDLE, MAX_BUNDLE_BYTES)) !== null) {
    throw new ExtractError('NO_BUNDLE', 'is a PDF with both a bundle and a report of chosen records attached');
  }
  return { kind, ...attached(host, pdf, chosen ?? (await findBundle(pdf))) };
}

/** The whole bundle in a report of chosen records; null where it carries none. @throws as findAttachedBundle */
export async function findWholeBundle(host: PdfHost): Promise<AttachedBundle | null> {
  const pdf = await PdfFile.open(host);
  const place = await placeOfOnly(pdf, ATTACHED_WHOLE_BUNDLE, MAX_BUNDLE_BYTES);
  return place === null ? null : attached(host, pdf, place);
}
