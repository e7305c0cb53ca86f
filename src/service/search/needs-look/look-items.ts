import { ALARMS, type Mark } from '../../../actions/index.ts';
import { type Silence, silencesOf } from '../../../actions/judging/index.ts';
import type { LookKind } from '../../../api/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { RefusedSubmissions } from '../content-index/given-marks.ts';
import { Groups } from '../content-index/groups.ts';
import { actionsByOutcome, actionsOf } from '../content-index/indexed-actions.ts';
import { keptOfView } from '../content-index/kept-of-view.ts';
import type { Marked } from '../content-index/shelf-reader.ts';

/** Something that somebody should look at. What is said of it is read from its records once it is shown. */
export interface FoundItem {
  /** Of what it is about, so that it is the same however often records are judged: the numbers in it are those of receipts. */
  readonly id: string;
  readonly kind: LookKind;
  readonly code: string;
  /** The number of the record that it is about; 0 where it is about none. */
  readonly n: number;
  /** Sequence numbers of the records that it is held against. */
  readonly others: readonly number[];
  readonly silence?: Silence;
  readonly refused?: RefusedSubmissions;
  /** What was looked at before this time, in milliseconds since 1970, has to be looked at again. */
  readonly changedAt: number;
}

const HOUR_MS = 3_600_000;

/** Questions that the next records usually answer: each call is open until it has ended. */
const ANSWERED_LATER: ReadonlySet<Mark> = new Set<Mark>(['STARTED_NEVER_ENDED', 'SESSION_OPEN', 'CAUSE_UNKNOWN']);
const KINDS: { readonly [M in Mark]?: LookKind } = {
  FIRST_HOST: 'first_host',
  FIRST_TOOL: 'first_tool',
  RECORDER_GAP: 'recorder_gap',
};

function kindOf({ code, severity }: Marked): LookKind | null {
  if (ALARMS.has(code)) return 'decision';
  const own = KINDS[code];
  if (own !== undefined) return own;
  if (severity === 'contradiction') return 'contradiction';
  return severity === 'open' && !ANSWERED_LATER.has(code) ? 'open' : null;
}

/** What the judge found: of one record and one code one item, whatever it was held against. */
function judgedItems(view: ContentView): FoundItem[] {
  const items = new Map<string, FoundItem & { readonly others: number[] }>();
  const { settled, standing } = view.reader.marked();
  for (const found of [...settled, ...standing]) {
    const kind = kindOf(found);
    if (kind === null) continue;
    const { code, seq_no: seqNo, other_seq_no: other } = found;
    const id = `${code}:${seqNo}`;
    const known = items.get(id);
    if (known === undefined) {
      const n = view.withSeqNo(seqNo);
      if (n !== null) items.set(id, { id, kind, code, n, others: other === null ? [] : [other], changedAt: 0 });
    } else if (other !== null && known.others.length < MAX_OTHERS) known.others.push(other);
  }
  return [...items.values()];
}

/** Records that evidence names besides the one that an item is about. */
const MAX_OTHERS = 15;

/** What calls are told apart by where one is tried again: agent, session and tool, as one number. */
function triesOf(view: ContentView): (n: number) => number {
  const [agents, sessions, tools] = [view.category('agent'), view.category('session'), view.category('tool')];
  return (n) =>
    ((sessions.ids[n] ?? 0) * tools.digests.length + (tools.ids[n] ?? 0)) * agents.digests.length +
    (agents.ids[n] ?? 0);
}

/**
 * Calls that failed and after which the agent did not call the tool again in the session, or, where no session is named, in no session. Of a
 * failure whose tool is not known, no record tells that it was tried again.
 */
function failedItems(view: ContentView): FoundItem[] {
  const { leads, records } = actionsOf(view);
  const { phase } = view.calls;
  const tools = view.category('tool').ids;
  const calls = view.columns.category('call').ids;
  /** The first record of an action that names its tool: a decision that comes first does not. */
  const namingTool = (lead: number): number =>
    tools[lead] !== 0 || calls[lead] === 0 ? lead : (Array.from(records(lead)).find((n) => tools[n] !== 0) ?? lead);
  const tryOf = triesOf(view);
  const failed: number[] = [];
  actionsByOutcome(view)
    .get('failed')
    ?.each((lead) => {
      failed.push(Array.from(records(lead)).findLast((n) => view.calls.ownOutcome(n) === 'failed') ?? lead);
    });
  if (failed.length === 0) return [];
  const wanted = new Set(failed.map(tryOf));
  const lastBegun = new Map<number, number>();
  leads.each((lead) => {
    const key = tryOf(namingTool(lead));
    if (wanted.has(key) && (calls[lead] !== 0 || phase(lead) === 'record')) lastBegun.set(key, lead);
  });
  return failed
    .filter((n) => tools[n] === 0 || (lastBegun.get(tryOf(n)) ?? 0) <= n)
    .map((n) => {
      return { id: `NOT_RETRIED:${view.seqNo(n)}`, kind: 'failed', code: 'NOT_RETRIED', n, others: [], changedAt: 0 };
    });
}

/** An agent's records by when they were issued. */
interface AgentHours {
  /** Hours with a record, rising, each once; and the last record of each. */
  readonly hours: readonly number[];
  readonly lastOf: ReadonlyMap<number, number>;
  readonly firstOf: ReadonlyMap<number, number>;
}

function hoursOf(ns: Uint32Array, issued: Float64Array): AgentHours {
  const [firstOf, lastOf] = [new Map<number, number>(), new Map<number, number>()];
  for (const n of ns) {
    const time = issued[n] ?? Number.NaN;
    if (!Number.isFinite(time)) continue;
    const hour = Math.floor(time / HOUR_MS);
    const [first, last] = [firstOf.get(hour), lastOf.get(hour)];
    if (first === undefined || time < (issued[first] ?? 0)) firstOf.set(hour, n);
    if (last === undefined || time >= (issued[last] ?? 0)) lastOf.set(hour, n);
  }
  return { hours: [...firstOf.keys()].sort((a, b) => a - b), firstOf, lastOf };
}

const hoursOfAgents = keptOfView((view: ContentView) => {
  const { ids, digests } = view.columns.category('agent');
  const groups = new Groups(ids, digests.length);
  const issued = view.columns.number('issued');
  return Array.from({ length: groups.values }, (_, agent) => hoursOf(groups.of(agent), issued));
});

/** @param now hours since 1970: what others recorded since tells of a silence as much */
function silentItems(view: ContentView, now: number): FoundItem[] {
  const agents = hoursOfAgents(view);
  const end = agents.reduce((newest, { hours }) => Math.max(newest, hours.at(-1) ?? 0), now);
  return agents.flatMap(({ hours, lastOf, firstOf }) =>
    silencesOf(hours, end).map((silence): FoundItem => {
      const n = lastOf.get(silence.after) ?? 0;
      const after = silence.until === null ? undefined : firstOf.get(silence.until);
      const others = after === undefined ? [] : [view.seqNo(after)];
      return { id: `SILENT:${view.seqNo(n)}`, kind: 'silent', code: 'SILENT', n, others, silence, changedAt: 0 };
    }),
  );
}

function refusedItems(view: ContentView): FoundItem[] {
  return view.people.refused().map((refused) => {
    const { code, agentId, kid, day, lastAt } = refused;
    const id = `REFUSED:${code}:${day}:${agentId}:${kid}`;
    return { id, kind: 'refused', code, n: 0, others: [], refused, changedAt: lastAt };
  });
}

const itemsOfRecords = keptOfView((view: ContentView) => {
  // In a bad bundle two records may have one number.
  return [...new Map([...judgedItems(view), ...failedItems(view)].map((item) => [item.id, item])).values()];
});

/**
 * All that needs a look.
 * @param now in milliseconds since 1970, of the live ledger: up to then an agent would have been heard of
 */
export function lookItems(view: ContentView, now: number): readonly FoundItem[] {
  const hour = view.isLive ? Math.floor(now / HOUR_MS) : 0;
  return [...itemsOfRecords(view), ...silentItems(view, hour), ...refusedItems(view)];
}
