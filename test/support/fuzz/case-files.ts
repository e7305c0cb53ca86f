/** Cases as the files that they are moved as, changed at every depth: log, notes, items, manifest, seal, archive. */
import { createHash } from 'node:crypto';
import { CASE_ID, caseOf as honestCase } from '../../../src/cli/qualify/case-file.ts';
import { type CaseSubject, canonicalBytes, type Json, utf8 } from '../../../src/protocol/index.ts';
import { archiveOf, type Entry, signerOf } from '../case-items.ts';
import type { Base } from './bases.ts';
import { BUNDLE_CHANGES } from './changes.ts';
import type { Draw } from './draw.ts';
import { canonicalText } from './proofs.ts';
import { whereItCan } from './reseal.ts';
import { changedBytes, textOf } from './text.ts';
import { type Branch, branchesOf, copyOf, isBranch, type Tree } from './tree.ts';

/** What can be made to fit again, in the order in which one follows from the other. */
const LEVELS = ['log', 'manifest', 'seal'] as const;
type Level = (typeof LEVELS)[number];

const AT = '2026-11-23T10:00:00.000Z';
const ADA = 'ada@example.org';
const signer = signerOf(ADA);
const signed = (subject: CaseSubject): Tree => ({ ...signer.sign(subject, Date.parse(AT)) });

const sha256 = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const lines = (values: readonly string[]): Buffer => Buffer.from(values.map((line) => `${line}\n`).join(''));

/** A case before it is an archive. The entries of its log are values here, and texts in the file. */
function caseOf(base: Base, kid: string): Branch {
  const { item, log, notes, manifest } = copyOf(honestCase(textOf(base.bundle), AT));
  return {
    items: [item],
    custody: log as unknown as Tree,
    notes: notes as unknown as Tree,
    reading: { rules: null, searches: [] },
    manifest: { ...(manifest as unknown as Branch), trust_lists: [[kid]] },
    seal: null,
  };
}

/** Links, hashes and signatures of the log. */
function signLog(whole: Branch): void {
  let last: Tree = null;
  const caseSha256 = sha256(utf8(String((whole['items'] as Tree[] | undefined)?.[0]).toWellFormed()));
  for (const [index, line] of branchesOf(whole['custody']).entries()) {
    whereItCan(() => {
      const { entry, entry_no } = line;
      if (!isBranch(entry)) return;
      Object.assign(entry, { prev_hash: last, case_sha256: caseSha256 }, index === 0 ? { log_id: CASE_ID } : {});
      const entry_hash = sha256(canonicalBytes(entry as Json));
      const about = { case_sha256: caseSha256, log_id: CASE_ID, entry_no: Number(entry_no), entry_hash };
      Object.assign(line, { entry_hash, signature: signed({ type: 'countersign.custody-signature.v1', ...about }) });
    });
    last = line['entry_hash'] ?? null;
  }
}

/** The parts of a case as they are in the file, by name. */
function partsOf(whole: Branch): Entry[] {
  const custody = branchesOf(whole['custody']).map((line) =>
    canonicalText({
      ...line,
      entry: typeof line['entry'] === 'object' ? canonicalText(line['entry']) : (line['entry'] ?? null),
    }),
  );
  const items = Array.isArray(whole['items']) ? whole['items'] : [];
  return [
    { name: 'custody.jsonl', bytes: lines(custody) },
    { name: 'notes.jsonl', bytes: lines(branchesOf(whole['notes']).map(canonicalText)) },
    { name: 'reading.json', bytes: lines([canonicalText(whole['reading'] ?? null)]) },
    ...items.map((item, index) => ({ name: `items/${index + 1}`, bytes: Buffer.from(String(item).toWellFormed()) })),
  ];
}

/** Sizes, digests and counts that the manifest states. */
function fitManifest(whole: Branch): void {
  const { manifest } = whole;
  if (!isBranch(manifest)) return;
  const log = branchesOf(whole['custody']);
  const counted: { readonly [name: string]: Branch } = {
    'custody.jsonl': { entries: log.length, head_hash: log.at(-1)?.['entry_hash'] ?? null },
    'notes.jsonl': { records: branchesOf(whole['notes']).length },
  };
  for (const { name, bytes } of partsOf(whole)) {
    const stated = { bytes: bytes.length, sha256: sha256(bytes) };
    const [, number] = /^items\/(\d+)$/.exec(name) ?? [];
    const item = number === undefined ? undefined : branchesOf(manifest['items'])[Number(number) - 1];
    if (item !== undefined) Object.assign(item, stated);
    else if (number === undefined) manifest[name.replace(/\..*/, '')] = { ...stated, ...counted[name] };
    if (number === '1') manifest['case_sha256'] = stated.sha256;
  }
}

function seal(whole: Branch, levels: readonly Level[]): void {
  if (levels.includes('log')) signLog(whole);
  if (levels.includes('manifest')) fitManifest(whole);
  const { manifest } = whole;
  if (!levels.includes('seal') || !isBranch(manifest)) return;
  const about = {
    case_sha256: String(manifest['case_sha256']),
    manifest_sha256: sha256(utf8(canonicalText(manifest).toWellFormed())),
  };
  whole['seal'] = signed({ type: 'countersign.case-signature.v1', ...about });
}

function fileOf(whole: Branch): Buffer {
  const sealed = whole['seal'];
  return archiveOf([
    { name: 'manifest.json', bytes: Buffer.from(canonicalText(whole['manifest'] ?? null).toWellFormed()) },
    ...(isBranch(sealed) ? [{ name: 'seal.json', bytes: Buffer.from(canonicalText(sealed).toWellFormed()) }] : []),
    ...partsOf(whole),
  ]);
}

export interface CaseMutant {
  readonly how: string;
  readonly file: Uint8Array;
  /** Whether something was changed that the examiner's signature covers, and nothing signed again. */
  readonly isForged: boolean;
  readonly isHonest: boolean;
}

/** A case around a bundle that was not changed. @param others bundles, of which parts may be put in */
export function changedCase(base: Base, kid: string, draw: Draw, others: readonly Tree[]): CaseMutant {
  const whole = caseOf(base, kid);
  seal(whole, LEVELS);
  const honest = fileOf(whole);
  const done: string[] = [];
  for (let left = draw.pick([0, 1, 1, 1, 2, 3]); left > 0; left--)
    done.push(draw.weighted(BUNDLE_CHANGES)(whole, draw, others));
  const levels = draw.weighted<readonly Level[]>([
    [35, []],
    [30, LEVELS],
    [15, ['manifest', 'seal']],
    [10, ['manifest']],
    [10, ['log', 'manifest']],
  ]);
  if (done.length > 0) seal(whole, levels);
  let file: Uint8Array = fileOf(whole);
  const isCut = draw.chance(20);
  if (isCut) file = changedBytes(file, draw);
  const wasSigned = done.length > 0 && levels.length > 0 && !isCut;
  return {
    how: `case of ${base.name}: ${done.join('; ') || 'nothing'}; signed: ${levels.join(' ') || 'nothing'}${isCut ? '; bytes' : ''}`,
    file,
    isForged: !honest.equals(file) && !wasSigned,
    isHonest: honest.equals(file),
  };
}
