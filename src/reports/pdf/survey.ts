import {
  type BundleAgent,
  type BundledEvent,
  type BundleOrg,
  type BundleRecord,
  type BundleSource,
  clockCorrectedAt,
  type Edges,
  type Epoch,
  isShownWhole,
  type Manifest,
  parseTime,
  readContents,
  type ServiceKey,
  type VerificationReport,
} from '../../protocol/index.ts';
import { ReportError } from './report-error.ts';

/**
 * How many operations, agents, keys, epochs and administrative events a report shows at most, together: about 17,000
 * pages, made in some 600 MB of memory.
 */
export const MAX_REPORT_ITEMS = 50_000;

/** How much of a bundle one agent, or one type of operation, makes up. */
export interface Tally {
  records: number;
  withheld: number;
  firstSeqNo: number;
  lastSeqNo: number;
}

/** Everything of a bundle but its records, and what the records come to. Nothing of it is verified. */
export interface Survey {
  readonly org: BundleOrg | null;
  readonly manifest: Manifest | null;
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
  readonly epochs: readonly Epoch[];
  readonly edges: Edges | null;
  readonly adminEvents: readonly BundledEvent[];
  readonly records: number;
  readonly unreadable: number;
  readonly byAgent: ReadonlyMap<string, Tally>;
  readonly byType: ReadonlyMap<string, Tally>;
  /** When each record was received, in milliseconds since the epoch, in the order of the bundle. */
  readonly times: readonly number[];
  /** How many of them may be those of a wrong clock. */
  readonly corrected: number;
  /** The same for the records that findings name by their seq_no. */
  readonly timesOfFindings: readonly number[];
}

/** A name whose tallies would be too many is counted under this one; no identifier has it. */
export const OTHER = '';
const MAX_TALLIES = 1000;

function count(tallies: Map<string, Tally>, name: string, record: BundleRecord): void {
  const { ear } = record;
  const key = tallies.has(name) || tallies.size < MAX_TALLIES ? name : OTHER;
  let tally = tallies.get(key);
  if (tally === undefined) {
    tally = { records: 0, withheld: 0, firstSeqNo: ear.seq_no, lastSeqNo: ear.seq_no };
    tallies.set(key, tally);
  }
  tally.records++;
  if (!isShownWhole(record)) tally.withheld++;
  tally.firstSeqNo = Math.min(tally.firstSeqNo, ear.seq_no);
  tally.lastSeqNo = Math.max(tally.lastSeqNo, ear.seq_no);
}

/**
 * Reads a bundle once, for what a report shows before its operations.
 * @throws ReportError TOO_LARGE
 */
export async function surveyBundle(
  source: BundleSource,
  report: VerificationReport,
  maxItems = MAX_REPORT_ITEMS,
): Promise<Survey> {
  const accused = new Set(report.findings.flatMap(({ where }) => where.seq_no ?? []));
  const survey = {
    org: null as BundleOrg | null,
    manifest: null as Manifest | null,
    serviceKeys: [] as ServiceKey[],
    agents: [] as BundleAgent[],
    epochs: [] as Epoch[],
    edges: null as Edges | null,
    adminEvents: [] as BundledEvent[],
    records: 0,
    unreadable: 0,
    byAgent: new Map<string, Tally>(),
    byType: new Map<string, Tally>(),
    times: [] as number[],
    corrected: 0,
    timesOfFindings: [] as number[],
  };
  let items = 0;
  for await (const contents of readContents(source)) {
    for (const content of contents) {
      items += 1 + (content.kind === 'agent' ? content.value.keys.length : 0);
      if (items > maxItems) {
        throw new ReportError(
          'TOO_LARGE',
          `a report shows at most ${maxItems} operations, keys, epochs and events together, and the bundle holds more: ` +
            'export a shorter range',
        );
      }
      switch (content.kind) {
        case 'org':
          survey.org = content.value;
          break;
        case 'manifest':
          survey.manifest = content.value;
          break;
        case 'service_key':
          survey.serviceKeys.push(content.value);
          break;
        case 'agent':
          survey.agents.push(content.value);
          break;
        case 'epoch':
          survey.epochs.push(content.value);
          break;
        case 'edges':
          survey.edges = content.value;
          break;
        case 'admin_event':
        case 'withheld_event':
          survey.adminEvents.push(content.value);
          break;
        case 'record': {
          const { value } = content;
          survey.records++;
          const time = parseTime(value.ear.server_received_at);
          survey.times.push(time);
          if (clockCorrectedAt(report.corrected_times, 'seq_no', value.ear.seq_no) !== null) survey.corrected++;
          if (accused.has(value.ear.seq_no)) survey.timesOfFindings.push(time);
          count(survey.byAgent, value.ear.agent_id, value);
          count(survey.byType, value.eor.operation_type, value);
          break;
        }
        default:
          survey.unreadable++;
      }
    }
  }
  return survey;
}
