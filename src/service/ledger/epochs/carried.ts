import { type CarriedFiles, parseCheckpoint, readStampFile, utf8 } from '../../../protocol/index.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { cosignedToCarry } from './cosignatures.ts';
import { consistencyProofOf } from './log-proofs.ts';
import { type ShownRun, stampsToCarry } from './time-stamps.ts';

/** What others said of the log of an organization. @throws ServiceError as checkpointOf */
async function saidOf(store: Store, key: KeyHolder, orgId: string, shown: ShownRun, upTo: number) {
  return {
    cosigned: await cosignedToCarry(store, key, orgId, upTo),
    stamped: stampsToCarry(store, orgId, shown, upTo),
  };
}

/** None where the stored ledger is damaged: the file itself shows that. */
async function unlessDamaged(read: () => Promise<Required<CarriedFiles>>): Promise<CarriedFiles> {
  try {
    const { cosigned, stamped } = await read();
    return { ...(cosigned.length === 0 ? {} : { cosigned }), ...(stamped.length === 0 ? {} : { stamped }) };
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'CONFLICT') return {};
    throw error;
  }
}

/** What files of a ledger carry that show some of its records (protocol F145); assembleRecordProof ties it to them. */
export function carriedOf(store: Store, key: KeyHolder, orgId: string, shown: ShownRun): Promise<CarriedFiles> {
  return unlessDamaged(() => saidOf(store, key, orgId, shown, Number.MAX_SAFE_INTEGER));
}

/** The same for a bundle, each of a smaller size followed by the consistency proof to where the bundle's log ends. */
export function carriedInBundle(
  store: Store,
  key: KeyHolder,
  orgId: string,
  head: number,
  shown: ShownRun | null,
): Promise<CarriedFiles> {
  const tied = async (texts: readonly string[], sizeOf: (text: string) => number): Promise<string[]> => {
    const all: string[] = [];
    for (const text of texts) {
      const from = sizeOf(text);
      all.push(text);
      if (from < head) all.push(await consistencyProofOf(store, key, orgId, { from, to: head }));
    }
    return all;
  };
  return unlessDamaged(async () => {
    const { cosigned, stamped } = await saidOf(store, key, orgId, shown ?? { first: head, last: head }, head);
    return {
      cosigned: await tied(cosigned, (text) => parseCheckpoint(utf8(text)).size),
      stamped: await tied(stamped, (text) => readStampFile(utf8(text)).checkpoint.size),
    };
  });
}
