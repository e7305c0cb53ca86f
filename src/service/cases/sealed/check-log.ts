import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { LIMITS } from '../../../api/index.ts';
import {
  type CancelSignal,
  type CaseSignature,
  canonicalize,
  type HostCrypto,
  type Json,
  type JsonObject,
  ProtocolError,
  parseJsonBytes,
} from '../../../protocol/index.ts';
import {
  type CaseFileFinding,
  CaseFileRefused,
  type CaseManifest,
  ENTRY,
  time,
} from '../../../reports/case-file/index.ts';
import { type CustodyCheck, checkCustody } from '../custody/check-custody.ts';
import { LoggedItems } from '../custody/check-items.ts';
import { NotedRecords } from '../custody/check-notes.ts';
import {
  MAX_ENTRIES,
  MAX_ENTRY_CHARACTERS,
  MAX_SIGNATURE_CHARACTERS,
  type StoredEntry,
} from '../custody/custody-entry.ts';
import { KnownSignatures } from '../custody/known-signatures.ts';
import { FIRST_ITEM } from '../items/items-table.ts';

/** A note has 10,000 characters, and an entry of the log holds one: no line of ours is longer, in bytes. */
const MAX_LINE_BYTES = 512 * 1024;

/** What a case file is read with, and whether it is to be read any further: asked before each line. */
export interface OpenMeans {
  readonly crypto: HostCrypto;
  readonly signal: CancelSignal;
}

/** One line of JSON, counted from 1. */
interface JsonLine {
  readonly line: number;
  readonly value: Json;
}

/**
 * The lines of a file of JSON, one at a time.
 * @param name of the entry, for messages
 * @throws CaseFileRefused LINE_INVALID, TOO_MANY_ENTRIES
 */
async function* jsonLines(
  path: string,
  { name, most, signal }: { readonly name: string; readonly most: number; readonly signal: CancelSignal },
): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const bytes of rawLines(path, name)) {
    signal.throwIfAborted();
    line += 1;
    if (line > most) throw tooMany(name, most);
    try {
      yield { line, value: parseJsonBytes(bytes, { hashedWhole: true }) as Json };
    } catch (error) {
      if (error instanceof ProtocolError) throw lineInvalid(name, line, error.message);
      throw error;
    }
  }
}

function tooMany(file: string, most: number): CaseFileRefused {
  return new CaseFileRefused({ code: 'TOO_MANY_ENTRIES', file, message: `${file} has more than ${most} lines` });
}

function lineInvalid(file: string, line: number, what: string): CaseFileRefused {
  return new CaseFileRefused({ code: 'LINE_INVALID', file, line, message: `${file}, line ${line}: ${what}` });
}

async function* rawLines(path: string, name: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let held = 0;
  let line = 1;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      yield Buffer.concat([...begun, chunk.subarray(at, end)]);
      [begun, held, at] = [[], 0, end + 1];
      line += 1;
    }
    begun.push(chunk.subarray(at));
    held += chunk.length - at;
    if (held > MAX_LINE_BYTES) throw lineInvalid(name, line, 'is longer than any line can be');
  }
  if (held > 0) throw lineInvalid(name, line, 'does not end');
}

/** One entry fewer than a log can have: opening the case writes another. */
export const MAX_LOG_LINES = MAX_ENTRIES - 1;
/** As many records with notes as a case can have. */
const MAX_NOTES = LIMITS.annotatedRecords;

const logLine = z.strictObject({
  entry_no: z.int().min(1),
  entry: z.string().max(MAX_ENTRY_CHARACTERS),
  entry_hash: z.string().max(80),
  signature: z.record(z.string(), z.unknown()).nullable(),
});

const noteLine = z.strictObject({
  operation_id: z.string().min(1).max(256),
  tags: z
    .array(z.string().max(4 * LIMITS.tag))
    .max(LIMITS.tagsPerRecord)
    .refine((tags) => new Set(tags).size === tags.length, { message: 'has a tag twice' }),
  note: z.string().max(2 * LIMITS.note),
  bookmarked: z.boolean(),
  updated_at: time,
  updated_by: z.string().max(LIMITS.email).nullable(),
});
type NoteLine = z.infer<typeof noteLine>;

/** The entries of a custody log as a case file has them. @throws CaseFileRefused LINE_INVALID, TOO_MANY_ENTRIES */
export async function* logLines(
  path: string,
  signal: CancelSignal,
): AsyncGenerator<StoredEntry & { readonly line: number }> {
  let last = 0;
  for await (const { line, value } of jsonLines(path, { name: ENTRY.custody, most: MAX_LOG_LINES, signal })) {
    const read = logLine.safeParse(value);
    if (!read.success) throw lineInvalid(ENTRY.custody, line, 'is no entry of a custody log');
    const { entry_no, signature: signed, ...entry } = read.data;
    if (entry_no > MAX_LOG_LINES) throw tooMany(ENTRY.custody, MAX_LOG_LINES);
    const signature = signed === null ? null : canonicalize(signed as JsonObject);
    if (signature !== null && signature.length > MAX_SIGNATURE_CHARACTERS) {
      throw lineInvalid(ENTRY.custody, line, 'its signature is longer than any can be');
    }
    if (entry_no <= last) throw lineInvalid(ENTRY.custody, line, 'its number does not rise');
    last = entry_no;
    yield { ...entry, entry_no, line, signature };
  }
}

/** Tags, notes and bookmarks as a case file has them. @throws CaseFileRefused LINE_INVALID, TOO_MANY_ENTRIES */
export async function* noteLines(
  path: string,
  signal: CancelSignal,
): AsyncGenerator<NoteLine & { readonly line: number }> {
  const seen = new Set<string>();
  for await (const { line, value } of jsonLines(path, { name: ENTRY.notes, most: MAX_NOTES, signal })) {
    const read = noteLine.safeParse(value);
    if (!read.success) throw lineInvalid(ENTRY.notes, line, 'is no note');
    if (seen.has(read.data.operation_id)) throw lineInvalid(ENTRY.notes, line, 'names a record for the second time');
    seen.add(read.data.operation_id);
    yield { ...read.data, line };
  }
}

const DAMAGE = {
  ENTRY_MISSING: 'is missing',
  ENTRY_CHANGED: 'was changed',
  LINK_BROKEN: 'does not follow the entry before it',
  OTHER_CASE: 'is about another case',
  SIGNATURE_INVALID: 'has a signature that is not one of it by who did what it says',
  KEY_SHARED: 'is signed by a key that also signed for another person',
  ITEM_CHANGED: 'says something else than the item',
  NOTE_CHANGED: 'says something else than the note',
} as const;

/** What was found about the custody log and the notes of a case file. */
export interface CheckedLog {
  readonly custody: CustodyCheck;
  readonly findings: readonly CaseFileFinding[];
}

/**
 * Checks the custody log of a case file, and holds its items and notes against the log.
 * @param pathOf where the parts were copied to
 * @param seal of the manifest, where there is one: its key is one of the keys that signed
 * @throws CaseFileRefused LINE_INVALID, TOO_MANY_ENTRIES; what the signal throws
 */
export async function checkLog(
  { case_id, case_sha256: caseSha256, custody: stated, items }: CaseManifest,
  pathOf: (name: string) => string,
  { crypto, signal }: OpenMeans,
  seal: CaseSignature | null = null,
): Promise<CheckedLog> {
  const lines = new Map<number, number>();
  async function* rows(): AsyncGenerator<StoredEntry> {
    for await (const { line, ...row } of logLines(pathOf(ENTRY.custody), signal)) {
      lines.set(row.entry_no, line);
      yield row;
    }
  }
  const noted = new NotedRecords();
  const logged = new LoggedItems();
  const custody = await checkCustody(
    rows(),
    { caseSha256, caseId: case_id },
    new KnownSignatures(crypto),
    (checked) => {
      noted.take(checked);
      logged.take(checked);
    },
  );
  const findings: CaseFileFinding[] = custody.damage.map(({ entry_no, code }) => {
    const line = lines.get(entry_no);
    const message = `entry ${entry_no} of the custody log ${DAMAGE[code]}`;
    return { code, file: ENTRY.custody, entry_no, message, ...(line === undefined ? {} : { line }) };
  });
  if ((custody.head?.entry_hash ?? null) !== stated.head_hash || lines.size !== stated.entries) {
    findings.push({
      code: 'HEAD_MISMATCH',
      file: ENTRY.custody,
      entry_no: lines.size + 1,
      message: `the custody log has ${lines.size} entries and ends otherwise than the manifest says, which knows ${stated.entries}`,
    });
  }
  for (const { item_no, entry_no } of logged.changed(items.filter((item) => item.item_no !== FIRST_ITEM))) {
    const message = `item ${item_no} is not what the custody log says: see entry ${entry_no}`;
    const line = lines.get(entry_no);
    const at = { file: ENTRY.custody, entry_no, item_no, ...(line === undefined ? {} : { line }) };
    findings.push({ code: 'ITEM_CHANGED', message, ...at });
  }
  for await (const { line, operation_id, updated_by: by, ...written } of noteLines(pathOf(ENTRY.notes), signal)) {
    const entryNo = noted.differsFrom(operation_id, { ...written, by });
    if (entryNo === null) continue;
    const message = `notes.jsonl, line ${line}: what is written about ${operation_id} was changed: entry ${entryNo} of the custody log has others`;
    findings.push({ code: 'NOTE_CHANGED', file: ENTRY.notes, line, entry_no: entryNo, message });
  }
  for (const entryNo of noted.missing()) {
    const message = `notes.jsonl: the note that entry ${entryNo} of the custody log sets is gone`;
    findings.push({ code: 'NOTE_CHANGED', file: ENTRY.notes, entry_no: entryNo, message });
  }
  const shared = seal === null ? null : custody.holders.take(seal.kid, seal.signer, stated.entries + 1);
  if (shared !== null && !custody.damage.some(({ code }) => code === 'KEY_SHARED')) {
    const { place, signer } = shared;
    const message = `the key that signed the manifest for ${seal?.signer} signed entry ${place} of the custody log for ${signer}`;
    findings.push({ code: 'KEY_SHARED', file: ENTRY.seal, entry_no: place, message });
  }
  return { custody, findings };
}
