import { type Outcome, witnessesOf } from '../../../actions/index.ts';
import type { ActionRow } from '../../../api/index.ts';
import { formatTime } from '../../../protocol/index.ts';
import type { ContentView } from '../content-index/content-view.ts';
import { actionsOf, outcomeOfAction } from '../content-index/indexed-actions.ts';
import { isWithheld, ledgerOf, type ReadRecord } from '../content-index/record-content.ts';
import { actionContent } from './action-content.ts';

const MAX_HOSTS = 32;
const MAX_ENTITIES = 64;
const MAX_TAGS = 64;

function received({ record }: ReadRecord): string {
  return formatTime(record.receivedMs);
}

function firstOf<T>(records: readonly ReadRecord[], of: (facts: ReadRecord['facts']) => T | null): T | null {
  for (const { facts } of records) {
    const found = of(facts);
    if (found !== null) return found;
  }
  return null;
}

/** Each once. */
function distinct<T>(values: readonly T[], keyOf: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [keyOf(value), value])).values()];
}

/** An action as a row of a list. @param ns its records in order */
export function actionRow(
  view: ContentView,
  ns: ArrayLike<number>,
  outcome: Outcome | null,
  contents = false,
): ActionRow {
  const {
    records,
    own,
    acting: ofAgent,
    times,
    at,
    ended_at,
    causes: _,
    input,
    output,
    told,
    ...content
  } = actionContent(view, ns, outcome);
  const [first] = records as [ReadRecord, ...ReadRecord[]];
  const acting = own[0] ?? first;
  const last = records.at(-1) ?? first;
  const given = records.map(({ record }) => view.given(record));
  return {
    seq_no: first.record.seqNo,
    operation_id: first.record.operationId,
    last_seq_no: last.record.seqNo,
    last_operation_id: last.record.operationId,
    call: first.facts.call,
    records: records.map(({ record, facts }) => ({
      operation_id: record.operationId,
      seq_no: record.seqNo,
      agent_id: record.agentId,
      phase: facts.phase,
      issued_at: record.issuedAt,
      server_received_at: formatTime(record.receivedMs),
    })),
    record_count: ns.length,
    agent_id: acting.record.agentId,
    operation_type: acting.record.operationType,
    subject: acting.record.subject,
    action: acting.record.action,
    ...content,
    entities: content.entities.slice(0, MAX_ENTITIES),
    exit_code: own.map(({ facts }) => facts.exitCode).findLast((code) => code !== null) ?? null,
    started_at: at,
    started_received_at: received(view.record(times.began)),
    ended_at,
    ended_received_at: times.ended === null ? null : received(view.record(times.ended)),
    session: firstOf(own, ({ session }) => session) ?? firstOf(ofAgent, ({ session }) => session),
    person: firstOf(own, ({ person }) => person),
    hosts: distinct(
      own.flatMap(({ facts }) => facts.host),
      (host) => host,
    ).slice(0, MAX_HOSTS),
    ...ledgerOf(acting.record),
    witnesses: distinct(
      records.flatMap(({ read }) => witnessesOf(read)),
      ({ source, name }) => `${source} ${name}`,
    ),
    tags: [...new Set(given.flatMap(({ tags }) => tags))].slice(0, MAX_TAGS),
    bookmarked: given.some(({ bookmarked }) => bookmarked),
    withheld: records.every(isWithheld),
    ...(contents && { contents: { input, output, told } }),
  };
}

/** An action by its first record. */
export function rowOfAction(view: ContentView, lead: number, contents = false): ActionRow {
  return actionRow(view, actionsOf(view).records(lead), outcomeOfAction(view, lead), contents);
}
