import { redaction } from '../../../api/index.ts';
import { ENDS_FIRST } from '../../components/filter-form.tsx';
import { readTyped } from '../../lib/read-time.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import { timeText } from '../../ui/time.tsx';
import { EXPORT_REQUEST } from './texts.ts';

/** What the form of a new export says. */
export interface ExportDraft {
  /** In which zone its times are typed and shown. */
  readonly zone: TimeZone;
  readonly startTime: string;
  readonly endTime: string;
  readonly agentId: string;
  readonly format: 'json' | 'pdf';
  /** Whether a report prints every record. */
  readonly details: boolean;
  /** Each one value per line. */
  readonly agents: string;
  readonly types: string;
  readonly pointers: string;
  readonly people: string;
  /** Whether payloads are withheld of records that name one of them outside the payload. */
  readonly linked: boolean;
  /** Why something is withheld. */
  readonly reason: string;
  /** Which administrative events are shown; null for the choice that discloses least for what is exported. */
  readonly adminEvents: 'all' | 'agents' | null;
}

/** How far back a preset reaches, in milliseconds; null for everything. */
export const PRESETS: readonly (readonly [string, number | null])[] = [
  [EXPORT_REQUEST.lastHour, 3_600_000],
  [EXPORT_REQUEST.lastDay, 86_400_000],
  [EXPORT_REQUEST.last7Days, 7 * 86_400_000],
  [EXPORT_REQUEST.last30Days, 30 * 86_400_000],
  [EXPORT_REQUEST.everything, null],
];

/** The range of a preset, until now. */
export function presetRange(
  reach: number | null,
  now: number,
  zone: TimeZone,
): Pick<ExportDraft, 'startTime' | 'endTime'> {
  return {
    startTime: timeText(reach === null ? 0 : now - reach, zone),
    endTime: timeText(now, zone),
  };
}

export const REASON_MISSING = EXPORT_REQUEST.needsReason;

const MEMBER_NAMES: Readonly<Record<string, string>> = {
  agent_ids: EXPORT_REQUEST.agents,
  operation_types: EXPORT_REQUEST.operationTypes,
  pointers: EXPORT_REQUEST.jsonPointers,
  names: EXPORT_REQUEST.people,
};

export const lines = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

/**
 * Which administrative events an export shows unless somebody chooses: for one agent, or with payloads withheld, only those
 * about its agents, for whoever gets the file is not meant to learn the rest.
 */
export function adminEventsOf({
  adminEvents,
  agentId,
  agents,
  types,
  pointers,
  people,
}: ExportDraft): 'all' | 'agents' {
  const isNarrow = [agentId, agents, types, pointers, people].some((text) => text.trim() !== '');
  return adminEvents ?? (isNarrow ? 'agents' : 'all');
}

/** The range and agent of a draft, or what is wrong with them, in a sentence. */
export function readRange(
  draft: Pick<ExportDraft, 'zone' | 'startTime' | 'endTime' | 'agentId'>,
): { readonly range: { startTime: string; endTime: string; agentId?: string } } | { readonly wrong: string } {
  const now = Date.now();
  const [from, before] = [readTyped(draft.startTime, draft.zone, now), readTyped(draft.endTime, draft.zone, now)];
  if (from.problem !== undefined) return { wrong: EXPORT_REQUEST.fromProblem(from.problem) };
  if (before.problem !== undefined) return { wrong: EXPORT_REQUEST.beforeProblem(before.problem) };
  const { time: startTime } = from;
  const { time: endTime } = before;
  if (startTime >= endTime) return { wrong: ENDS_FIRST };
  const agentId = draft.agentId.trim();
  return { range: { startTime, endTime, ...(agentId === '' ? {} : { agentId }) } };
}

/** The request that a draft comes to, or what is wrong with it, in a sentence. */
export function readRequest(draft: ExportDraft): { readonly body: object } | { readonly wrong: string } {
  const range = readRange(draft);
  if ('wrong' in range) return range;
  const redact = {
    agent_ids: lines(draft.agents),
    operation_types: lines(draft.types),
    pointers: lines(draft.pointers),
    names: lines(draft.people),
    linked: draft.linked,
  };
  const read = redaction.safeParse(redact);
  if (!read.success) {
    const [issue] = read.error.issues;
    const [member, at] = issue?.path ?? [];
    const line = typeof at === 'number' ? EXPORT_REQUEST.atLine(at + 1) : '';
    return {
      wrong: `${MEMBER_NAMES[String(member)] ?? EXPORT_REQUEST.withheldPayloads}${line}: ${issue?.message ?? EXPORT_REQUEST.notValid}.`,
    };
  }
  const isRedacted = Object.values(redact).some((values) => values !== true && values !== false && values.length > 0);
  const reason = draft.reason.trim();
  if (isRedacted && reason === '') return { wrong: REASON_MISSING };
  return {
    body: {
      ...range.range,
      format: draft.format,
      ...(draft.format === 'pdf' && draft.details ? { details: true } : {}),
      admin_events: adminEventsOf(draft),
      ...(isRedacted ? { redact } : {}),
      ...(reason === '' || !withholds(draft) ? {} : { reason }),
    },
  };
}

/** Whether a draft withholds anything by choice. */
export function withholds(draft: ExportDraft): boolean {
  return (
    adminEventsOf(draft) === 'agents' ||
    [draft.agents, draft.types, draft.pointers, draft.people].some((text) => text.trim() !== '')
  );
}

/** What a draft is previewed by; null while it cannot be exported. */
export function previewOf(draft: ExportDraft): Readonly<Record<string, unknown>> | null {
  const read = readRange(draft);
  return 'wrong' in read ? null : read.range;
}
