import { codeOf } from '../../protocol/light.ts';
import { RecordError } from '../base/record-error.ts';
import type { Draft, Joined, StateChange } from '../joining/draft.ts';
import type { Loss } from '../spool/losses.ts';
import { isDiskFull } from '../spool/open-spool.ts';
import type { Spool } from '../spool/spool.ts';
import type { InstalledAgent } from './installed-agent.ts';
import type { Joining } from './pipeline.ts';

/**
 * What many events of one transaction write to the same place: where a chain ends, and what is open. Only what it comes to is written,
 * at the end.
 */
class Writes {
  readonly #spool: Spool;
  readonly #heads = new Map<number, string | null>();
  readonly #joining = new Map<number, Map<string, StateChange>>();

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** Where an agent's chain ends by now. */
  headOf(agent: number): string | null {
    return this.#heads.get(agent) ?? this.#spool.chains.get(agent).head;
  }

  setHead(agent: number, head: string | null): void {
    this.#heads.set(agent, head);
  }

  setJoining(agent: number, change: StateChange): void {
    const changes = this.#joining.get(agent);
    if (changes === undefined) this.#joining.set(agent, new Map([[change.key, change]]));
    else changes.set(change.key, change);
  }

  /** To be called in the same transaction. */
  flush(): void {
    for (const [agent, changes] of this.#joining) {
      for (const change of changes.values()) this.#spool.open.set(agent, change);
    }
    for (const [agent, head] of this.#heads) this.#spool.chains.setHead(agent, head);
  }
}

/** One event, or something else that records follow from. */
export interface Step<Prepared> {
  /** By which it is known if it comes again; null where it cannot. */
  readonly eventId: string | null;
  join(joining: Joining<Prepared>): Joined;
  /** The loss that its record tells of. */
  readonly loss?: Loss;
}

/** What is kept together or not at all. */
export interface Work<Prepared> {
  readonly agent: InstalledAgent<Prepared>;
  readonly steps: readonly Step<Prepared>[];
}

export type Kept =
  | {
      readonly ok: true;
      /** Of all steps, also of those that were taken before. */
      readonly operationIds: readonly string[];
      /** What was signed now. */
      readonly drafts: readonly Draft[];
    }
  | { readonly ok: false; readonly error: unknown };

/**
 * Keeps what follows from a group of events: signed records, where the chains end, what is open, and that they were taken, in one
 * transaction. What cannot be kept of it fails by itself, unless the disk refuses the whole.
 */
export function commitGroup<Prepared>(spool: Spool, group: readonly Work<Prepared>[], nowMs: number): Kept[] {
  try {
    const kept = keepAll(spool, group, nowMs) ?? keepEach(spool, group, nowMs);
    group.forEach((work, index) => {
      if (kept[index]?.ok && work.steps.some(({ loss }) => loss !== undefined)) spool.losses.written(work.agent.id);
    });
    return kept;
  } catch (error) {
    for (const { agent } of group) agent.forgetJoining();
    const known = asSpoolFull(error);
    return group.map(() => ({ ok: false, error: known }));
  }
}

/** What a disk without room said, by its name among the errors of a recorder; any other error as it is. */
export function asSpoolFull(error: unknown): unknown {
  if (!isDiskFull(error)) return error;
  return new RecordError('SPOOL_FULL', 'the disk of the spool has no room', { cause: error });
}

/** @returns null where one of them cannot be kept: nothing is, then */
function keepAll<Prepared>(spool: Spool, group: readonly Work<Prepared>[], nowMs: number): Kept[] | null {
  try {
    return spool.transaction(() => {
      const writes = new Writes(spool);
      const kept = group.map((work) => keep(spool, work, nowMs, writes));
      writes.flush();
      spool.taken.forgetSome(nowMs);
      return kept;
    });
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    for (const { agent } of group) agent.forgetJoining();
    return null;
  }
}

/** The same with a savepoint for each, which takes longer: what cannot be kept fails by itself. */
function keepEach<Prepared>(spool: Spool, group: readonly Work<Prepared>[], nowMs: number): Kept[] {
  return spool.transaction(() => {
    spool.taken.forgetSome(nowMs);
    return group.map((work) => keepOrUndo(spool, work, nowMs));
  });
}

function keepOrUndo<Prepared>(spool: Spool, work: Work<Prepared>, nowMs: number): Kept {
  try {
    return spool.transaction(() => {
      const writes = new Writes(spool);
      const kept = keep(spool, work, nowMs, writes);
      writes.flush();
      return kept;
    });
  } catch (error) {
    work.agent.forgetJoining();
    if (isOfDatabase(error)) throw error;
    return { ok: false, error };
  }
}

function keep<Prepared>(spool: Spool, { agent, steps }: Work<Prepared>, nowMs: number, writes: Writes): Kept {
  const operationIds: string[] = [];
  const drafts: Draft[] = [];
  for (const { eventId, join, loss } of steps) {
    const before = eventId === null ? null : spool.taken.find(agent.id, eventId);
    if (before !== null) {
      operationIds.push(...before);
      continue;
    }
    const joined = join(agent.joining);
    for (const change of joined.changes) writes.setJoining(agent.id, change);
    addRecords(spool, agent, joined.drafts, writes);
    const ids = joined.drafts.map(({ operationId }) => operationId);
    if (eventId !== null) spool.taken.add(agent.id, eventId, ids, nowMs);
    if (loss !== undefined) spool.losses.recorded(agent.id, loss);
    operationIds.push(...ids);
    drafts.push(...joined.drafts);
  }
  return { ok: true, operationIds, drafts };
}

function addRecords<Prepared>(
  spool: Spool,
  { id, signer }: InstalledAgent<Prepared>,
  drafts: readonly Draft[],
  writes: Writes,
): void {
  if (drafts.length === 0) return;
  let head = writes.headOf(id);
  for (const draft of drafts) {
    const record = signer.sign(draft, head);
    spool.needRoom(record.body.length);
    spool.waiting.add(id, record);
    head = record.chain_hash;
  }
  writes.setHead(id, head);
}

/** Whether the transaction itself cannot go on; a rule of one table that is broken concerns its own event alone. */
function isOfDatabase(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code.startsWith('SQLITE_') && !code.startsWith('SQLITE_CONSTRAINT');
}
