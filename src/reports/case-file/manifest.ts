import { z } from 'zod';
import { caseItemCode, caseItemKind, caseItemVerdict, LIMITS } from '../../api/index.ts';
import {
  type CaseSignature,
  canonicalBytes,
  DIGEST_PATTERN,
  equalBytes,
  isStatedTrust,
  type Json,
  MAX_STATED_POLICY_CHARACTERS,
  ProtocolError,
  parseCaseSignature,
  parseJsonBytes,
  parseTime,
  unlessRefused,
} from '../../protocol/index.ts';
import { CaseFileRefused } from './case-file-error.ts';
import { ENTRY, MAX_ENTRY_BYTES } from './tar.ts';

export const CASE_MANIFEST = 'countersign.case.v1';

/** The most bytes that a manifest has, and what is read with it as a whole. */
export const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
export const MAX_SEAL_BYTES = 4096;

function isTime(text: string): boolean {
  return unlessRefused(() => parseTime(text), null) !== null;
}

const digest = z.string().regex(DIGEST_PATTERN);
const size = z.int().min(0).max(MAX_ENTRY_BYTES);
const person = z.string().max(LIMITS.email).nullable();
/** As the protocol reads times, in milliseconds since 1970 or refused. */
export const time = z
  .string()
  .max(64)
  .refine((text) => isTime(text), { message: 'is no RFC 3339 time' });
const file = z.strictObject({ bytes: size, sha256: digest });
const fileName = z.string().min(1).max(255);

/** With what an item was verified (protocol V188): a policy is longer than an entry. */
const trustList = z
  .array(z.string().max(MAX_STATED_POLICY_CHARACTERS))
  .max(10_000)
  .refine(isStatedTrust, { message: 'states a policy of witnesses or a root for time that is not valid' });

const manifestItem = z.strictObject({
  item_no: z.int().min(1).max(999_999),
  name: fileName,
  bytes: size,
  sha256: digest,
  kind: caseItemKind.nullable(),
  verdict: caseItemVerdict.nullable(),
  /** Why it is not verified. */
  code: caseItemCode.nullable(),
  judgement_sha256: digest.nullable(),
  /** The place of its list among `trust_lists`, from 0. */
  verified_with: z.int().min(0),
  added_at: time,
  added_by: person,
  receipts: z
    .array(file.extend({ name: fileName }))
    .max(LIMITS.caseReceiptFiles)
    .optional(),
});

/** What a case file holds, and what its maker says of it (protocol R61). */
export const caseManifest = z.strictObject({
  type: z.literal(CASE_MANIFEST),
  name: z
    .string()
    .min(1)
    .max(4 * LIMITS.caseName),
  /** Of item 1: the custody log is about it. */
  case_sha256: digest,
  /** Where it was saved: its custody log names it. */
  case_id: z.uuid(),
  created_at: time,
  made_at: time,
  made_by: person,
  version: z.string().max(64),
  items: z
    .array(manifestItem)
    .min(1)
    .max(LIMITS.caseItems + 1),
  /** Each once: many items are verified with the same keys. */
  trust_lists: z.array(trustList).max(LIMITS.caseItems + 1),
  last_item_no: z.int().min(1).max(999_999),
  custody: file.extend({ entries: z.int().min(0), head_hash: digest.nullable() }),
  notes: file.extend({ records: z.int().min(0) }),
  reading: file,
});
export type CaseManifest = z.infer<typeof caseManifest>;
export type ManifestItem = CaseManifest['items'][number];

/** With what an item was verified where the case was saved. */
export function statedTrust(
  { trust_lists: lists }: CaseManifest,
  { verified_with: at }: ManifestItem,
): readonly string[] {
  return lists[at] ?? [];
}

export function manifestBytes(manifest: CaseManifest): Uint8Array {
  return canonicalBytes(manifest as unknown as Json);
}

/** An entry that a case file must have: its name, size and digest. */
export interface ExpectedEntry {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The entries behind manifest and seal, in their order (protocol R60). */
export function expectedEntries({ custody, notes, reading, items }: CaseManifest): ExpectedEntry[] {
  const named = (name: string, { bytes, sha256 }: Omit<ExpectedEntry, 'name'>) => ({ name, bytes, sha256 });
  return [
    named(ENTRY.custody, custody),
    named(ENTRY.notes, notes),
    named(ENTRY.reading, reading),
    ...items.flatMap((item) => [
      named(ENTRY.item(item.item_no), item),
      ...(item.receipts ?? []).map((kept, index) => named(ENTRY.receipts(index), kept)),
    ]),
  ];
}

function invalid(message: string): CaseFileRefused {
  return new CaseFileRefused({ code: 'MANIFEST_INVALID', file: ENTRY.manifest, message: `manifest.json: ${message}` });
}

/** Reads a manifest in the one spelling that it has. @throws CaseFileRefused MANIFEST_INVALID */
export function readManifest(bytes: Uint8Array): CaseManifest {
  let value: unknown;
  try {
    value = parseJsonBytes(bytes, { oneSpelling: true });
  } catch (error) {
    if (error instanceof ProtocolError) throw invalid(error.message);
    throw error;
  }
  const read = caseManifest.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw invalid(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'has another form'}`);
  }
  const manifest = read.data;
  if (!equalBytes(manifestBytes(manifest), bytes)) throw invalid('is not in canonical form');
  const numbers = manifest.items.map(({ item_no }) => item_no);
  const rises = numbers.every((itemNo, index) => index === 0 || itemNo > (numbers[index - 1] ?? 0));
  const [first] = manifest.items;
  if (!rises || first === undefined || first.item_no !== 1) throw invalid('items: numbers do not rise from 1');
  if (first.sha256 !== manifest.case_sha256) throw invalid('case_sha256: is not the digest of item 1');
  if (manifest.items.some(({ item_no, receipts }) => item_no > 1 && receipts !== undefined)) {
    throw invalid('items: only item 1 has receipts');
  }
  const lists = manifest.trust_lists.length;
  if (manifest.items.some(({ verified_with: at }) => at >= lists)) {
    throw invalid('items: verified_with: names a list that is not there');
  }
  if ((numbers.at(-1) ?? 1) > manifest.last_item_no) throw invalid('last_item_no: is lower than an item has');
  return manifest;
}

/** @throws CaseFileRefused SEAL_INVALID */
export function readSeal(bytes: Uint8Array): CaseSignature {
  try {
    return parseCaseSignature(parseJsonBytes(bytes));
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    throw new CaseFileRefused({ code: 'SEAL_INVALID', file: ENTRY.seal, message: `seal.json: ${error.message}` });
  }
}
