import { createHash, randomBytes } from 'node:crypto';
import type { Caller } from '../../http/caller.ts';
import { SESSION_LIFETIME_MS } from '../../http/cookies.ts';
import type { PageHash } from '../../http/page-binding.ts';
import { eq, lte } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { sessions } from '../../store/schema.ts';
import { notePage } from './known-pages.ts';

const SESSION_PREFIX = 'csn_sess_';
export const API_PREFIX = 'csn_api_';

/** Thirty days, in milliseconds: however often a session is refreshed, then its person signs in again. */
export const SESSION_LIMIT_MS = 30 * 86_400_000;

/** A caller, when the token ends that says so (milliseconds, null for never), and the page it is bound to. */
export interface CallerWithEnd {
  readonly caller: Caller;
  readonly endsAt: number | null;
  readonly page: PageHash | null;
}

/** 256 random bits; the database keeps only their SHA-256, so that who reads it can sign in as nobody. */
export function newToken(prefix: string): { token: string; tokenHash: Buffer } {
  const token = prefix + randomBytes(32).toString('base64url');
  return { token, tokenHash: hashToken(token) };
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** What a session hands on to the one that takes its place. Milliseconds since the Unix epoch. */
interface Beginning {
  readonly begunAt: number;
  readonly provedAt: number;
  /** The page that alone can use it, or null. */
  readonly page: PageHash | null;
}

function insertSession(
  store: WritableStore,
  userId: string,
  { begunAt, provedAt, page }: Beginning,
  now: number,
): string {
  const { db } = store;
  db.delete(sessions).where(lte(sessions.expiresAt, now)).run();
  const { token, tokenHash } = newToken(SESSION_PREFIX);
  db.insert(sessions)
    .values({ tokenHash, userId, createdAt: now, expiresAt: endOf(begunAt, now), begunAt, provedAt, pageHash: page })
    .run();
  if (page !== null) notePage(store, userId, page, now);
  return token;
}

/** When a session ends that is used now. */
function endOf(begunAt: number, now: number): number {
  return Math.min(now + SESSION_LIFETIME_MS, begunAt + SESSION_LIMIT_MS);
}

/**
 * Begins a session of a user who has just proved who they are; within the writer. Sessions that have ended are cleared away
 * on this occasion.
 * @param page the page that begins it, which alone can use it then; null for a client that is not a page
 */
export function createSession(store: WritableStore, userId: string, page: PageHash | null, now: number): string {
  return insertSession(store, userId, { begunAt: now, provedAt: now, page }, now);
}

/**
 * Puts a new session in the place of one, with its beginning; within the writer.
 * @param provedAt where the person has proved again who they are
 * @returns its token, or null where there is no such session
 */
export function replaceSession(store: WritableStore, token: string, now: number, provedAt?: number): string | null {
  const named = eq(sessions.tokenHash, hashToken(token));
  const old = store.db.delete(sessions).where(named).returning().get();
  if (old === undefined) return null;
  const begunAt = old.begunAt ?? old.createdAt;
  const beginning = { begunAt, provedAt: provedAt ?? old.provedAt ?? old.createdAt, page: old.pageHash };
  return insertSession(store, old.userId, beginning, now);
}

/** Ends a session: its token stops working at once. Within the writer. @returns whether there was one */
export function endSession({ db }: WritableStore, token: string): boolean {
  const ended = db
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)))
    .run();
  return ended.changes > 0;
}

/** Gives a session its whole lifetime again; within the writer. */
export function extendSession({ db }: WritableStore, token: string, now: number): void {
  const named = eq(sessions.tokenHash, hashToken(token));
  const row = db.select().from(sessions).where(named).get();
  if (row === undefined) return;
  db.update(sessions)
    .set({ expiresAt: endOf(row.begunAt ?? row.createdAt, now) })
    .where(named)
    .run();
}

/** Notes that the person of a session has proved again who they are; within the writer. @returns whether there is one */
export function noteProof({ db }: WritableStore, token: string, now: number): boolean {
  const ofToken = eq(sessions.tokenHash, hashToken(token));
  return db.update(sessions).set({ provedAt: now }).where(ofToken).run().changes > 0;
}

/** Every request asks one of these two. */
const HOLDER = `SELECT u.user_id AS userId, m.org_id AS orgId, m.role AS role, o.separate_duties AS separated,
    t.expires_at AS endsAt, LIMIT AS submitsFor, ENROLS AS enrolsOnly,
    PAGE AS page, PROOF AS provedAt
  FROM tokens t JOIN users u ON u.user_id = t.user_id LEFT JOIN members m ON m.user_id = u.user_id
    LEFT JOIN organizations o ON o.org_id = m.org_id
  WHERE t.token_hash = ?`;
const SESSION_HOLDER = HOLDER.replace('tokens', 'sessions')
  .replace('LIMIT', 'NULL')
  .replace('ENROLS', '0')
  .replace('PAGE', 't.page_hash')
  .replace('PROOF', 'coalesce(t.proved_at, t.created_at)');
const TOKEN_HOLDER = HOLDER.replace('tokens', 'api_tokens')
  .replace('LIMIT', 't.agent_id')
  .replace('ENROLS', "t.scope = 'enrol'")
  .replace('PAGE', 'NULL')
  .replace('PROOF', 'NULL');

/**
 * The caller a token belongs to, with the role the user has now; null where it is unknown or expired. Tokens are looked up
 * by their hash: what the time of the search tells is about hashes that nobody can choose.
 */
export function findCaller(store: Store, token: string, now: number): CallerWithEnd | null {
  const isSession = token.startsWith(SESSION_PREFIX);
  if (!isSession && !token.startsWith(API_PREFIX)) return null;
  const who = store.statement(isSession ? SESSION_HOLDER : TOKEN_HOLDER);
  type Row = Omit<Caller, 'by' | 'separated' | 'enrolsOnly'> &
    Omit<CallerWithEnd, 'caller'> & { readonly separated: number | null; readonly enrolsOnly: number };
  const row = who.get(hashToken(token)) as Row | undefined;
  if (row === undefined || (row.endsAt !== null && row.endsAt <= now)) return null;
  const { endsAt, page, separated, enrolsOnly, ...caller } = row;
  const by = isSession ? 'session' : 'token';
  return { caller: { ...caller, separated: separated === 1, enrolsOnly: enrolsOnly === 1, by }, endsAt, page };
}
