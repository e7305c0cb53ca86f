import type Database from 'better-sqlite3';
import { type CallAccount, differencesOf } from '../../../actions/found/index.ts';
import {
  type CancelSignal,
  canonicalize,
  decodeUtf8,
  type JsonObject,
  parseBundleRecord,
} from '../../../protocol/index.ts';
import { type AccountOf, accountOf } from './account.ts';

/** How far apart the ledger and a transcript may have a call that neither has an id of. */
const WINDOW_MS = 5_000;
const READ_AT_ONCE = 500;

interface StoredCall {
  readonly session: string;
  readonly call_id: string | null;
  readonly n: number;
  readonly at: number;
  readonly action_id: string | null;
  readonly account: string;
}

/** The payload of a signed record, as far as its bundle shows it. */
export function payloadOfSigned(text: Uint8Array): JsonObject | null {
  const { eor, disclosures } = parseBundleRecord(text);
  if (eor.payload === undefined) return null;
  const shown = Object.fromEntries(Object.entries(disclosures ?? {}).map(([name, [, value]]) => [name, value]));
  return { ...eor.payload, ...shown } as JsonObject;
}

/**
 * Holds the calls that a transcript has against those that the ledger has of the same sessions: by session and the program's id of the
 * call, and where one of the two has no id by tool, input and time. What both have alike is counted and not listed.
 */
export function differencesWithLedger(sqlite: Database.Database, signal: CancelSignal): void {
  const sessions = new Set(
    sqlite.prepare('SELECT DISTINCT session FROM found WHERE session IS NOT NULL').pluck().all() as string[],
  );
  if (sessions.size > 0) stageLedger(sqlite, sessions, signal);
  const shared = sqlite.prepare('SELECT DISTINCT session FROM staged_calls ORDER BY session').pluck().all() as string[];
  let same = 0;
  for (const session of shared) {
    signal.throwIfAborted();
    same += differencesOfSession(sqlite, session);
  }
  const fact = sqlite.prepare('INSERT OR REPLACE INTO facts VALUES (?, ?)');
  fact.run('found_same', String(same));
  fact.run('found_shared_sessions', String(shared.length));
}

/** Puts the calls that the ledger has of those sessions where they can be looked for. */
function stageLedger(sqlite: Database.Database, sessions: ReadonlySet<string>, signal: CancelSignal): void {
  const next = sqlite.prepare(
    'SELECT n, issued_at_ms AS at, text FROM records JOIN texts USING (n) WHERE n > ? ORDER BY n LIMIT ?',
  );
  const put = sqlite.prepare('INSERT INTO staged_calls VALUES (?, ?, ?, ?, ?, ?)');
  for (let after = 0; ; ) {
    signal.throwIfAborted();
    const rows = next.all(after, READ_AT_ONCE) as {
      readonly n: number;
      readonly at: number;
      readonly text: Uint8Array;
    }[];
    for (const { n, at, text } of rows) {
      const payload = payloadOfSigned(text);
      const account = payload === null ? null : accountOf(payload);
      if (account?.session == null || !sessions.has(account.session)) continue;
      const { session, callId, actionId, ...kept } = account;
      put.run(session, callId, n, at, actionId, JSON.stringify(kept));
    }
    after = rows.at(-1)?.n ?? after;
    if (rows.length < READ_AT_ONCE) break;
  }
  sqlite.exec('CREATE INDEX temp.staged_calls_session ON staged_calls (session, n)');
}

interface LedgerCall extends CallAccount {
  readonly n: number;
  readonly callId: string | null;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The records of one call of the ledger, as one account. */
function ledgerCalls(rows: readonly StoredCall[]): LedgerCall[] {
  const groups = Map.groupBy(rows, ({ action_id: actionId, n }) => actionId ?? `record ${n}`);
  return [...groups.values()].flatMap((group) => {
    const accounts = group.map(({ account }) => JSON.parse(account) as AccountOf);
    const [first, last] = [group[0], group.at(-1)];
    // Decisions about a call name no tool by themselves: what nobody says has a tool is no call.
    if (first === undefined || last === undefined || accounts.every(({ tool }) => tool === null)) return [];
    const of = <T>(get: (account: AccountOf) => T | null | undefined): T | null => {
      const found = accounts.map(get).findLast((value) => value !== null && value !== undefined);
      return found ?? null;
    };
    const callId = group.findLast(({ call_id: id }) => id !== null)?.call_id ?? null;
    const inputs = accounts.flatMap(({ input }) => (input === undefined ? [] : [input]));
    const account = { tool: of(({ tool }) => tool), input: inputs.at(-1), status: of(({ status }) => status) };
    return [
      { ...account, exitCode: of(({ exitCode }) => exitCode), n: first.n, callId, fromMs: first.at, toMs: last.at },
    ];
  });
}

interface FoundCall {
  readonly n: number;
  readonly at: number;
  readonly account: AccountOf;
}

function foundCalls(sqlite: Database.Database, session: string): FoundCall[] {
  const sql = 'SELECT n, issued_at_ms AS at, text FROM found JOIN texts USING (n) WHERE session = ? ORDER BY n';
  const rows = sqlite.prepare(sql).all(session) as {
    readonly n: number;
    readonly at: number;
    readonly text: Uint8Array;
  }[];
  return rows.flatMap(({ n, at, text }) => {
    const account = accountOf(JSON.parse(decodeUtf8(text)) as JsonObject);
    return account === null ? [] : [{ n, at, account }];
  });
}

/** @returns how many calls both have alike */
function differencesOfSession(sqlite: Database.Database, session: string): number {
  const rows = sqlite.prepare('SELECT * FROM staged_calls WHERE session = ? ORDER BY n').all(session) as StoredCall[];
  const ledger = ledgerCalls(rows);
  const found = foundCalls(sqlite, session);
  const put = sqlite.prepare('INSERT INTO differences VALUES (NULL, ?, ?, ?, ?, ?, ?)');
  const byId = new Map(ledger.flatMap((call) => (call.callId === null ? [] : [[call.callId, call] as const])));
  const left = new Set(ledger);
  let same = 0;
  const paired = (one: FoundCall, other: LedgerCall): void => {
    left.delete(other);
    const members = differencesOf(one.account, other);
    if (members.length === 0) same++;
    else put.run('differs', one.n, other.n, JSON.stringify(members), session, one.account.callId);
  };
  const without: FoundCall[] = [];
  for (const one of found) {
    const other = one.account.callId === null ? undefined : byId.get(one.account.callId);
    if (other !== undefined && left.has(other)) paired(one, other);
    else without.push(one);
  }
  const alike = new AlikeCalls(ledger, left);
  for (const one of without) {
    const other = alike.of(one);
    if (other !== undefined) paired(one, other);
    else put.run('only_found', one.n, null, '[]', session, one.account.callId);
  }
  for (const call of left) put.run('only_ledger', null, call.n, '[]', session, call.callId);
  return same;
}

/** Tool and input of a call, where the input is known. */
function givenTo({ tool, input }: Pick<CallAccount, 'tool' | 'input'>): string | null {
  return input === undefined ? null : `${JSON.stringify(tool)} ${canonicalize(input)}`;
}

/**
 * The calls of a ledger by what they were given: of two accounts of which one has no id, the same tool and input at nearly the same time
 * tell that they are of one call. To be asked in the order of time. Whoever wrote the transcript chose how many are alike: each is passed
 * over once.
 */
class AlikeCalls {
  readonly #left: ReadonlySet<LedgerCall>;
  /** Those that begin last come first: the next one is at the end. */
  readonly #withId = new Map<string, LedgerCall[]>();
  readonly #withoutId = new Map<string, LedgerCall[]>();

  /** @param left those that have no pair yet */
  constructor(calls: readonly LedgerCall[], left: ReadonlySet<LedgerCall>) {
    this.#left = left;
    for (const call of calls.toSorted((a, b) => b.fromMs - a.fromMs)) {
      const given = givenTo(call);
      if (given === null) continue;
      const group = call.callId === null ? this.#withoutId : this.#withId;
      const alike = group.get(given);
      if (alike === undefined) group.set(given, [call]);
      else alike.push(call);
    }
  }

  of({ account, at }: FoundCall): LedgerCall | undefined {
    const given = givenTo(account);
    if (given === null) return undefined;
    const groups = account.callId === null ? [this.#withoutId, this.#withId] : [this.#withoutId];
    const found = groups.flatMap((group) => this.#next(group.get(given) ?? [], at) ?? []);
    return found.toSorted((a, b) => a.n - b.n)[0];
  }

  #next(calls: LedgerCall[], at: number): LedgerCall | null {
    for (let next = calls.at(-1); next !== undefined; next = calls.at(-1)) {
      if (next.fromMs - WINDOW_MS > at) return null;
      if (this.#left.has(next) && next.toMs + WINDOW_MS >= at) return next;
      calls.pop();
    }
    return null;
  }
}
