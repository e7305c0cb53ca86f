import { basename } from 'node:path';
import { z } from 'zod';
import { type ExportPreview, LIMITS } from '../../../api/index.ts';
import { VERIFIER_FILE } from '../../../node/light.ts';
import { type AdminEvent, type BundledEvent, isWholeEvent, parseTime } from '../../../protocol/index.ts';
import { askedPage } from '../../http/cursor.ts';
import type { Handlers } from '../../http/handler.ts';
import { newestAdminEventRows } from '../../ledger/admin-log/admin-events.ts';
import { bundleAgents } from '../../people/agents/registry.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { Store } from '../../store/open.ts';
import { type AdminEventsChoice, eventsAsShown } from './admin-events-choice.ts';
import type { Exports } from './export-jobs.ts';
import { requireKnownAgent } from './known-agent.ts';
import { runReceivedWithin, type SequenceRun } from './sequence-run.ts';

/** What a preview is of. */
interface PreviewRequest {
  readonly startTime: string;
  readonly endTime: string;
  readonly agentId?: string | undefined;
}

/** Records of one agent beyond these are not counted: it must not keep the service's thread. */
const MAX_COUNTED = 10_000;

/** This many agents are looked into, and this many records of each are counted: for the same reason. */
const MAX_AGENTS = 100;
const MAX_COUNTED_EACH = 1000;

/** The newest events are looked into, and those before them only counted. */
const MAX_EXAMINED = 1000;

const ADDRESS = /^[^\s@]+@[^\s@]+$/;

/** The mail and webhook addresses that events show to whoever gets the export. */
function addressesIn(events: readonly AdminEvent[]): { readonly mail: Set<string>; readonly webhook: Set<string> } {
  const [mail, webhook] = [new Set<string>(), new Set<string>()];
  for (const { details, target_type, target_id } of events) {
    const { email, endpoint_url: url } = details;
    for (const text of [email, target_type === 'member' ? target_id : null]) {
      if (typeof text === 'string' && ADDRESS.test(text)) mail.add(text.toLowerCase());
    }
    if (typeof url === 'string') webhook.add(url);
  }
  return { mail, webhook };
}

function summaryOf(events: readonly BundledEvent[]): ExportPreview['admin_events']['all'] {
  const shown = events.filter(isWholeEvent);
  const { mail, webhook } = addressesIn(shown);
  return {
    shown: shown.length,
    withheld: events.length - shown.length,
    mail_addresses: mail.size,
    webhook_addresses: webhook.size,
    addresses: [...[...mail].sort(), ...[...webhook].sort()].slice(0, LIMITS.previewedAddresses),
  };
}

/** Up to one more than this many records of an agent within a run of seq_no. */
function countOf(store: Store, orgId: string, agentId: string, run: SequenceRun, most: number): number {
  const counted = store
    .statement(
      `SELECT count(*) FROM (SELECT 1 FROM operations
       WHERE org_id = @orgId AND agent_id = @agentId AND seq_no BETWEEN @first AND @last LIMIT @most)`,
    )
    .pluck()
    .get({ orgId, agentId, first: run.first, last: run.last, most: most + 1 });
  return Number(counted);
}

/** Whose records a run holds. */
function agentsOf(
  store: Store,
  orgId: string,
  agents: readonly { readonly agent_id: string; readonly display_name: string }[],
  run: SequenceRun | null,
): ExportPreview['agents'] {
  const looked = agents.slice(0, MAX_AGENTS);
  const counted = looked.map(({ agent_id, display_name }) => {
    const records = run === null ? 0 : countOf(store, orgId, agent_id, run, MAX_COUNTED_EACH);
    return {
      agent_id,
      display_name,
      records: Math.min(records, MAX_COUNTED_EACH),
      more_records: records > MAX_COUNTED_EACH,
    };
  });
  return {
    listed: agents.length,
    with_records: counted.filter(({ records }) => records > 0),
    not_examined: agents.length - looked.length,
  };
}

/** What an export would hold, before it is made. Events from now on, and records that arrive meanwhile, come on top. */
function previewExport(store: Store, orgId: string, request: PreviewRequest): ExportPreview {
  const from = parseTime(request.startTime);
  if (from >= parseTime(request.endTime))
    throw new ServiceError('VALIDATION_ERROR', 'endTime: must be later than startTime');
  requireKnownAgent(store, orgId, 'agentId', request.agentId);
  const agents = bundleAgents(store, orgId, request.agentId ?? null);
  const rows = newestAdminEventRows(store, orgId, MAX_EXAMINED);
  // They are numbered without gaps.
  const more = (rows[0]?.eventNo ?? 0) - rows.length;
  const of = (choice: AdminEventsChoice) => summaryOf(rows.map(eventsAsShown(store, { from, agents, choice })));
  const run = runReceivedWithin(store, orgId, from, parseTime(request.endTime), Number.MAX_SAFE_INTEGER);
  const { agentId } = request;
  const all = run === null ? 0 : run.last - run.first + 1;
  const records = run === null || agentId === undefined ? all : countOf(store, orgId, agentId, run, MAX_COUNTED);
  return {
    records: agentId === undefined ? records : Math.min(records, MAX_COUNTED),
    more_records: agentId !== undefined && records > MAX_COUNTED,
    agents: agentsOf(store, orgId, agents, run),
    admin_events: { all: of('all'), agents: of('agents'), not_examined: more },
  };
}

interface ExportDeps {
  readonly exports: Exports;
  readonly store: Store;
}

const place = z.strictObject({ createdAt: z.int(), exportId: z.string() });

export function exportRoutes({ exports, store }: ExportDeps) {
  return {
    createExport: async ({ body, caller }) => {
      const { exportId, status, createdAt } = await exports.create(caller.orgId, caller.userId, body);
      return { body: { exportId, status, createdAt } };
    },
    previewExport: ({ body, caller }) => ({ body: previewExport(store, caller.orgId, body) }),
    listExports: ({ caller: { orgId }, query }) => ({
      body: askedPage(
        query,
        place,
        (behind, most) => exports.list(orgId, behind, most),
        ({ createdAt, exportId }) => ({ createdAt: Date.parse(createdAt), exportId }),
      ),
    }),
    getExport: ({ caller, param }) => ({ body: exports.get(caller.orgId, param('export_id')) }),
    deleteExport: async ({ caller, param }) => {
      await exports.delete(caller.orgId, caller.userId, param('export_id'));
      return { body: { success: true } };
    },
    downloadExport: async ({ caller, param, query }) => {
      const { path, format, baseName: name } = await exports.download(caller.orgId, caller.userId, param('export_id'));
      if (format === 'pdf') return { file: path, fileName: `${name}.pdf`, contentType: 'application/pdf' };
      return query.encoding === 'gzip'
        ? { file: path, fileName: `${name}.csbundle.gz`, contentType: 'application/gzip', compress: 'file' }
        : { file: path, fileName: `${name}.csbundle`, contentType: 'application/json', compress: 'transfer' };
    },
    verifier: () => ({ file: VERIFIER_FILE, fileName: basename(VERIFIER_FILE), contentType: 'text/javascript' }),
  } satisfies Partial<Handlers>;
}
