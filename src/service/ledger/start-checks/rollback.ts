import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeDurably } from '../../../node/index.ts';
import type { Json } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { and, eq } from '../../store/drizzle.ts';
import type { WritableStore } from '../../store/open.ts';
import { adminEvents, organizations } from '../../store/schema.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { OPERATOR, recordAdminEvent } from '../admin-log/admin-events.ts';
import { compareHeads, type HeadDifference } from '../heads/compare-heads.ts';
import { type RecordedHeads, readHeadsFile } from '../heads/heads-file.ts';
import { LedgerHeads, type OrgHeads } from '../heads/ledger-heads.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { keyLineage } from '../keys/key-lineage.ts';

export interface RollbackCheck extends WriteAccess {
  readonly key: KeyHolder;
  /** The heads file. */
  readonly path: string;
  /** Id of the rollback that the operator accepts; null for none. */
  readonly accepted: string | null;
  /** Organizations that are known to be damaged: what is wrong with them has been said. */
  readonly damaged: ReadonlySet<string>;
  readonly warn: (message: string) => void;
}

function wayForward(id: string): string {
  return (
    'If the newer ledger still is somewhere, put it back. ' +
    `To go on with this one for good, start once with --accept-rollback ${id}: that is recorded`
  );
}

/**
 * Refuses to begin a new ledger where one is known to have been: without its database nothing could be compared.
 * @throws StartError LEDGER_ROLLED_BACK
 */
export function checkLedgerIsThere(ledgerPath: string, headsPath: string, accepted: string | null): void {
  if (existsSync(ledgerPath)) return;
  const recorded = readHeadsFile(headsPath, new Map());
  if (recorded === null || recorded.id === accepted) return;
  throw new StartError(
    'LEDGER_ROLLED_BACK',
    `${ledgerPath} is missing, and ${headsPath} says that there was a ledger. ${wayForward(recorded.id)}`,
  );
}

function describe({ orgId, place, expected, found }: HeadDifference): string {
  return `organization ${orgId}, ${place}: expected ${expected}, found ${found}`;
}

/**
 * Compares the ledger with the heads that were kept beside it. That the file is missing or behind is what a crash leaves,
 * and no reason to refuse: it is written only after what it says was durable.
 * @throws StartError LEDGER_ROLLED_BACK, HEADS_UNREADABLE
 */
export async function checkRollback(check: RollbackCheck): Promise<void> {
  const { store, key, path, accepted, damaged, warn } = check;
  const recorded = readHeadsFile(path, keyLineage(store, key));
  if (recorded === null) return;
  const differences =
    recorded.content === null
      ? []
      : compareHeads(
          new LedgerHeads(store),
          recorded.content.heads.filter(({ org_id }) => !damaged.has(org_id)),
        );
  if (recorded.content !== null && differences.length === 0) return;
  if (recorded.id === accepted) {
    await accept(check, recorded, differences);
    return warn(`a ledger that is behind its recorded heads was accepted (${recorded.id})`);
  }
  if (recorded.content === null) {
    throw new StartError(
      'HEADS_UNREADABLE',
      `${path} is damaged, or was not signed with this service's key, so that nobody can say whether the ledger was set ` +
        `back. ${wayForward(recorded.id)}`,
    );
  }
  const [first, ...more] = differences;
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  throw new StartError(
    'LEDGER_ROLLED_BACK',
    `the ledger is behind what it was at ${new Date(recorded.content.written_at).toISOString()}, or another one: ` +
      `${first === undefined ? '' : describe(first)}${others}. ${wayForward(recorded.id)}`,
  );
}

/**
 * Records what was accepted where an auditor finds it: in the administrative log of each organization concerned, which its
 * epochs and bundles seal, and as the signed file of heads itself, kept under a separate name. The latter also tells of
 * organizations that this ledger does not know.
 */
async function accept(
  { store, writer, path, now }: RollbackCheck,
  { id, text, content }: RecordedHeads,
  differences: readonly HeadDifference[],
): Promise<void> {
  // A crash after this one comes here again and writes the same once more; the heads file itself is replaced last.
  await writeDurably(join(dirname(path), `heads-before-rollback-${id}.json`), text);
  const heads = new LedgerHeads(store);
  // One commit: after a crash either all of the events are there or none, and the next start adds those that are missing.
  await writer.transact((tx) => {
    for (const recorded of content?.heads ?? []) {
      if (differences.some(({ orgId }) => orgId === recorded.org_id)) record(tx, id, recorded, heads, now());
    }
  });
}

function record(store: WritableStore, id: string, expected: OrgHeads, heads: LedgerHeads, now: number): void {
  const { org_id: orgId, ...lost } = expected;
  const known = store.db.select().from(organizations).where(eq(organizations.orgId, orgId)).get();
  const action = 'ledger.accept_rollback';
  const same = and(eq(adminEvents.orgId, orgId), eq(adminEvents.action, action), eq(adminEvents.targetId, id));
  if (known === undefined || store.db.select().from(adminEvents).where(same).get() !== undefined) return;
  const { org_id: _, ...found } = heads.upTo(orgId);
  const details = { expected: lost, found } as { readonly [member: string]: Json };
  recordAdminEvent(store, { orgId, actor: OPERATOR, action, targetType: 'ledger', targetId: id, details }, now);
}
