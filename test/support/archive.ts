/** Hosts that ship to an archive: real services, and what they shipped. */
import { join } from 'node:path';
import type { RunStore } from '../../src/service/archive/run-store.ts';
import { type ShippedRun, type ShipRequest, shipRuns } from '../../src/service/archive/ship.ts';
import type { Settings } from '../../src/service/store/settings/settings-type.ts';
import { printedBy } from './fuzz/verifier-process.ts';
import { type Account, registerAgent, submitNext, TestService } from './service.ts';
import type { Signer } from './signer.ts';

/** A host with one organization and one agent, which seals when it is told to. */
export interface ArchiveHost {
  readonly service: TestService;
  readonly account: Account;
  readonly signer: Signer;
  /** Submits records and seals them. */
  seal(records?: number): Promise<void>;
}

export async function archiveHost(settings: Partial<Settings> = {}): Promise<ArchiveHost> {
  const service = await TestService.start({ epochIntervalSeconds: 3600, ...settings });
  const account = await service.signUp();
  const signer = await registerAgent(account);
  const seal = async (records = 2): Promise<void> => {
    for (let n = 0; n < records; n++) await submitNext(account, signer);
    await account.client.ok('closeEpoch');
  };
  return { service, account, signer, seal };
}

/** Ships what a data folder has sealed. */
export async function shipped(
  dataDir: string,
  store: RunStore,
  options: Partial<ShipRequest> = {},
): Promise<ShippedRun[]> {
  const runs: ShippedRun[] = [];
  await shipRuns({
    dataDir,
    store,
    withNewest: true,
    passphraseFile: null,
    now: Date.now,
    onRun: (run) => runs.push(run),
    signal: new AbortController().signal,
    ...options,
  });
  return runs;
}

/** What the two verifiers that are programs by themselves say of a file, by their exit codes. */
export async function exitCodes(path: string, args: readonly string[]): Promise<Record<string, number>> {
  const names = ['single-file', 'python'] as const;
  const codes = names.map(async (name) => [name, (await printedBy(name, path, ...args)).status] as const);
  return Object.fromEntries(await Promise.all(codes));
}

/** Where a run is. */
export const at = (folder: string, { path }: { readonly path: string }): string => join(folder, path);
