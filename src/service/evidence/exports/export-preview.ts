import type { ExportPreview } from '../../../contract/index.ts';
import { type AdminEvent, type BundledEvent, isWholeEvent, parseTime } from '../../../protocol/index.ts';
import { newestAdminEventRows } from '../../admin-log/admin-events.ts';
import { bundleAgents } from '../../agents/registry.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Store } from '../../store/open.ts';
import { type AdminEventsChoice, eventsAsShown } from './admin-events-choice.ts';
import { requireKnownAgent } from './known-agent.ts';
import { runReceivedWithin } from './sequence-run.ts';

/** What a preview is of. */
export interface PreviewRequest {
  readonly startTime: string;
  readonly endTime: string;
  readonly agentId?: string | undefined;
}

/** Records of one agent beyond these are not counted: it must not keep the service's thread. */
const MAX_COUNTED = 10_000;

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
  };
}

function recordsOf(store: Store, orgId: string, { startTime, endTime, agentId }: PreviewRequest): number {
  const run = runReceivedWithin(store, orgId, parseTime(startTime), parseTime(endTime), Number.MAX_SAFE_INTEGER);
  if (run === null) return 0;
  if (agentId === undefined) return run.last - run.first + 1;
  const counted = store
    .statement(
      `SELECT count(*) FROM (SELECT 1 FROM operations
       WHERE org_id = @orgId AND agent_id = @agentId AND seq_no BETWEEN @first AND @last LIMIT ${MAX_COUNTED + 1})`,
    )
    .pluck()
    .get({ orgId, agentId, ...run });
  return Number(counted);
}

/** What an export would hold, before it is made. Events from now on, and records that arrive meanwhile, come on top. */
export function previewExport(store: Store, orgId: string, request: PreviewRequest): ExportPreview {
  const from = parseTime(request.startTime);
  if (from >= parseTime(request.endTime))
    throw new ServiceError('VALIDATION_ERROR', 'endTime: must be later than startTime');
  requireKnownAgent(store, orgId, request.agentId);
  const agents = bundleAgents(store, orgId, request.agentId ?? null);
  const rows = newestAdminEventRows(store, orgId, MAX_EXAMINED);
  // They are numbered without gaps.
  const more = (rows[0]?.eventNo ?? 0) - rows.length;
  const of = (choice: AdminEventsChoice) => summaryOf(rows.map(eventsAsShown(store, { from, agents, choice })));
  const records = recordsOf(store, orgId, request);
  return {
    records: Math.min(records, request.agentId === undefined ? records : MAX_COUNTED),
    more_records: request.agentId !== undefined && records > MAX_COUNTED,
    admin_events: { all: of('all'), agents: of('agents'), not_examined: more },
  };
}
