import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceKey } from '../../../protocol/index.ts';
import { checkpointOf, witnessRequestOf } from '../../ledger/epochs/log-proofs.ts';
import { nextKeyPath, openKeyFile } from '../../ledger/keys/file-key-holder.ts';
import type { KeyHolder } from '../../ledger/keys/key-holder.ts';
import { openProtection } from '../../ledger/keys/open-protection.ts';
import { activeServiceKid, listServiceKeys } from '../../ledger/keys/service-keys.ts';
import { homeOf } from '../../people/organizations/home.ts';
import { ServiceError, StartError } from '../../store/base/service-error.ts';
import { SCHEMA_VERSION } from '../../store/migrations.ts';
import { openReadOnly } from '../../store/open-read-only.ts';

export interface CheckpointRequest {
  readonly dataDir: string;
  /** The home organization where it is left out. */
  readonly orgId: string | undefined;
  /** A size that an epoch ends at; the newest one where it is left out. */
  readonly size: number | undefined;
  /** The size that the consistency proof begins with, 0 for none; a checkpoint alone where it is null. */
  readonly from: number | null;
  readonly passphraseFile: string | null;
}

export interface CheckpointFile {
  readonly text: string;
  /** All of the service, the newest first. */
  readonly serviceKeys: readonly ServiceKey[];
}

/** The key that the ledger names as its own: after a crash or in the middle of a rotation it may be in the file beside. */
async function keyOf(dataDir: string, activeKid: string | null, passphraseFile: string | null): Promise<KeyHolder> {
  const seal = await openProtection(dataDir, null, passphraseFile);
  const present = join(dataDir, 'service-key.json');
  for (const path of [present, nextKeyPath(present)]) {
    if (!existsSync(path)) continue;
    const key = openKeyFile(path, false, seal);
    if (key.kid === activeKid) return key;
  }
  throw new StartError('KEY_MISSING', `${dataDir}: the key that the ledger is signed with is not in the folder`);
}

/**
 * A checkpoint, or a request to a witness, from a data folder, whether or not a service runs on it; nothing there is changed.
 * @throws StartError where ledger or key cannot be used; ServiceError as checkpointOf and consistencyProofOf
 */
export async function checkpointOfFolder(request: CheckpointRequest): Promise<CheckpointFile> {
  const { dataDir, size, from, passphraseFile } = request;
  const store = openReadOnly(join(dataDir, 'ledger.sqlite'));
  try {
    if (store.schemaVersion !== SCHEMA_VERSION) {
      throw new StartError(
        'DATABASE_OLDER',
        `${dataDir} was written by an older version: start this one's service on it once`,
      );
    }
    const orgId = request.orgId ?? homeOf(store);
    if (orgId === null) throw new ServiceError('NOT_FOUND', 'the data folder holds no organization');
    const key = await keyOf(dataDir, activeServiceKid(store), passphraseFile);
    const text =
      from === null
        ? await checkpointOf(store, key, orgId, size)
        : await witnessRequestOf(store, key, orgId, { from, to: size });
    return { text, serviceKeys: listServiceKeys(store) };
  } finally {
    store.close();
  }
}
