import { nodeCrypto } from '../../../node/index.ts';
import { adminEventHash, formatDigest, ProtocolError, StrictVerifier } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { and, desc, eq, isNotNull, sql } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { agents, operations, organizations } from '../../store/schema.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import { isCorrupt, sqliteErrorOf } from '../../store/sqlite-errors.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { listAdminEvents } from '../admin-log/admin-events.ts';
import type { KeyHolder } from '../keys/key-holder.ts';
import { keyLineage } from '../keys/key-lineage.ts';
import { type Damage, describeDamage } from './damage.ts';
import { checkRollback } from './rollback.ts';
import { examineEpochTail } from './tail-epochs.ts';
import { type RecordTail, readRecordTail, type TailReader } from './tail-records.ts';

/**
 * Looks at where agents' chains end by the word of their rows, those with the newest records first. Records and heads move
 * in one commit: a difference is nothing that a crash leaves, so that it is reported and not mended.
 * @param depth the most agents to look at
 */
function examineAgentHeads(store: Store, orgId: string, tail: RecordTail, depth: number): Damage[] {
  const rows = store.db
    .select({
      agentId: agents.agentId,
      headSeqNo: agents.headSeqNo,
      headChainHash: agents.headChainHash,
      recordAgentId: operations.agentId,
      recordChainHash: operations.chainHash,
    })
    .from(agents)
    .leftJoin(operations, and(eq(operations.orgId, agents.orgId), eq(operations.seqNo, agents.headSeqNo)))
    .where(and(eq(agents.orgId, orgId), isNotNull(agents.headSeqNo)))
    .orderBy(desc(agents.headSeqNo))
    .limit(depth)
    .all();
  const damages: Damage[] = [];
  for (const { agentId, headSeqNo, headChainHash, recordAgentId, recordChainHash } of rows) {
    const at = { orgId, place: `agent ${agentId}` };
    const found = `${headChainHash === null ? 'none' : formatDigest(headChainHash)} at record ${headSeqNo}`;
    const newest = tail.newestOfAgent.get(agentId);
    if (newest !== undefined) {
      const expected = `${newest.chainHash} at record ${newest.seqNo}`;
      const message = 'the head of its chain is not its newest record';
      if (expected !== found) damages.push({ ...at, message, expected, found });
      continue;
    }
    if (recordAgentId !== agentId || recordChainHash === null) {
      damages.push({
        ...at,
        message: `the head of its chain is at record ${headSeqNo}, which is not one of its records`,
      });
    } else if (`${formatDigest(recordChainHash)} at record ${headSeqNo}` !== found) {
      const expected = `${formatDigest(recordChainHash)} at record ${headSeqNo}`;
      damages.push({ ...at, message: 'the head of its chain is not the hash of that record', expected, found });
    }
  }
  // An agent of whom there are records, and whose row says that there are none.
  const seen = new Set(rows.map(({ agentId }) => agentId));
  if (rows.length < depth) {
    for (const [agentId, { seqNo }] of tail.newestOfAgent) {
      if (seen.has(agentId)) continue;
      damages.push({ orgId, place: `agent ${agentId}`, message: `has no head, although record ${seqNo} is its own` });
    }
  }
  return damages;
}

/** How many events are looked at, the newest. */
const DEPTH = 64;

/** Looks at the newest events of an organization's administrative log: each by itself, and each on the one before it. */
function examineAdminTail(store: Store, orgId: string): Damage[] {
  const damages: Damage[] = [];
  let events: ReturnType<typeof listAdminEvents>;
  try {
    events = listAdminEvents(store, orgId, DEPTH);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    return [{ orgId, place: 'the administrative log', message: `cannot be read (${error.message})` }];
  }
  for (const [index, event] of events.entries()) {
    const at = { orgId, place: `admin event ${event.event_id}` };
    const expected = adminEventHash(event, nodeCrypto.sha256);
    if (expected !== event.event_hash) {
      damages.push({ ...at, message: 'its hash is not that of its content', expected, found: event.event_hash });
    }
    const before = events[index + 1];
    if (before !== undefined && before.event_hash !== event.prev_event_hash) {
      const found = event.prev_event_hash ?? 'none';
      damages.push({ ...at, message: 'does not follow on the event before it', expected: before.event_hash, found });
    }
  }
  return damages;
}

/** Records looked at in all, whatever the ledger's size and however many organizations there are. */
const RECORDS = 2000;

/** The fewest and the most of one organization. */
const MIN_DEPTH = 20;
const MAX_DEPTH = 1000;

/** The organizations with the newest records, as many as the start has time for. */
function newestOrganizations({ db }: Store): string[] {
  const newest = db
    .select({ receivedAt: operations.receivedAt })
    .from(operations)
    .where(eq(operations.orgId, organizations.orgId))
    .orderBy(desc(operations.seqNo))
    .limit(1);
  return db
    .select({ orgId: organizations.orgId })
    .from(organizations)
    .orderBy(sql`(${newest}) DESC NULLS LAST`, organizations.orgId)
    .limit(RECORDS / MIN_DEPTH)
    .all()
    .map(({ orgId }) => orgId);
}

/**
 * Checks the newest part of the ledger, where a damaged disk, a restored file or a meddling hand is met first and where the
 * service continues: records, agents' heads, epochs, the open epoch, administrative log. It takes a bounded time whatever the
 * ledger's size; the whole of it is the work of `countersign verify`.
 * @returns what is damaged, nothing where the tail is sound
 */
async function checkLedgerTail(store: Store, key: KeyHolder): Promise<Damage[]> {
  const reader: TailReader = { store, keys: keyLineage(store, key), verifier: new StrictVerifier(nodeCrypto) };
  const orgIds = newestOrganizations(store);
  const depth = Math.min(MAX_DEPTH, Math.floor(RECORDS / Math.max(1, orgIds.length)));
  const damages: Damage[] = [];
  for (const orgId of orgIds) {
    try {
      const tail = await readRecordTail(reader, orgId, depth);
      damages.push(
        ...tail.damages,
        ...(await examineEpochTail(reader, orgId, tail.lastSeqNo)),
        ...examineAgentHeads(store, orgId, tail, depth),
        ...examineAdminTail(store, orgId),
      );
    } catch (error) {
      if (!isCorrupt(error)) throw error;
      const message = `is damaged (${sqliteErrorOf(error)?.message})`;
      damages.push({ orgId, place: 'the database file', message });
    }
  }
  return damages;
}

export interface LedgerCheckContext extends WriteAccess {
  readonly key: KeyHolder;
  readonly settings: Settings;
  readonly headsPath: string;
  readonly warn: (message: string) => void;
}

function refusal([first, ...more]: readonly Damage[], dataDir: string): StartError {
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`;
  return new StartError(
    'LEDGER_DAMAGED',
    `the ledger is damaged: ${first === undefined ? '' : describeDamage(first)}${others}. ` +
      `countersign verify --data-dir ${dataDir} shows everything. To read the ledger as it is, start with --accept-damage: ` +
      'what is damaged takes no records then',
  );
}

/**
 * What a start looks at before the ledger continues: its newest part, and whether it is the one that was left.
 * @returns the organizations whose damage the settings accept
 * @throws StartError LEDGER_DAMAGED, LEDGER_ROLLED_BACK, HEADS_UNREADABLE
 */
export async function checkLedger(context: LedgerCheckContext): Promise<ReadonlySet<string>> {
  const { store, writer, key, settings, headsPath, now, warn } = context;
  const damages = await checkLedgerTail(store, key);
  if (damages.length > 0 && !settings.acceptDamage) throw refusal(damages, settings.dataDir);
  for (const damage of damages) warn(`the ledger is damaged: ${describeDamage(damage)}`);
  const damaged = new Set(damages.map(({ orgId }) => orgId));
  store.clock.distrust(damaged);
  const accepted = settings.acceptRollback;
  await checkRollback({ store, writer, key, path: headsPath, accepted, damaged, now, warn });
  return damaged;
}
