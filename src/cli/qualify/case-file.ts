import { nodeCrypto } from '../../node/index.ts';
import {
  type CaseSignature,
  type CaseSubject,
  CUSTODY_ENTRY,
  type CustodyEntry,
  canonicalize,
  caseSignature,
  caseSignedBytes,
  custodyHash,
  fingerprintDigits,
  formatDigest,
  fromBase64Url,
  type Json,
  thumbprint,
  utf8,
} from '../../protocol/index.ts';
import { padding, TAR_END, tarHeader } from '../../reports/case-file/light.ts';
import { type ForgersKey, forgersKey } from './forge.ts';

/** The examiner whose case it is, and a colleague: the reader compared both keys with the persons. */
export const ADA = { person: 'ada@example.org', key: forgersKey('an examiner') };
export const BEN = { person: 'ben@example.org', key: forgersKey('another examiner') };

const kidOf = ({ publicKey }: ForgersKey): string => thumbprint(fromBase64Url(publicKey, 32));

export const EXAMINERS = [ADA, BEN].map(({ person, key }) => ({ person, key: fingerprintDigits(kidOf(key)).join('') }));

export const CASE_ID = '6f0c3a52-7d0b-4b5e-9a65-2f3f0a1d9c10';
const OPERATION_ID = '6f0c3a52-7d0b-4b5e-9a65-2f3f0a1d9c11';

interface LogLine {
  readonly entry_no: number;
  readonly entry: CustodyEntry;
  readonly entry_hash: string;
  readonly signature: CaseSignature | null;
}

/** A case before it is an archive. */
export interface Case {
  /** The bundle that it is made of. */
  readonly item: string;
  readonly log: readonly LogLine[];
  readonly notes: readonly { readonly [member: string]: Json }[];
  readonly manifest: { readonly [member: string]: Json };
  readonly seal: CaseSignature | null;
}

const digestOf = (bytes: Uint8Array): string => formatDigest(nodeCrypto.sha256(bytes));

/** @param signer whose name stands there, whoever's key it is */
function signed(subject: CaseSubject, signed_at: string, key: ForgersKey, signer = ADA.person): CaseSignature {
  const value = key.sign(caseSignedBytes(subject, kidOf(key), { signer, signed_at }));
  return caseSignature(fromBase64Url(key.publicKey, 32), { signer, signed_at }, fromBase64Url(value, 64));
}

/** The case with entries of the log linked and hashed again. @param key that signs them again, if there is one */
export function relinked({ log, ...rest }: Case, caseId: string, key: ForgersKey | null): Case {
  const lines: LogLine[] = [];
  for (const { entry: before, signature } of log) {
    const entry = { ...before, case_sha256: digestOf(utf8(rest.item)), prev_hash: lines.at(-1)?.entry_hash ?? null };
    const [entry_no, entry_hash] = [entry.entry_no, custodyHash(entry, nodeCrypto.sha256)];
    const about = { case_sha256: entry.case_sha256, log_id: caseId, entry_no, entry_hash };
    const again = () => signed({ type: 'countersign.custody-signature.v1', ...about }, entry.at, key ?? ADA.key);
    lines.push({ entry_no, entry, entry_hash, signature: key === null ? signature : again() });
  }
  return { ...rest, log: lines };
}

const linesOf = (values: readonly unknown[]): Uint8Array =>
  utf8(values.map((value) => `${canonicalize(value as Json)}\n`).join(''));

function partsOf({ item, log, notes }: Case): { readonly [name: string]: Uint8Array } {
  return {
    'custody.jsonl': linesOf(
      log.map(({ entry, ...line }) => ({ ...line, entry: canonicalize(entry as unknown as Json) })),
    ),
    'notes.jsonl': linesOf(notes),
    'reading.json': linesOf([{ rules: null, searches: [] }]),
    'items/1': utf8(item),
  };
}

/** The case with sizes, digests and counts in its manifest as they are. */
export function stated(draft: Case): Case {
  const { manifest, log, notes } = draft;
  const fileOf = (name: string) => {
    const bytes = partsOf(draft)[name] ?? new Uint8Array();
    return { bytes: bytes.length, sha256: digestOf(bytes) };
  };
  const item = fileOf('items/1');
  const [first] = manifest['items'] as readonly { readonly [member: string]: Json }[];
  return {
    ...draft,
    manifest: {
      ...manifest,
      case_sha256: item.sha256,
      items: [{ ...first, ...item }],
      custody: { ...fileOf('custody.jsonl'), entries: log.length, head_hash: log.at(-1)?.entry_hash ?? null },
      notes: { ...fileOf('notes.jsonl'), records: notes.length },
      reading: fileOf('reading.json'),
    },
  };
}

/** The case with its manifest signed in the name of its examiner. */
export function sealed(draft: Case, key = ADA.key): Case {
  const { manifest } = draft;
  const about = {
    case_sha256: String(manifest['case_sha256']),
    manifest_sha256: digestOf(utf8(canonicalize(manifest))),
  };
  const at = String(manifest['made_at']);
  return { ...draft, seal: signed({ type: 'countersign.case-signature.v1', ...about }, at, key) };
}

/** The file of a case. */
export function caseFile(draft: Case): Uint8Array {
  const { manifest, seal } = draft;
  const entries = {
    'manifest.json': utf8(canonicalize(manifest)),
    ...(seal === null ? {} : { 'seal.json': utf8(canonicalize(seal as unknown as Json)) }),
    ...partsOf(draft),
  };
  const blocks = Object.entries(entries).flatMap(([name, bytes]) => [
    tarHeader(name, bytes.length),
    bytes,
    Buffer.alloc(padding(bytes.length)),
  ]);
  return Buffer.concat([...blocks, TAR_END]);
}

/** The case that an examiner made of a bundle, named, noted and sealed. @param at when */
export function caseOf(item: string, at: string): Case {
  const note = { tags: ['asked'], note: 'Who wanted this?', bookmarked: true };
  const acts = [
    { action: 'case.rename', details: { name: 'A dispute' } },
    { action: 'annotation.set', details: { operation_id: OPERATION_ID, ...note } },
    { action: 'case.rename', details: { name: 'The dispute' } },
  ];
  const log = acts.map((act, index): LogLine => {
    const about = { case_sha256: '', entry_no: index + 1, at, by: ADA.person, prev_hash: null };
    const entry: CustodyEntry = { type: CUSTODY_ENTRY, ...about, ...act, ...(index === 0 ? { log_id: CASE_ID } : {}) };
    return { entry_no: index + 1, entry, entry_hash: '', signature: null };
  });
  const first = { item_no: 1, name: 'first.csbundle', kind: 'bundle', verdict: null, code: null };
  const manifest = {
    type: 'countersign.case.v1',
    name: 'The dispute',
    case_id: CASE_ID,
    created_at: at,
    made_at: at,
    made_by: ADA.person,
    version: '1.0.0',
    trust_lists: [[]],
    last_item_no: 1,
    items: [{ ...first, judgement_sha256: null, verified_with: 0, added_at: at, added_by: ADA.person }],
  };
  const notes = [{ operation_id: OPERATION_ID, ...note, updated_at: at, updated_by: ADA.person }];
  return sealed(stated(relinked({ item, log, notes, manifest, seal: null }, CASE_ID, ADA.key)));
}
