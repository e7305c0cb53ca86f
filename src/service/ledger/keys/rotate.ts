import { rmSync } from 'node:fs';
import { MOST_OF_BUNDLE, type ServiceKey } from '../../../protocol/index.ts';
import { needRoom } from '../../store/base/quotas.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { organizations, serviceKeys } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { OPERATOR, recordAdminEvent } from '../admin-log/admin-events.ts';
import type { CurrentKey } from './current-key.ts';
import { makeKeyFile, nextKeyPath, promoteNextKey } from './file-key-holder.ts';
import type { KeyHolder } from './key-holder.ts';
import type { Sealer } from './sealing.ts';
import { activeServiceKid, insertActiveKey, listServiceKeys } from './service-keys.ts';

export interface RotationContext extends WriteAccess {
  readonly key: CurrentKey;
  /** The file of the key. */
  readonly keyPath: string;
  /** What that file is sealed with; null for nothing. */
  readonly seal: Sealer | null;
  readonly onError: (error: unknown) => void;
}

/**
 * Continues with a new service key, which the old one signs (protocol F112). Three steps, and what a crash leaves before each:
 *
 * 1. the new key in a file beside the old one: nothing; before the next step, a file that the next start drops
 * 2. one transaction: the old key retired, the new one active with both signatures, and `service_key.rotate` in the log
 *    of every organization
 * 3. the new file in the place of the old: before it two files, of which the ledger names the one that counts
 *
 * All of it runs as one task of the writer: nothing is signed by the old key after the log says that it was replaced.
 * @param expectedKid the key that the caller means to replace
 * @throws ServiceError CONFLICT where that is not the active one; QUOTA_EXCEEDED
 */
export function rotateServiceKey(
  context: RotationContext,
  caller: { readonly orgId: string; readonly userId: string },
  expectedKid: string,
): Promise<ServiceKey> {
  const { store, writer, key, keyPath, seal, now, onError } = context;
  return writer.run(async () => {
    if (key.kid !== expectedKid) {
      throw new ServiceError('CONFLICT', 'kid: is not the active service key: it was replaced already');
    }
    needRoom({
      what: 'service keys',
      used: listServiceKeys(store).length,
      most: MOST_OF_BUNDLE.service_keys,
      remedy: 'no bundle could list more',
    });
    const next = makeKeyFile(nextKeyPath(keyPath), seal, store.clock.stamp(now()));
    try {
      await writer.commit((tx) => register(tx, context, caller, next));
    } catch (error) {
      // An error of the disk may come after the commit: which key counts, only the ledger knows.
      if (activeServiceKid(store) !== next.kid) {
        rmSync(nextKeyPath(keyPath), { force: true });
        throw error;
      }
    }
    key.replace(next);
    try {
      promoteNextKey(keyPath);
    } catch (error) {
      // The rotation holds all the same: the next start takes the new file.
      onError(error);
    }
    const [active] = listServiceKeys(store);
    if (active === undefined) throw new Error('a service key was registered and is not there');
    return active;
  });
}

/** The second step; within a transaction. The old key retires at the moment that the new one was made (protocol F112). */
function register(
  store: WritableStore,
  { key }: RotationContext,
  caller: { readonly orgId: string; readonly userId: string },
  next: KeyHolder,
): void {
  const { db } = store;
  const time = next.createdAt;
  db.update(serviceKeys).set({ status: 'retired', retiredAt: time }).where(eq(serviceKeys.kid, key.kid)).run();
  insertActiveKey(db, next, key);
  const details = { prev_kid: key.kid, kid: next.kid };
  for (const { orgId } of db.select({ orgId: organizations.orgId }).from(organizations).all()) {
    // Elsewhere nobody is to learn who is a user here.
    const actor = orgId === caller.orgId ? caller.userId : OPERATOR;
    const target = { targetType: 'service_key', targetId: next.kid, details };
    recordAdminEvent(store, { orgId, actor, action: 'service_key.rotate', ...target }, time);
  }
}
