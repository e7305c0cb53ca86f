import { randomUUID } from 'node:crypto';
import { LIMITS, type PasskeyRow, type PasskeyUse } from '../../../../api/index.ts';
import type { Caller } from '../../../http/caller.ts';
import type { AdminAction } from '../../../ledger/admin-log/admin-action.ts';
import { recordAdminEvent } from '../../../ledger/admin-log/admin-events.ts';
import { ServiceError } from '../../../store/base/service-error.ts';
import { and, eq } from '../../../store/drizzle.ts';
import type { Store, WritableStore } from '../../../store/open.ts';
import { passkeys } from '../../../store/schema.ts';

export type StoredPasskey = typeof passkeys.$inferSelect;

function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

export function passkeyView({ passkeyId, name, use, createdAt, lastUsedAt }: StoredPasskey): PasskeyRow {
  return {
    id: passkeyId,
    name,
    use,
    created_at: isoTime(createdAt),
    last_used_at: lastUsedAt === null ? null : isoTime(lastUsedAt),
  };
}

/** A user's passkeys, the oldest first. */
export function passkeysOf({ db }: Store, userId: string): StoredPasskey[] {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(passkeys.createdAt).all();
}

/** Whether a password alone is not enough for an account. */
export function needsSecondStep(store: Store, userId: string): boolean {
  return passkeysOf(store, userId).some(({ use }) => use === 'second_step');
}

export function findCredential({ db }: Store, credentialId: string): StoredPasskey | undefined {
  return db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).get();
}

function record(
  store: WritableStore,
  caller: Caller,
  action: AdminAction,
  { passkeyId, name, use }: StoredPasskey,
  now: number,
) {
  // The log is an organization's: a user without one has none to write to.
  if (caller.orgId === null) return;
  const target = { targetType: 'passkey', targetId: passkeyId, details: { name, use } };
  recordAdminEvent(store, { orgId: caller.orgId, actor: caller.userId, action, ...target }, now);
}

/** What an authenticator made, as WebAuthn tells it. */
export type NewCredential = Pick<StoredPasskey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** Adds a passkey of the caller; within the writer's transaction. @throws ServiceError CONFLICT */
export function addPasskey(
  store: WritableStore,
  caller: Caller,
  given: NewCredential & { readonly name: string; readonly use: PasskeyUse },
  now: number,
): PasskeyRow {
  if (findCredential(store, given.credentialId) !== undefined) {
    throw new ServiceError('CONFLICT', 'response: this passkey is registered already');
  }
  if (passkeysOf(store, caller.userId).length >= LIMITS.passkeys) {
    throw new ServiceError('CONFLICT', `an account has at most ${LIMITS.passkeys} passkeys: remove one first`);
  }
  const row = { ...given, passkeyId: randomUUID(), userId: caller.userId, createdAt: now, lastUsedAt: null };
  store.db.insert(passkeys).values(row).run();
  record(store, caller, 'passkey.add', row, now);
  return passkeyView(row);
}

function ownPasskey({ db }: Store, caller: Caller, passkeyId: string): StoredPasskey {
  const own = and(eq(passkeys.passkeyId, passkeyId), eq(passkeys.userId, caller.userId));
  const row = db.select().from(passkeys).where(own).get();
  if (row === undefined) throw new ServiceError('NOT_FOUND', 'there is no such passkey');
  return row;
}

/** Renames one of the caller's passkeys or changes its use; within the writer's transaction. @throws ServiceError NOT_FOUND */
export function changePasskey(
  store: WritableStore,
  caller: Caller,
  passkeyId: string,
  change: { readonly name?: string | undefined; readonly use?: PasskeyUse | undefined },
  now: number,
): PasskeyRow {
  const old = ownPasskey(store, caller, passkeyId);
  const row = { ...old, name: change.name ?? old.name, use: change.use ?? old.use };
  store.db.update(passkeys).set({ name: row.name, use: row.use }).where(eq(passkeys.passkeyId, passkeyId)).run();
  record(store, caller, 'passkey.change', row, now);
  return passkeyView(row);
}

/** Removes one of the caller's passkeys; within the writer's transaction. @throws ServiceError NOT_FOUND */
export function removePasskey(store: WritableStore, caller: Caller, passkeyId: string, now: number): void {
  const row = ownPasskey(store, caller, passkeyId);
  store.db.delete(passkeys).where(eq(passkeys.passkeyId, passkeyId)).run();
  record(store, caller, 'passkey.remove', row, now);
}

/** Keeps what an authenticator counted; within the writer. */
export function notePasskeyUse({ db }: WritableStore, passkeyId: string, counter: number, now: number): void {
  db.update(passkeys).set({ counter, lastUsedAt: now }).where(eq(passkeys.passkeyId, passkeyId)).run();
}
