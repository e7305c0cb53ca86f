import { isEvidence, LIMITS } from '../../api/index.ts';
import {
  type CaseSignature,
  caseSignatureCheck,
  formatDigest,
  type HostCrypto,
  StrictVerifier,
} from '../../protocol/index.ts';
import { type CaseFileFinding, CaseFileRefused } from './case-file-error.ts';
import {
  type CaseManifest,
  type ExpectedEntry,
  expectedEntries,
  MAX_MANIFEST_BYTES,
  MAX_SEAL_BYTES,
  readManifest,
  readSeal,
} from './manifest.ts';
import { ENTRY, isEntryName, type ReadAt, type TarEntry, walkTar } from './tar.ts';

/** More entries no case file has. */
const MAX_ENTRIES = LIMITS.caseItems + LIMITS.caseReceiptFiles + 6;

/** A case file whose names, sizes and order are those that its manifest tells of. */
export interface CaseArchive {
  readonly manifest: CaseManifest;
  readonly manifestSha256: string;
  readonly seal: CaseSignature | null;
  readonly parts: readonly { readonly expected: ExpectedEntry; readonly entry: TarEntry }[];
  readonly findings: readonly CaseFileFinding[];
}

function refuse(code: CaseFileFinding['code'], message: string, file?: string): never {
  throw new CaseFileRefused({ code, message, ...(file === undefined ? {} : { file }) });
}

async function readWhole(readAt: ReadAt, { name, size, offset }: TarEntry, most: number): Promise<Uint8Array> {
  if (size > most) refuse('SIZE_MISMATCH', `${name} is larger than it can be`, name);
  const bytes = await readAt(offset, size);
  if (bytes.length < size) refuse('FILE_CUT_OFF', `the file ends within ${name}`, name);
  return bytes;
}

/** A name as it is shown in messages: whoever made the file chose it. */
function shown(name: string): string {
  return JSON.stringify(name.slice(0, 120));
}

/**
 * Looks at the headers of a case file and at its manifest. Nothing is written, and nothing of the rest is read.
 * @throws CaseFileRefused naming the first thing that no case file of ours has
 */
export async function openArchive(readAt: ReadAt, size: number, crypto: HostCrypto): Promise<CaseArchive> {
  const walk = await walkTar(readAt, size, MAX_ENTRIES + 1);
  const [first, ...others] = walk.entries;
  if (first === undefined || first.name !== ENTRY.manifest || !first.isExact) {
    return refuse('NOT_A_CASE_FILE', 'the file is no case file: it does not begin with a manifest');
  }
  if (walk.entries.length > MAX_ENTRIES) refuse('TOO_MANY_ENTRIES', `it has more than ${MAX_ENTRIES} entries`);
  refuseNames(walk.entries);
  const manifestBytes = await readWhole(readAt, first, MAX_MANIFEST_BYTES);
  const manifest = readManifest(manifestBytes);
  const [maybe] = others;
  const sealEntry = maybe?.name === ENTRY.seal ? maybe : null;
  if (sealEntry !== null && !sealEntry.isExact) refuse('HEADER_INVALID', 'header or padding of seal.json is not ours');
  const seal = sealEntry === null ? null : readSeal(await readWhole(readAt, sealEntry, MAX_SEAL_BYTES));
  const parts = matched(manifest, sealEntry === null ? others : others.slice(1), size);
  if (!walk.isEnded) refuse('TRAILING_BYTES', 'the file does not end where its last entry does');
  const manifestSha256 = formatDigest(crypto.sha256(manifestBytes));
  const findings = seal === null ? [] : await checkSeal(manifest, manifestSha256, seal, crypto);
  return { manifest, manifestSha256, seal, parts, findings };
}

function refuseNames(entries: readonly TarEntry[]): void {
  const seen = new Set<string>();
  for (const { name } of entries) {
    if (!isEntryName(name)) refuse('NAME_INVALID', `an entry is called ${shown(name)}, as no entry of a case file is`);
    if (seen.has(name)) refuse('ENTRY_DUPLICATE', `${name} is there twice`, name);
    seen.add(name);
  }
}

/** Holds the entries against the manifest: the same names and sizes, in the same order, and no others. */
function matched(manifest: CaseManifest, entries: readonly TarEntry[], size: number): CaseArchive['parts'] {
  const expected = expectedEntries(manifest);
  const names = new Set(expected.map(({ name }) => name));
  const stranger = entries.find(({ name }) => !names.has(name));
  if (stranger !== undefined) {
    refuse('ENTRY_UNEXPECTED', `${stranger.name} is in the file and not in its manifest`, stranger.name);
  }
  return expected.map((one, index) => {
    const entry = entries[index];
    if (entry === undefined) {
      return refuse('FILE_CUT_OFF', `the file ends before ${one.name}`, one.name);
    }
    if (entry.name !== one.name) refuse('ENTRY_ABSENT', `${one.name} is not where it has to be`, one.name);
    if (entry.size !== one.bytes) {
      refuse('SIZE_MISMATCH', `${one.name} has ${entry.size} bytes, the manifest says ${one.bytes}`, one.name);
    }
    if (!entry.isExact) refuse('HEADER_INVALID', `header or padding of ${one.name} is not ours`, one.name);
    if (entry.offset + entry.size > size) refuse('FILE_CUT_OFF', `the file ends within ${one.name}`, one.name);
    return { expected: one, entry };
  });
}

async function checkSeal(
  { case_sha256, made_by }: CaseManifest,
  manifest_sha256: string,
  seal: CaseSignature,
  crypto: HostCrypto,
): Promise<CaseFileFinding[]> {
  const check = caseSignatureCheck({ type: 'countersign.case-signature.v1', case_sha256, manifest_sha256 }, seal);
  const holds = check !== null && (await new StrictVerifier(crypto).holds(check));
  if (holds && seal.signer === made_by) return [];
  const message = 'the signature of the manifest does not verify: the manifest is not what was signed';
  return [{ code: 'SEAL_INVALID', file: ENTRY.seal, message }];
}

/** A part of a case file that is evidence of a ledger, by the name that the case has for it. */
export interface EvidencePart {
  readonly name: string;
  readonly part: CaseArchive['parts'][number];
}

/** What is evidence of a ledger in a case file: items, and the receipts that were given with the first. */
export function evidenceIn({ manifest, parts }: Pick<CaseArchive, 'manifest' | 'parts'>): EvidencePart[] {
  const byEntry = new Map(parts.map((part) => [part.expected.name, part]));
  return manifest.items.flatMap(({ item_no, name, kind, receipts = [] }) => {
    if (!isEvidence(kind)) return [];
    const kept = receipts.map((one, index) => ({ name: one.name, entry: ENTRY.receipts(index) }));
    return [{ name, entry: ENTRY.item(item_no) }, ...kept].flatMap((one) => {
      const part = byEntry.get(one.entry);
      return part === undefined ? [] : { name: one.name, part };
    });
  });
}
