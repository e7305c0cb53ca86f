import { statfsSync } from 'node:fs';
import { quotaRefusal } from '../base/quotas.ts';
import { ServiceError } from '../base/service-error.ts';
import type { Settings } from '../settings/settings-type.ts';
import type { Store, WritableStore } from '../store/open.ts';
import type { NewOperationRow } from '../store/schema.ts';

/** What a record takes besides its payload and disclosures, in the ledger and its indexes, in bytes: as migrations count it. */
const BYTES_BESIDE = 1024;

/** Stands for all agents of an organization together. */
const ALL_AGENTS = '';

/** For how long the free space of the disk is taken as it was, in milliseconds. */
const SAME_DISK_MS = 1000;

const RETRY_AFTER = 60;
const REMEDY = 'erase payloads that are no longer needed, or have whoever runs the service raise the limit';

/** A record that would take room. */
export type Sized = Pick<NewOperationRow, 'orgId' | 'agentId' | 'payload' | 'disclosures'>;

export interface RecordRoomOptions {
  readonly store: Store;
  readonly settings: Pick<Settings, 'dataDir' | 'quotaRecordBytes' | 'quotaAgentBytes' | 'homeReserveBytes'>;
  readonly isHome: (orgId: string) => boolean;
}

function sizeOf({ payload, disclosures }: Sized): number {
  return BYTES_BESIDE + Buffer.byteLength(payload ?? '') + Buffer.byteLength(disclosures ?? '');
}

/** Sums of some records by organization and agent. */
class Sums {
  readonly #byOrg = new Map<string, Map<string, number>>();

  of(orgId: string, agentId: string): number {
    return this.#byOrg.get(orgId)?.get(agentId) ?? 0;
  }

  add(record: Sized): void {
    const size = sizeOf(record);
    const ofOrg = this.#byOrg.get(record.orgId) ?? new Map<string, number>();
    this.#byOrg.set(record.orgId, ofOrg);
    for (const agentId of [record.agentId, ALL_AGENTS]) ofOrg.set(agentId, (ofOrg.get(agentId) ?? 0) + size);
  }

  *[Symbol.iterator](): Iterator<readonly [orgId: string, agentId: string, bytes: number]> {
    for (const [orgId, ofOrg] of this.#byOrg) for (const [agentId, bytes] of ofOrg) yield [orgId, agentId, bytes];
  }
}

/** Counts what records take, with the commit that keeps them. */
export function countRecords(store: WritableStore, rows: readonly Sized[]): void {
  const sums = new Sums();
  for (const row of rows) sums.add(row);
  const add = store.statement(
    'INSERT INTO record_bytes (org_id, agent_id, bytes) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET bytes = bytes + excluded.bytes',
  );
  for (const [orgId, agentId, bytes] of sums) add.run(orgId, agentId, bytes);
}

/** What records of organizations and agents may take, and what of the disk is kept for the home organization. */
export class RecordRoom {
  readonly #options: RecordRoomOptions;
  #free = { bytes: 0, until: 0 };

  constructor(options: RecordRoomOptions) {
    this.#options = options;
  }

  /**
   * Asks for the records of one commit, in their order, each with those before it.
   * @returns why a record is not taken; null where there is room
   */
  begin(): (record: Sized) => ServiceError | null {
    const { store, settings, isHome } = this.#options;
    const find = store.statement('SELECT bytes FROM record_bytes WHERE org_id = ? AND agent_id = ?').pluck();
    const asked = new Sums();
    return (record) => {
      const { orgId, agentId } = record;
      const more = sizeOf(record);
      const used = (agent: string): number =>
        ((find.get(orgId, agent) as number | undefined) ?? 0) + asked.of(orgId, agent);
      const refuse = (what: string, agent: string, most: number): ServiceError | null =>
        quotaRefusal({ what, used: used(agent), more, most, remedy: REMEDY });
      const refusal =
        refuse('bytes of records of the agent', agentId, settings.quotaAgentBytes) ??
        (isHome(orgId)
          ? null
          : (refuse('bytes of records of the organization', ALL_AGENTS, settings.quotaRecordBytes) ??
            this.#reserveRefusal(more)));
      if (refusal === null) asked.add(record);
      return refusal;
    };
  }

  #reserveRefusal(more: number): ServiceError | null {
    const { dataDir, homeReserveBytes } = this.#options.settings;
    const now = performance.now();
    if (now >= this.#free.until) {
      const { bavail, bsize } = statfsSync(dataDir);
      this.#free = { bytes: bavail * bsize, until: now + SAME_DISK_MS };
    }
    this.#free.bytes -= more;
    if (this.#free.bytes >= homeReserveBytes) return null;
    const message = 'what is free on the disk is kept for the home organization: send it again once there is room';
    return new ServiceError('STORAGE_FULL', message, {}, RETRY_AFTER);
  }
}
