import { DamagedArchive } from '../../node/index.ts';
import {
  type BundleSource,
  type Epoch,
  epochHash,
  epochSignedBytes,
  readContents,
  type ServiceKey,
} from '../../protocol/index.ts';

/** What a run says of itself before its records. Nothing of it is verified. */
export interface RunHead {
  readonly orgId: string | null;
  readonly serviceKeys: readonly ServiceKey[];
  readonly epochs: readonly Epoch[];
}

/** Reads the beginning of a run; null where it has none that could be read. */
export async function readRunHead(source: BundleSource): Promise<RunHead | null> {
  let orgId: string | null = null;
  const serviceKeys: ServiceKey[] = [];
  const epochs: Epoch[] = [];
  try {
    for await (const contents of readContents(source)) {
      for (const content of contents) {
        if (content.kind === 'org') orgId = content.value.org_id;
        else if (content.kind === 'service_key') serviceKeys.push(content.value);
        else if (content.kind === 'epoch') epochs.push(content.value);
        else if (content.kind === 'unreadable' || content.kind === 'broken') return null;
        else if (content.kind === 'edges') return { orgId, serviceKeys, epochs };
      }
    }
  } catch (error) {
    if (!(error instanceof DamagedArchive)) throw error;
  }
  return null;
}

export function hashOf(epoch: Epoch): string {
  return epochHash(epochSignedBytes(epoch));
}

/** The key that a host began with; null where the list has none, or several. */
export function firstKidOf(keys: readonly ServiceKey[]): string | null {
  const [first, ...more] = keys.filter(({ prev_kid }) => prev_kid === null);
  return first === undefined || more.length > 0 ? null : first.kid;
}
