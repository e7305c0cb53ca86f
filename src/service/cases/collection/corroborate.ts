import type Database from 'better-sqlite3';
import { type ActionToWitness, Corroborations, type WitnessEvent } from '../../../actions/found/index.ts';
import type { LogEvent } from '../../../actions/logs/index.ts';
import { type CancelSignal, decodeUtf8, type JsonObject } from '../../../protocol/index.ts';
import { accountOf, commandOf, pathsOf } from './account.ts';
import { payloadOfSigned } from './differences.ts';

/** Actions before the first event and after the last that are held against them all the same: clocks differ. */
const MARGIN_MS = 30 * 60_000;
/** Of an input, as a text in which the name of a call of a cloud is looked for. */
const MAX_TEXT = 8_192;
const READ_AT_ONCE = 500;

function actionOf(n: number, at: number, payload: JsonObject): ActionToWitness | null {
  const account = accountOf(payload);
  if (account === null) return null;
  const input = payload['input'];
  const text = `${account.tool ?? ''} ${input === undefined ? '' : JSON.stringify(input).slice(0, MAX_TEXT)}`;
  const command = commandOf(payload);
  return { n, fromMs: at - (account.durationMs ?? 0), toMs: at, command, paths: pathsOf(payload), text };
}

/** The actions of the time that the logs are of, signed or not. */
function actionsBetween(sqlite: Database.Database, from: number, to: number, signal: CancelSignal): ActionToWitness[] {
  const actions: ActionToWitness[] = [];
  for (const table of ['records', 'found'] as const) {
    const sql = `SELECT n, issued_at_ms AS at, text FROM ${table} JOIN texts USING (n)
      WHERE n > ? AND issued_at_ms BETWEEN ? AND ? ORDER BY n LIMIT ?`;
    const next = sqlite.prepare(sql);
    for (let after = 0; ; ) {
      signal.throwIfAborted();
      const rows = next.all(after, from, to, READ_AT_ONCE) as {
        readonly n: number;
        readonly at: number;
        readonly text: Uint8Array;
      }[];
      for (const { n, at, text } of rows) {
        const payload = table === 'records' ? payloadOfSigned(text) : (JSON.parse(decodeUtf8(text)) as JsonObject);
        const action = payload === null ? null : actionOf(n, at, payload);
        if (action !== null) actions.push(action);
      }
      after = rows.at(-1)?.n ?? after;
      if (rows.length < READ_AT_ONCE) break;
    }
  }
  return actions;
}

function* eventsOf(sqlite: Database.Database, signal: CancelSignal): Generator<WitnessEvent> {
  const next = sqlite.prepare(
    'SELECT event_no AS eventNo, file_id AS logNo, event FROM log_events WHERE event_no > ? ORDER BY event_no LIMIT ?',
  );
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const rows = next.all(after, READ_AT_ONCE) as {
      readonly eventNo: number;
      readonly logNo: number;
      readonly event: string;
    }[];
    for (const { eventNo, logNo, event } of rows) yield { eventNo, logNo, event: JSON.parse(event) as LogEvent };
    after = rows.at(-1)?.eventNo ?? after;
    if (rows.length < READ_AT_ONCE) return;
  }
}

/** Finds the events of logs that fit actions, signed or not, and keeps which fit which. */
export function corroborate(sqlite: Database.Database, signal: CancelSignal): void {
  const span = sqlite.prepare('SELECT min(at) AS first, max(at) AS last FROM log_events').get() as {
    readonly first: number | null;
    readonly last: number | null;
  };
  if (span.first === null || span.last === null) return;
  const actions = actionsBetween(sqlite, span.first - MARGIN_MS, span.last + MARGIN_MS, signal);
  const search = new Corroborations(actions);
  for (const event of eventsOf(sqlite, signal)) search.measure(event);
  const put = sqlite.prepare('INSERT INTO corroborations VALUES (?, ?, ?)');
  for (const event of eventsOf(sqlite, signal))
    for (const { n, eventNo, by } of search.take(event)) put.run(n, eventNo, by);
  const logs = sqlite.prepare('SELECT DISTINCT file_id FROM log_events').pluck().all() as number[];
  const keep = sqlite.prepare('UPDATE found_files SET offset_ms = ?, offset_from = ? WHERE file_id = ?');
  for (const logNo of logs) {
    const { ms, from } = search.offsetOf(logNo);
    keep.run(ms, from, logNo);
  }
}
