import { ALARMS, explainMark, LOOK_KINDS, MARKS, type Mark } from '../../../actions/index.ts';
import type { Silence } from '../../../actions/judging/index.ts';
import type { LookItem, NeedsLookAnswer, NeedsLookBody } from '../../../api/index.ts';
import { formatTime, parseTime } from '../../../protocol/index.ts';
import { listPage } from '../../http/cursor.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import { rowOfAction } from '../actions/action-row.ts';
import type { Looked } from '../annotations/looks.ts';
import type { ContentView } from '../content-index/content-view.ts';
import type { Looks, RefusedSubmissions } from '../content-index/given-marks.ts';
import { actionsOf } from '../content-index/indexed-actions.ts';
import { coverageOf } from '../content-index/queries/list-records.ts';
import { type FoundItem, lookItems } from './look-items.ts';

/** Where a page ended: whether its last item was looked at, how bad that is, and the seq_no of its record, newest first; then its id. */
export type LookPlace = readonly [seen: number, kind: number, newest: number, id: string];

type Seen = LookItem['seen'];

const WORST: readonly string[] = [...ALARMS];

/** How bad it is, the least the worst: by its kind, and within a kind what contradicts a decision before what lacks one. */
function gradeOf({ kind, code }: FoundItem): number {
  return LOOK_KINDS.indexOf(kind) + Math.max(0, WORST.indexOf(code)) / WORST.length;
}

function seenOf({ id, changedAt }: FoundItem, looks: Looks): Seen {
  const look = looks.get(id);
  return look === undefined || look.at < changedAt ? null : { at: formatTime(look.at), by: look.by };
}

function comparePlaces(a: LookPlace, b: LookPlace): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2] || (a[3] < b[3] ? -1 : Number(a[3] > b[3]));
}

function aboutOf(view: ContentView, n: number): string {
  return rowOfAction(view, actionsOf(view).leadOf(n)).title;
}

const hours = (count: number): string => `${count.toLocaleString('en-US')} ${count === 1 ? 'hour' : 'hours'}`;

function silentSentence(agent: string, { after, until, expected, usual }: Silence): string {
  const length = until === null ? 'since this record' : `for ${hours(until - after - 1)}`;
  const most = usual < 1 ? 'less than one hour' : `at most ${hours(Math.ceil(usual))}`;
  return `${agent}: no records ${length}. By its usual rhythm, it would have been active in about ${hours(Math.round(expected))} of this time; 95 % of its pauses cover ${most} of usual activity.`;
}

function refusedSentence({ agentId, code, times, kid }: RefusedSubmissions): string {
  const who = agentId === '' ? 'an agent that is not named' : agentId;
  const many = times === 1 ? 'A submission' : `${times.toLocaleString('en-US')} submissions`;
  return `${many} in the name of ${who}${kid === '' ? '' : ` with the key ${kid}`} ${times === 1 ? 'was' : 'were'} refused: ${code}.`;
}

/** Why the judge found it, each reason once. */
function judgedSentence(view: ContentView, { code, n }: FoundItem): string {
  const { record, facts } = view.record(n);
  const mark = MARKS.find((known) => known === code) as Mark;
  const reasons = view.reader
    .findingsOf(record.seqNo)
    .filter((found) => found.code === code)
    .map(({ message, figures }) => {
      return message ?? explainMark(mark, JSON.parse(figures) as number[], facts, record.agentId) ?? code;
    });
  const sentence = [...new Set(reasons)].slice(0, 4).join(' ');
  return code === 'FIRST_TOOL' || code === 'FIRST_HOST' ? sentence : `${record.agentId}: ${sentence}`;
}

function sentenceOf(view: ContentView, item: FoundItem): string {
  const { silence, refused, code, n } = item;
  if (refused !== undefined) return refusedSentence(refused);
  const { record, facts } = view.record(n);
  if (silence !== undefined) return silentSentence(record.agentId, silence);
  if (code !== 'NOT_RETRIED') return judgedSentence(view, item);
  const why = facts.error === null ? '' : `: ${facts.error.replace(/[.]$/, '')}`;
  const again =
    facts.tool === null
      ? 'Which tool it called is not recorded.'
      : `No later record calls the tool again ${facts.session === null ? 'outside a session' : 'in its session'}.`;
  return `${record.agentId}: the call failed${why}. ${again}`;
}

function itemView(view: ContentView, item: FoundItem, seen: Seen): LookItem {
  const { id: item_id, kind, code, n, others, refused, silence } = item;
  const sentence = sentenceOf(view, item);
  if (refused !== undefined) {
    const { agentId, lastAt } = refused;
    return {
      item_id,
      kind,
      code,
      agent_id: agentId,
      at: formatTime(lastAt),
      sentence,
      about: null,
      evidence: [],
      seen,
    };
  }
  const ns = [n, ...others.flatMap((seqNo) => view.withSeqNo(seqNo) ?? [])];
  const { record } = view.record(n);
  return {
    item_id,
    kind,
    code,
    agent_id: record.agentId,
    at: formatTime(record.issuedMs),
    sentence,
    about: silence === undefined ? aboutOf(view, n) : null,
    evidence: [...new Set(ns)].map((each) => {
      const { operationId: operation_id, seqNo: seq_no } = view.record(each).record;
      return { operation_id, seq_no };
    }),
    seen,
  };
}

/** What needs a look: what nobody looked at first, of that the worst, of that the newest. */
export function needsLook(
  view: ContentView,
  { kinds, startTime, endTime, seen: wanted, limit }: Omit<NeedsLookBody, 'cursor'>,
  place: LookPlace | null,
  { now }: { readonly now: number },
): NeedsLookAnswer {
  const looks = view.people.looks();
  const counts = new Map(LOOK_KINDS.map((kind) => [kind, { kind, count: 0, unseen: 0 }]));
  const from = startTime === undefined ? Number.NEGATIVE_INFINITY : parseTime(startTime);
  const end = endTime === undefined ? Number.POSITIVE_INFINITY : parseTime(endTime);
  const isBounded = startTime !== undefined || endTime !== undefined;
  const issued = view.columns.number('issued');
  const listed: { readonly item: FoundItem; readonly seen: Seen; readonly place: LookPlace }[] = [];
  for (const item of lookItems(view, now)) {
    const at = item.refused?.lastAt ?? issued[item.n] ?? Number.NaN;
    if (isBounded && !(at >= from && at < end)) continue;
    const seen = seenOf(item, looks);
    const counted = counts.get(item.kind);
    if (counted !== undefined) {
      counted.count++;
      if (seen === null) counted.unseen++;
    }
    if (kinds?.includes(item.kind) === false || (wanted !== undefined && wanted !== (seen !== null))) continue;
    const placeOf: LookPlace = [
      seen === null ? 0 : 1,
      gradeOf(item),
      -(item.n === 0 ? item.changedAt : view.seqNo(item.n)),
      item.id,
    ];
    if (place === null || comparePlaces(placeOf, place) > 0) listed.push({ item, seen, place: placeOf });
  }
  listed.sort((a, b) => comparePlaces(a.place, b.place));
  const found = [...counts.values()].filter(({ count }) => count > 0);
  return {
    total: found.reduce((sum, { count }) => sum + count, 0),
    unseen: found.reduce((sum, { unseen }) => sum + unseen, 0),
    kinds: found,
    ...listPage(
      listed,
      limit,
      (last) => last.place,
      ({ item, seen }) => itemView(view, item, seen),
    ),
    coverage: coverageOf(view, { complete: view.reader.isJudged }),
  };
}

/**
 * What is written down of items that somebody looked at.
 * @throws ServiceError NOT_FOUND where one of them is not there
 */
export function itemsLookedAt(
  view: ContentView,
  ids: readonly string[],
  { now }: { readonly now: number },
): readonly Looked[] {
  const known = new Map(lookItems(view, now).map((item) => [item.id, item]));
  return [...new Set(ids)].map((id) => {
    const item = known.get(id);
    if (item === undefined) throw new ServiceError('NOT_FOUND', `item_ids: nothing that needs a look is ${id}`);
    const operation_id = item.n === 0 ? '' : view.record(item.n).record.operationId;
    return { item_id: id, kind: item.kind, operation_id };
  });
}
