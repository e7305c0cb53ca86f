import type { Jwks } from '../../../api/index.ts';
import { type ServiceKey, serviceKeySignedBytes, toBase64Url } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { desc, eq } from '../../store/drizzle.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import { serviceKeys } from '../../store/schema.ts';
import type { KeyHolder } from './key-holder.ts';

/** All service keys there ever were, the active one first: what bundles and the key set carry. */
export function listServiceKeys({ db }: Store): ServiceKey[] {
  const rows = db.select().from(serviceKeys).orderBy(desc(serviceKeys.createdAt), serviceKeys.kid).all();
  return rows
    .sort((a, b) => Number(b.status === 'active') - Number(a.status === 'active'))
    .map((row) => ({
      kid: row.kid,
      algorithm: 'ed25519',
      public_key: row.publicKey,
      status: row.status === 'active' ? 'active' : 'retired',
      created_at: row.createdAt,
      retired_at: row.retiredAt,
      prev_kid: row.prevKid,
      self_signature: row.selfSignature,
      prev_signature: row.prevSignature,
    }));
}

/** The key that the ledger is signed with now; null where it has none yet, and one may be made for it. */
export function activeServiceKid({ db }: Store): string | null {
  const row = db.select({ kid: serviceKeys.kid }).from(serviceKeys).where(eq(serviceKeys.status, 'active')).get();
  return row?.kid ?? null;
}

/** Records a key as the active one, signed by itself and by the one before it, if any (protocol F111). */
export function insertActiveKey(db: WritableStore['db'], holder: KeyHolder, previous: KeyHolder | null): void {
  const statement = {
    kid: holder.kid,
    public_key: toBase64Url(holder.publicKey),
    created_at: holder.createdAt,
    prev_kid: previous?.kid ?? null,
  };
  const signedBytes = serviceKeySignedBytes(statement);
  db.insert(serviceKeys)
    .values({
      kid: statement.kid,
      publicKey: statement.public_key,
      status: 'active',
      createdAt: statement.created_at,
      retiredAt: null,
      prevKid: statement.prev_kid,
      selfSignature: toBase64Url(holder.sign(signedBytes)),
      prevSignature: previous === null ? null : toBase64Url(previous.sign(signedBytes)),
    })
    .run();
}

/**
 * Makes sure that the key in hand is the one the ledger is signed with; a ledger without any takes it as its first.
 * Within the writer's transaction.
 * @throws StartError KEY_WRONG
 */
export function registerServiceKey({ db }: WritableStore, holder: KeyHolder): void {
  const active = db.select().from(serviceKeys).where(eq(serviceKeys.status, 'active')).get();
  if (active !== undefined) {
    if (active.kid !== holder.kid) {
      throw new StartError('KEY_WRONG', `the ledger was signed with the key ${active.kid}, not with ${holder.kid}`);
    }
    return;
  }
  // A crash before this leaves the key file alone: the next start comes here again with the same key.
  insertActiveKey(db, holder, null);
}

/** The public keys as a JSON Web Key Set (RFC 7517, RFC 8037). */
export function jwks(store: Store): Jwks {
  return {
    keys: listServiceKeys(store).map((key) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      alg: 'EdDSA',
      use: 'sig',
      x: key.public_key,
      kid: key.kid,
    })),
  };
}
