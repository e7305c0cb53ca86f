import { freeBytes, guestRefusal } from '../store/base/disk-room.ts';
import { quotaRefusal } from '../store/base/quotas.ts';
import type { ServiceError } from '../store/base/service-error.ts';
import type { Store, WritableStore } from '../store/open.ts';
import type { NewOperationRow } from '../store/schema.ts';
import type { Settings } from '../store/settings/settings-type.ts';

/** What a record takes besides its payload and disclosures, in the ledger and its indexes, in bytes. */
const BYTES_BESIDE = 1024;

/** Stands for all agents of an organization together. */
const ALL_AGENTS = '';

/** For how long what was looked at is taken as it was, in milliseconds. */
const LOOK_MS = 1000;

const REMEDY = 'erase payloads that are no longer needed, or have whoever runs the service raise the limit';

/** A record that would take room. */
export type Sized = Pick<NewOperationRow, 'orgId' | 'agentId' | 'payload' | 'disclosures'>;

export interface RecordRoomOptions {
  readonly store: Store;
  readonly settings: Pick<Settings, 'dataDir' | 'quotaRecordBytes' | 'quotaAgentBytes' | 'homeReserveBytes'>;
  readonly isHome: (orgId: string) => boolean;
}

/** What a record counts for, in bytes. What is erased of it is taken off again. */
export function sizeOf({ payload, disclosures }: Sized): number {
  return BYTES_BESIDE + Buffer.byteLength(payload ?? '') + Buffer.byteLength(disclosures ?? '');
}

/** Sums of some records by organization and agent, on top of what there is. */
class Sums {
  readonly #byOrg = new Map<string, Map<string, number>>();
  readonly #before: (orgId: string, agentId: string) => number;

  constructor(before: (orgId: string, agentId: string) => number) {
    this.#before = before;
  }

  of(orgId: string, agentId: string): number {
    const ofOrg = this.#byOrg.get(orgId) ?? new Map<string, number>();
    this.#byOrg.set(orgId, ofOrg);
    const known = ofOrg.get(agentId);
    if (known !== undefined) return known;
    const before = this.#before(orgId, agentId);
    ofOrg.set(agentId, before);
    return before;
  }

  add(record: Sized, size = sizeOf(record)): void {
    const { orgId, agentId } = record;
    for (const agent of [agentId, ALL_AGENTS]) {
      const sum = this.of(orgId, agent) + size;
      this.#byOrg.get(orgId)?.set(agent, sum);
    }
  }
}

/** Counts what was erased of a record as room, with the commit that erases it. What is beside its payload stays counted. */
export function giveRoomBack(
  store: WritableStore,
  { orgId, agentId }: Pick<Sized, 'orgId' | 'agentId'>,
  bytes: number,
): void {
  store
    .statement('UPDATE agents SET record_bytes = record_bytes - ? WHERE org_id = ? AND agent_id = ?')
    .run(bytes, orgId, agentId);
  store.statement('UPDATE organizations SET record_bytes = record_bytes - ? WHERE org_id = ?').run(bytes, orgId);
}

/** What was looked at, and what was taken since. */
interface Known {
  /** When, by the process's own clock in milliseconds. */
  readonly at: number;
  readonly kept: Sums;
  readonly homes: Map<string, boolean>;
  /** Bytes of the disk. */
  free: number;
}

/**
 * What records of organizations and agents may take, and what of the disk is kept for the home organization. What it knows is this
 * object's own, and up to a second old: only the ledger adds records, so there may be more room than it knows, never less.
 */
export class RecordRoom {
  readonly #options: RecordRoomOptions;
  #known: Known;

  constructor(options: RecordRoomOptions) {
    this.#options = options;
    this.#known = this.#look(performance.now());
  }

  /**
   * Asks for the records of one commit that are accepted if there is room, in their order, each with those before it.
   * @returns why a record is not taken; null where there is room
   */
  begin(): (record: Sized) => ServiceError | null {
    const begun = performance.now();
    if (begun - this.#known.at > LOOK_MS) this.#known = this.#look(begun);
    const taken: [record: Sized, size: number][] = [];
    return (record) => {
      const size = sizeOf(record);
      let refusal = this.#refusal(record, size);
      // Payloads may have been erased meanwhile, or a commit failed whose records were counted.
      if (refusal !== null && this.#known.at < begun) {
        this.#known = this.#look(begun);
        for (const one of taken) this.#take(...one);
        refusal = this.#refusal(record, size);
      }
      if (refusal === null) {
        this.#take(record, size);
        taken.push([record, size]);
      }
      return refusal;
    };
  }

  #look(at: number): Known {
    const { store, settings } = this.#options;
    const ofAgent = store.statement('SELECT record_bytes FROM agents WHERE org_id = ? AND agent_id = ?').pluck();
    const ofAll = store.statement('SELECT record_bytes FROM organizations WHERE org_id = ?').pluck();
    const kept = new Sums(
      (orgId, agentId) => (agentId === ALL_AGENTS ? ofAll.get(orgId) : ofAgent.get(orgId, agentId)) as number,
    );
    return { at, kept, homes: new Map(), free: freeBytes(settings.dataDir) };
  }

  #take(record: Sized, size: number): void {
    this.#known.kept.add(record, size);
    this.#known.free -= size;
  }

  #isHome(orgId: string): boolean {
    const isHome = this.#known.homes.get(orgId) ?? this.#options.isHome(orgId);
    this.#known.homes.set(orgId, isHome);
    return isHome;
  }

  #refusal({ orgId, agentId }: Sized, more: number): ServiceError | null {
    const { quotaAgentBytes, quotaRecordBytes } = this.#options.settings;
    const { kept, free } = this.#known;
    const refuse = (what: string, agent: string, most: number): ServiceError | null =>
      quotaRefusal({ what, used: kept.of(orgId, agent), more, most, remedy: REMEDY });
    const ofAgent = refuse('bytes of records of the agent', agentId, quotaAgentBytes);
    if (ofAgent !== null || this.#isHome(orgId)) return ofAgent;
    const ofOrganization = refuse('bytes of records of the organization', ALL_AGENTS, quotaRecordBytes);
    return ofOrganization ?? guestRefusal(this.#options, free, more);
  }
}
