import {
  canonicalize,
  type Differ,
  type FindingPlace,
  type SeenLedger,
  type StoredLedger,
  type StoredValue,
} from '../../../protocol/index.ts';
import { type AdminEventRow, adminEventView } from '../../ledger/admin-log/admin-event-view.ts';
import { epoch as epochView } from '../../ledger/views.ts';
import { type AgentKeyRow, type AgentRow, agentView, keyView } from '../../people/agents/registry.ts';
import { asc, desc, eq } from '../../store/drizzle.ts';
import type { Store } from '../../store/open.ts';
import { adminEvents, agentKeys, agents, epochs, organizations, serviceKeys } from '../../store/schema.ts';
import { compareAgents } from './compare-agents.ts';
import { keptSubtrees, LogFromRecords } from './compare-log.ts';
import { storedRecords } from './stored-records.ts';
import { type ReadRow, readable, readRows, storedValues } from './stored-values.ts';

type EpochRow = typeof epochs.$inferSelect;
type ServiceKeyRow = typeof serviceKeys.$inferSelect;
type OrgRow = typeof organizations.$inferSelect;

/** How far a ledger is known to reach and to be sealed. */
export type KnownHead = StoredLedger['knownHead'];

/** The organizations that any table with evidence names, also those that are not registered (any more). */
export function organizationsIn({ sqlite }: Store): string[] {
  const tables = ['organizations', 'operations', 'epochs', 'admin_events', 'agents', 'agent_keys'];
  const union = tables.map((table) => `SELECT DISTINCT org_id FROM ${table}`).join(' UNION ');
  return sqlite
    .prepare<[], { org_id: string }>(`${union} ORDER BY org_id`)
    .all()
    .map(({ org_id }) => org_id);
}

/** All of a ledger but its records, read in one transaction: a single moment, at which the last record is fixed too. */
export function readStoredLedger(
  store: Store,
  orgId: string,
  knownHead: KnownHead,
): { readonly ledger: StoredLedger; readonly records: number } {
  return store.sqlite.transaction(() => {
    const { lastSeqNo, records, strays } = extent(store, orgId);
    const keyRows = readRows<ServiceKeyRow>(store, {
      table: serviceKeys,
      of: undefined,
      keys: [serviceKeys.kid],
      order: [desc(eq(serviceKeys.status, 'active')), desc(serviceKeys.createdAt), asc(serviceKeys.kid)],
      where: ({ kid = '?' }) => ({ kid }),
    });
    const agentRows = readRows<AgentRow>(store, {
      table: agents,
      of: eq(agents.orgId, orgId),
      keys: [agents.agentId],
      order: [asc(agents.createdAt), asc(agents.agentId)],
      where: ({ agentId = '?' }) => ({ agent_id: agentId }),
    });
    const agentKeyRows = readRows<AgentKeyRow>(store, {
      table: agentKeys,
      of: eq(agentKeys.orgId, orgId),
      keys: [agentKeys.agentId, agentKeys.kid],
      order: [],
      where: ({ agentId = '?', kid = '?' }) => ({ agent_id: agentId, kid }),
    });
    const epochRows = readRows<EpochRow>(store, {
      table: epochs,
      of: eq(epochs.orgId, orgId),
      keys: [epochs.epochNo],
      order: [],
      where: ({ epochNo }) => (epochNo === undefined ? {} : { epoch_no: epochNo }),
    });
    const eventRows = readRows<AdminEventRow>(store, {
      table: adminEvents,
      of: eq(adminEvents.orgId, orgId),
      keys: [adminEvents.eventNo],
      order: [],
      where: ({ eventId, eventNo }) => ({ event_id: eventId ?? `number ${eventNo}` }),
    });
    const org = readable(
      readRows<OrgRow>(store, {
        table: organizations,
        of: eq(organizations.orgId, orgId),
        keys: [organizations.orgId],
        order: [],
        where: () => ({}),
      }),
    )[0];
    const log = new LogFromRecords();
    const subtrees = keptSubtrees(store, orgId);
    const ledger: StoredLedger = {
      org: { org_id: orgId, name: org?.name ?? '' },
      serviceKeys: storedValues(keyRows, serviceKeyView),
      agents: withKeys(agentRows, agentKeyRows),
      epochs: storedValues(epochRows, epochView),
      adminEvents: storedValues(eventRows, adminEventView),
      records: storedRecords(store, orgId, lastSeqNo, log),
      knownHead,
      compare: (seen, differ) => {
        compareOrganization(orgId, org, seen, differ);
        compareServiceKeys(readable(keyRows), differ);
        compareEvents(readable(eventRows), differ);
        compareAgents(readable(agentRows), seen, differ);
        log.compare(subtrees, seen.epochs.at(-1)?.last_seq_no ?? 0, differ);
        for (const number of strays) strayRecord(number, differ);
      },
    };
    return { ledger, records };
  })();
}

/** How far the records reach, and the numbers of rows that no record can have. */
function extent({ sqlite }: Store, orgId: string): { lastSeqNo: number; records: number; strays: string[] } {
  const most = Number.MAX_SAFE_INTEGER;
  const run = sqlite
    .prepare<[string, number], { last: number | null; records: number }>(
      'SELECT max(seq_no) AS last, count(*) AS records FROM operations WHERE org_id = ? AND seq_no BETWEEN 1 AND ?',
    )
    .get(orgId, most);
  const strays = sqlite
    .prepare<[string, number], { seq_no: string }>(
      `SELECT CAST(seq_no AS TEXT) AS seq_no FROM operations
       WHERE org_id = ? AND seq_no NOT BETWEEN 1 AND ? ORDER BY operations.seq_no LIMIT 1000`,
    )
    .all(orgId, most)
    .map(({ seq_no }) => seq_no);
  return { lastSeqNo: run?.last ?? 0, records: run?.records ?? 0, strays };
}

function strayRecord(number: string, differ: Differ): void {
  differ({
    code: 'MALFORMED',
    where: { member: 'seq_no' },
    expected: 'sequence numbers from 1',
    actual: number,
    message: 'There is a row of a sequence number that no record can have.',
  });
}

function serviceKeyView(row: ServiceKeyRow): unknown {
  return {
    kid: row.kid,
    algorithm: 'ed25519',
    public_key: row.publicKey,
    status: row.status,
    created_at: row.createdAt,
    retired_at: row.retiredAt,
    prev_kid: row.prevKid,
    self_signature: row.selfSignature,
    prev_signature: row.prevSignature,
  };
}

/** Agents as bundles have them; a key that cannot be read, or whose agent is not there, is a separate finding. */
function withKeys(agentRows: readonly ReadRow<AgentRow>[], keyRows: readonly ReadRow<AgentKeyRow>[]): StoredValue[] {
  const keys = Map.groupBy(readable(keyRows), ({ agentId }) => agentId);
  const known = new Set(readable(agentRows).map(({ agentId }) => agentId));
  const broken = keyRows.filter((read) => 'error' in read);
  const orphans: ReadRow<AgentKeyRow>[] = keyRows.flatMap((read) =>
    'row' in read && !known.has(read.row.agentId)
      ? [{ where: read.where, error: new Error('it is a key of an agent that is not there') }]
      : [],
  );
  return [
    ...storedValues(agentRows, (row) => ({
      ...agentView(row),
      status: row.deletedAt === null ? row.status : 'deleted',
      keys: (keys.get(row.agentId) ?? []).map((key) => ({
        ...keyView(key),
        status: key.status,
        service_kid: key.serviceKid,
        attestation: key.attestation,
      })),
    })),
    ...storedValues([...broken, ...orphans], () => null),
  ];
}

function compareOrganization(orgId: string, org: OrgRow | undefined, seen: SeenLedger, differ: Differ): void {
  const created = seen.adminEvents[0];
  const says = (member: string, expected: string, actual: string): void =>
    differ({
      check: 'admin_log',
      where: { member: `organizations.${member}` },
      expected,
      actual,
      message: `The organization's ${member} is not what the administrative log says.`,
    });
  if (org === undefined) says('org_id', orgId, 'no such organization');
  if (created?.action !== 'org.create') {
    differ({
      check: 'admin_log',
      where: created === undefined ? {} : { event_id: created.event_id },
      expected: 'org.create',
      actual: created?.action ?? 'no event',
      message: "The administrative log does not begin with the organization's making.",
    });
    return;
  }
  if (org === undefined) return;
  if (created.details['name'] !== org.name) says('name', String(created.details['name']), org.name);
  if (created.created_at !== org.createdAt) says('created_at', String(created.created_at), String(org.createdAt));
}

/** Exactly one key is active, the others are retired at some time. What a key signs of itself is checked elsewhere. */
function compareServiceKeys(rows: readonly ServiceKeyRow[], differ: Differ): void {
  const says = (where: FindingPlace, expected: string, actual: string, message: string): void =>
    differ({ code: 'SERVICE_KEY_INVALID', where, expected, actual, message });
  const active = rows.filter(({ status }) => status === 'active');
  if (rows.length > 0 && active.length !== 1) {
    says({}, 'one active service key', String(active.length), 'There must be one active service key.');
  }
  for (const { kid, status, retiredAt } of rows) {
    if (status !== 'active' && status !== 'retired') {
      says({ kid, member: 'status' }, 'active or retired', status, 'The service key has a status that there is not.');
    } else if ((status === 'active') !== (retiredAt === null)) {
      const expected = status === 'active' ? 'null' : 'a time';
      says({ kid, member: 'retired_at' }, expected, String(retiredAt), 'A service key is retired exactly at a time.');
    }
  }
  const first = rows.filter(({ prevKid }) => prevKid === null);
  for (const { kid } of first.slice(1)) {
    says({ kid }, 'one first service key', kid, 'No other service key vouches for this one.');
  }
}

/** Events are numbered without gaps, and their details stored in canonical form: neither is within their hash. */
function compareEvents(rows: readonly AdminEventRow[], differ: Differ): void {
  rows.forEach((row, index) => {
    const where = { event_id: row.eventId };
    const says = (member: string, expected: string, actual: string): void =>
      differ({
        check: 'admin_log',
        where: { ...where, member },
        expected,
        actual,
        message: `The administrative event is stored with another ${member}.`,
      });
    if (row.eventNo !== index + 1) says('event_no', String(index + 1), String(row.eventNo));
    const canonical = canonicalDetails(row);
    if (canonical !== null && canonical !== row.details) says('details', canonical, row.details);
  });
}

/** Null where they cannot be read, which has been said already. */
function canonicalDetails(row: AdminEventRow): string | null {
  try {
    return canonicalize(adminEventView(row).details);
  } catch {
    return null;
  }
}
