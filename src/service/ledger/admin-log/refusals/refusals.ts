import { AGENT_ID_PATTERN } from '../../../../protocol/index.ts';
import type { WritableStore } from '../../../store/open.ts';
import type { Writer } from '../../../store/writer.ts';

/** One refusal as it is noted. It holds no payload, password or token. */
export interface Refused {
  readonly orgId: string;
  readonly kind: 'submission' | 'sign_in';
  readonly code: string;
  readonly agentId: string;
  readonly kid: string;
  readonly operationId: string | null;
  readonly userId: string | null;
  readonly address: string;
}

interface Means {
  readonly writer: Writer;
  /** Milliseconds since the Unix epoch. */
  readonly now: () => number;
}

interface Pending extends Refused {
  readonly minute: number;
  readonly slot: number;
  readonly firstAt: number;
  lastAt: number;
  times: number;
}

const MINUTE_MS = 60_000;
const FLUSH_MS = 1000;
/** This many of one kind in a minute have a row each; the others of that minute are counted in one more. */
const OWN_ROWS = 10;
/** Rows that wait to be written, of all organizations; an organization has at most a quarter of them. */
const MAX_PENDING = 2000;
/** Rows that an organization keeps, and for how long. */
const MAX_KEPT = 10_000;
const KEEP_MS = 90 * 24 * 60 * MINUTE_MS;

const INSERT = `INSERT INTO refusals (org_id, kind, code, agent_id, kid, operation_id, user_id, address, minute, slot,
    first_at, last_at, times) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (org_id, kind, code, agent_id, kid, address, minute, slot)
  DO UPDATE SET times = times + excluded.times, last_at = excluded.last_at`;
const TRIM = `DELETE FROM refusals WHERE org_id = ? AND (last_at < ? OR refusal_no <=
  (SELECT refusal_no FROM refusals WHERE org_id = ? ORDER BY refusal_no DESC LIMIT 1 OFFSET ${MAX_KEPT}))`;

/**
 * Notes what was refused, beside the evidence. Nobody waits for it, a flood becomes a count, and what is kept is bounded: a
 * crash loses the last second.
 */
export class Refusals {
  readonly #means: Means;
  readonly #onError: (error: unknown) => void;
  #pending = new Map<string, Pending>();
  /** How many of one kind there were in the minute at hand. */
  readonly #seen = new Map<string, number>();
  readonly #ofRecords = new Map<string, number>();
  #minute = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(means: Means, onError: (error: unknown) => void) {
    this.#means = means;
    this.#onError = onError;
  }

  /** How many records were refused since the start, by code. */
  get ofRecords(): ReadonlyMap<string, number> {
    return this.#ofRecords;
  }

  note(given: Refused): void {
    if (given.kind === 'submission') this.#ofRecords.set(given.code, (this.#ofRecords.get(given.code) ?? 0) + 1);
    const now = this.#means.now();
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) this.#seen.clear();
    this.#minute = minute;
    // Names that nobody has registered are whatever the sender likes: past a bound they are counted without.
    const isFull = this.#pending.size >= MAX_PENDING / 4 || this.#seen.size >= MAX_PENDING;
    const refused = isFull ? { ...given, agentId: '', kid: '', address: '', operationId: null } : given;
    const kind = JSON.stringify([
      refused.orgId,
      refused.kind,
      refused.code,
      refused.agentId,
      refused.kid,
      refused.address,
    ]);
    const before = this.#seen.get(kind) ?? 0;
    if (this.#seen.size < 2 * MAX_PENDING || before > 0) this.#seen.set(kind, before + 1);
    const slot = isFull ? OWN_ROWS : Math.min(before, OWN_ROWS);
    const key = `${kind} ${slot}`;
    const found = this.#pending.get(key);
    if (found !== undefined) {
      found.times++;
      found.lastAt = now;
    } else if (this.#pending.size < MAX_PENDING) {
      const operationId = slot === OWN_ROWS ? null : refused.operationId;
      this.#pending.set(key, { ...refused, operationId, minute, slot, firstAt: now, lastAt: now, times: 1 });
    }
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Writes what is pending, in one transaction. */
  async flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const rows = [...this.#pending.values()];
    if (rows.length === 0) return;
    this.#pending = new Map();
    const { writer, now } = this.#means;
    const write = (store: WritableStore): void => {
      for (const row of rows) {
        const { orgId, kind, code, agentId, kid, operationId, userId, address, minute, slot } = row;
        const values = [orgId, kind, code, agentId, kid, operationId, userId, address, minute, slot];
        store.statement(INSERT).run(...values, row.firstAt, row.lastAt, row.times);
      }
      for (const orgId of new Set(rows.map((row) => row.orgId))) {
        store.statement(TRIM).run(orgId, now() - KEEP_MS, orgId);
      }
    };
    await writer.aside(write).catch(this.#onError);
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A kid is the agent's own text: what a list shows of one. */
const KID = /^[\x21-\x7e]{1,128}$/;

/** What a refused record says of itself, where it is well formed: whoever sent it wrote it. */
export function claimsOf(record: unknown): Pick<Refused, 'agentId' | 'kid' | 'operationId'> {
  const { agent_id, agent_pubkey_kid, operation_id } = Object(record) as Record<string, unknown>;
  const fits = (value: unknown, pattern: RegExp): string | null =>
    typeof value === 'string' && pattern.test(value) ? value : null;
  return {
    agentId: fits(agent_id, AGENT_ID_PATTERN) ?? '',
    kid: fits(agent_pubkey_kid, KID) ?? '',
    operationId: fits(operation_id, UUID),
  };
}
