import { statfs } from 'node:fs/promises';
import { BUCKET_ENDS, type RequestFigures } from '../../http/request-figures.ts';
import { homeOf } from '../../people/organizations/home.ts';
import { examineHealth, type HealthDeps } from './deep-health.ts';

export interface MetricsDeps extends HealthDeps {
  readonly figures: RequestFigures;
  /** Records that were refused since the start, by code. */
  readonly refusals: { readonly ofRecords: ReadonlyMap<string, number> };
  readonly contentIndex: { readonly behindMs: number };
}

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [Labels, number, suffix?: string];

/** One metric. A value of a label has the escapes of JSON, which are those of this format for all that a name may have. */
function metric(
  name: string,
  type: 'counter' | 'gauge' | 'histogram',
  help: string,
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return '';
  const lines = samples.map(([labels, value, suffix = '']) => {
    const said = Object.entries(labels).map(([label, of]) => `${label}=${JSON.stringify(String(of))}`);
    return `${name}${suffix}${said.length === 0 ? '' : `{${said.join(',')}}`} ${value}\n`;
  });
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

const RECORDS = `SELECT sum((SELECT max(seq_no) FROM operations WHERE org_id = g.org_id)) FROM organizations g`;
const UNSEALED = `SELECT sum((SELECT max(seq_no) FROM operations WHERE org_id = g.org_id)
    - coalesce((SELECT max(last_seq_no) FROM epochs WHERE org_id = g.org_id), 0)) FROM organizations g`;
const LEDGER_BYTES = 'SELECT page_count * page_size FROM pragma_page_count, pragma_page_size';
const VERIFIED = 'SELECT completed_at FROM ledger_verifications WHERE org_id = ?';

function requests({ figures }: MetricsDeps): string {
  const durations: Sample[] = [];
  const answers: Sample[] = [];
  for (const [route, { buckets, seconds, byStatus }] of figures.routes) {
    let below = 0;
    for (const [n, end] of BUCKET_ENDS.entries()) {
      below += buckets[n] ?? 0;
      durations.push([{ route, le: end }, below, '_bucket']);
    }
    const all = [...byStatus.values()].reduce((sum, of) => sum + of, 0);
    durations.push([{ route, le: '+Inf' }, all, '_bucket'], [{ route }, seconds, '_sum'], [{ route }, all, '_count']);
    for (const [status, of] of byStatus) answers.push([{ route, status }, of]);
  }
  return (
    metric('countersign_request_seconds', 'histogram', 'Time from a request to its answer, by route.', durations) +
    metric('countersign_answers_total', 'counter', 'Answers since the start.', answers) +
    metric(
      'countersign_refusals_total',
      'counter',
      'Requests refused as a whole since the start, by code.',
      [...figures.refused].map(([code, of]) => [{ code }, of]),
    )
  );
}

function ledger({ store, refusals, now, contentIndex }: MetricsDeps): string {
  const number = (query: string, ...of: string[]): number | null => {
    const found = store
      .statement(query)
      .pluck()
      .get(...of);
    return found == null ? null : Number(found);
  };
  const verified = number(VERIFIED, homeOf(store) ?? '');
  const behind = 'How long the index of contents has been behind the ledger.';
  const age = "Time since the last verification of the home organization's whole ledger ended, whatever it found.";
  return (
    metric('countersign_records_total', 'counter', 'Records in all ledgers.', [[{}, number(RECORDS) ?? 0]]) +
    metric('countersign_unsealed_records', 'gauge', 'Records that no epoch seals yet.', [[{}, number(UNSEALED) ?? 0]]) +
    metric(
      'countersign_refused_records_total',
      'counter',
      'Records refused since the start, by code.',
      [...refusals.ofRecords].map(([code, of]) => [{ code }, of]),
    ) +
    metric('countersign_index_behind_seconds', 'gauge', behind, [[{}, contentIndex.behindMs / 1000]]) +
    metric(
      'countersign_verification_age_seconds',
      'gauge',
      age,
      verified === null ? [] : [[{}, Math.max(0, (now() - verified) / 1000)]],
    )
  );
}

function queues({ queueHealth, content, cases, courier, syslog }: MetricsDeps): string {
  const waiting: Sample[] = [];
  const oldest: Sample[] = [];
  for (const [reads, load] of [
    ['ledger_reads', content.load],
    ['case_reads', cases.reads.load],
  ] as const) {
    for (const [side, of] of Object.entries(load)) {
      waiting.push([{ queue: reads, of: side }, of.waiting]);
      oldest.push([{ queue: reads, of: side }, of.oldestMs / 1000]);
    }
  }
  const { pending, oldestOverdueMs } = queueHealth();
  waiting.push([{ queue: 'webhooks', of: 'all' }, pending]);
  oldest.push([{ queue: 'webhooks', of: 'all' }, oldestOverdueMs / 1000]);
  const { isSet, result: ledgers } = courier.state;
  if (isSet)
    waiting.push([{ queue: 'archive', of: 'all' }, (ledgers ?? []).reduce((sum, one) => sum + one.waiting, 0)]);
  if (syslog.state.isSet) waiting.push([{ queue: 'syslog', of: 'all' }, syslog.waiting]);
  return (
    metric('countersign_waiting', 'gauge', 'How many are in a queue.', waiting) +
    metric('countersign_oldest_waiting_seconds', 'gauge', 'How long the oldest in a queue waits.', oldest)
  );
}

/** The node of a shared log that this is. */
function nodes({ node }: MetricsDeps): string {
  if (node === null) return '';
  const { role, lag_ms, takeovers, log_bytes, nodes: known } = node.look();
  const heard = known.map(({ name, heard_ms }): Sample => [{ node: name }, heard_ms / 1000]);
  return (
    metric('countersign_node_active', 'gauge', 'Whether this node is the active one.', [
      [{}, role === 'active' ? 1 : 0],
    ]) +
    metric('countersign_node_lag_seconds', 'gauge', 'Time since this node last had all that the shared log has kept.', [
      [{}, lag_ms / 1000],
    ]) +
    metric('countersign_node_heard_seconds', 'gauge', 'Time since a node last said something.', heard) +
    metric('countersign_takeovers_total', 'counter', 'Takeovers that this node has seen since its start.', [
      [{}, takeovers],
    ]) +
    metric('countersign_shared_log_bytes', 'gauge', 'Size of the shared log.', [[{}, log_bytes]])
  );
}

async function machine({ settings, store }: MetricsDeps): Promise<string> {
  const { bavail, bsize } = await statfs(settings.dataDir);
  const size = Number(store.statement(LEDGER_BYTES).pluck().get());
  const { user, system } = process.cpuUsage();
  return (
    metric('countersign_disk_free_bytes', 'gauge', 'Room on the disk of the data folder.', [[{}, bavail * bsize]]) +
    metric('countersign_ledger_bytes', 'gauge', 'Size of the file of all ledgers.', [[{}, size]]) +
    metric('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [[{}, process.memoryUsage.rss()]]) +
    metric('process_cpu_seconds_total', 'counter', 'Processor time of the process.', [[{}, (user + system) / 1e6]]) +
    metric('process_start_time_seconds', 'gauge', 'Start of the process, since the Unix epoch.', [
      [{}, performance.timeOrigin / 1000],
    ])
  );
}

/**
 * The state of the service in the text format of Prometheus, version 0.0.4. Nothing of it names data, people or paths; nodes have the names that their operator gave them.
 * Source: https://prometheus.io/docs/instrumenting/exposition_formats/
 */
export async function metricsText(deps: MetricsDeps): Promise<string> {
  const { checks } = await examineHealth(deps);
  const parts = Object.entries(checks).map(([part, { status }]): Sample => [{ part }, status === 'ok' ? 1 : 0]);
  return [
    metric('countersign_info', 'gauge', 'The version that runs.', [[{ version: deps.version }, 1]]),
    metric('countersign_part_ok', 'gauge', 'Whether a part is well, as in /v1/health/deep.', parts),
    ledger(deps),
    requests(deps),
    queues(deps),
    nodes(deps),
    await machine(deps),
  ].join('');
}
