import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  type CallState,
  type FactPhase,
  type Mark,
  marksOfFacts,
  matchesQuery,
  NEW_CALL,
  type Outcome,
  outcomeOfCall,
  prepareRules,
  type QueriedRecord,
  type Query,
  selectActions,
  timesOfCall,
  withRecord,
} from '../../src/actions/index.ts';
import { Judge, type JudgedFinding } from '../../src/actions/judging/index.ts';
import { shownOf } from '../../src/actions/profile/index.ts';
import type { Unit } from '../../src/api/index.ts';
import { sha256 } from '../../src/protocol/index.ts';
import { Catalog, contentPaths } from '../../src/service/search/content-index/catalog.ts';
import { ContentView } from '../../src/service/search/content-index/content-view.ts';
import { ledgerMarks } from '../../src/service/search/content-index/ledger-marks.ts';
import { LedgerSource } from '../../src/service/search/content-index/ledger-source.ts';
import {
  headOf,
  queriedRecord,
  type ReadRecord,
  readRecord,
} from '../../src/service/search/content-index/record-content.ts';
import type { Direction, RecordSource } from '../../src/service/search/content-index/record-source.ts';
import { ShelfReader } from '../../src/service/search/content-index/shelf-reader.ts';
import { ShelfWriter } from '../../src/service/search/content-index/shelf-writer.ts';
import { atEnd } from './cleanup.ts';
import type { SeededRandom } from './random.ts';

/** The content index of a ledger in a folder, without threads. */
export class IndexedFolder {
  readonly folder: string;
  readonly ledger: Database.Database;
  catalog: Catalog;
  readonly #views: ContentView[] = [];

  constructor(folder: string) {
    this.folder = folder;
    this.ledger = new Database(join(folder, 'ledger.sqlite'));
    this.catalog = Catalog.open(folder);
    atEnd(() => {
      for (const view of this.#views) view.close();
      this.catalog.close();
      this.ledger.close();
    });
  }

  source(orgId: string): LedgerSource {
    return new LedgerSource(this.ledger, orgId);
  }

  /** Takes in everything. */
  catchUp(orgId: string): void {
    const writer = new ShelfWriter(this.catalog, this.folder, this.source(orgId));
    while (writer.step().more);
  }

  view(orgId: string): ContentView {
    const catalog = new Database(contentPaths(this.folder).catalog, { readonly: true });
    const view = new ContentView(
      new ShelfReader(catalog, this.folder, orgId),
      this.source(orgId),
      ledgerMarks(this.ledger, orgId),
    );
    this.#views.push(view);
    view.refresh();
    return view;
  }

  /** Opens the catalog as a start does. */
  reopen(): void {
    this.catalog.close();
    this.catalog = Catalog.open(this.folder);
  }
}

/** What is found about all records, from the first to the last, without any index. */
export function referenceFindings(source: RecordSource): JudgedFinding[] {
  const rules = prepareRules(source.rules());
  const { allAgents, toHead } = source.extent();
  const judge = new Judge({ allAgents, rules });
  const found = source.after(0, 1_000_000).flatMap((record) => {
    const { facts } = readRecord(record, rules);
    const { agentId, kid, issuedMs, isFirstOfAgent, operationId } = record;
    const own = { agent_id: agentId, kid, issued_at: issuedMs, first_of_agent: isFirstOfAgent };
    const shown = shownOf(record.payload, record.disclosures, sha256);
    return judge.take({
      head: headOf(record),
      issuedAt: issuedMs,
      facts,
      ledger: null,
      record: { seq_no: record.seqNo, operation_id: operationId, ...own, ...shown },
    });
  });
  return [...found, ...judge.standing({ toHead, named: (agentId) => source.agent(agentId) })];
}

/** What an end of a call has from the first record of its call that says it. */
const FROM_CALL = ['tool', 'session', 'person', 'host'] as const;

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null;
}

/** What a record has in common with the others of its call: of no profile, its agent, and its session or else its subject, as well. */
function callOf({ record, facts: { phase, call, session } }: ReadRecord): string | null {
  if (call === null || phase !== 'record') return call;
  return [record.agentId, session === null ? `subject ${record.subject}` : `session ${session}`, call].join('\n');
}

const DECIDES_ONLY = ['decided', 'told', 'tools', 'note', 'gap', 'session_started', 'session_ended'];

/** The agent that acts in each call: the first with a record of it that is no decision. */
function actingAgents(read: readonly ReadRecord[]): Map<string | null, string> {
  const acting = new Map<string | null, string>();
  for (const one of read) {
    const call = callOf(one);
    if (!acting.has(call) && !DECIDES_ONLY.includes(one.facts.phase)) acting.set(call, one.record.agentId);
  }
  return acting;
}

/** Records with what ends have from their calls. */
function withCalls(read: readonly ReadRecord[]): ReadRecord[] {
  const acting = actingAgents(read);
  const isActing = (one: ReadRecord): boolean => acting.get(callOf(one)) === one.record.agentId;
  const said = new Map<string, unknown>();
  for (const one of read.filter(isActing)) {
    for (const name of FROM_CALL) {
      const key = `${name} ${callOf(one)}`;
      if (isSaid(one.facts[name]) && !said.has(key)) said.set(key, one.facts[name]);
    }
  }
  return read.map((one) => {
    const { facts } = one;
    const call = callOf(one);
    if (call === null || !isActing(one)) return one;
    if (!['completed', 'failed', 'refused', 'record'].includes(facts.phase)) return one;
    const missing = FROM_CALL.filter((name) => !isSaid(facts[name]) && said.has(`${name} ${call}`));
    const joined = Object.fromEntries(missing.map((name) => [name, said.get(`${name} ${call}`)]));
    return { ...one, facts: { ...facts, ...joined } };
  });
}

interface Reference {
  readonly n: number;
  readonly call: string | null;
  /** Whether it is of the agent that acts in its call. */
  readonly isActing: boolean;
  readonly record: QueriedRecord;
  /** What became of the call, or null of what is of none. */
  readonly outcome: Outcome | null;
}

function reference(source: RecordSource): Reference[] {
  const rules = prepareRules(source.rules());
  const read = withCalls(source.after(0, 1_000_000).map((record) => readRecord(record, rules)));
  const acting = actingAgents(read);
  const calls = new Map<string, { state: CallState; last: number }>();
  const found = Map.groupBy(referenceFindings(source), ({ where }) => where.seq_no);
  for (const one of read) {
    const call = callOf(one);
    if (call === null) continue;
    const isActing = acting.get(call) === one.record.agentId;
    const { state = NEW_CALL, last = 0 } = calls.get(call) ?? {};
    const counts = isActing || one.facts.phase === 'decided';
    calls.set(call, { state: withRecord(state, one.facts, isActing), last: counts ? one.record.n : last });
  }
  return read.map((one) => {
    const { n, seqNo, agentId } = one.record;
    const { facts } = one;
    const call = callOf(one);
    const known = call === null ? undefined : calls.get(call);
    const ofCall = known === undefined ? facts.outcome : outcomeOfCall(known.state);
    const isUnfinished = known?.last === n && ofCall === 'unfinished';
    const own = marksOfFacts({ outcome: facts.outcome, isDisguised: facts.disguisedIn !== null, isUnsigned: false });
    const marks = new Set<Mark>([...own, ...(found.get(seqNo) ?? []).map(({ code }) => code)]);
    const outcome = facts.outcome ?? (isUnfinished ? 'unfinished' : null);
    const record = queriedRecord(one, { marks: [...marks], outcome, tags: [], bookmarked: false });
    return { n, call, isActing: call === null || acting.get(call) === agentId, record, outcome: ofCall };
  });
}

/** All records as the language asks about them, worked out from the first to the last without any index. */
export function referenceRecords(source: RecordSource): Map<number, QueriedRecord> {
  return new Map(reference(source).map(({ n, record }) => [n, record]));
}

/** All actions, each by its first record, with all records of its call: outcome and duration are those of the call. */
export function referenceActions(source: RecordSource): Map<number, QueriedRecord[]> {
  const actions = Map.groupBy(reference(source), ({ n, call }) => call ?? n);
  return new Map(
    Array.from(actions.values(), (records) => {
      const duration = tookOf(records);
      return [records[0]?.n ?? 0, records.map(({ record, outcome }) => ({ ...record, outcome, duration }))];
    }),
  );
}

function tookOf(records: readonly Reference[]): number | null {
  if (records[0]?.call === null) return records[0].record.duration;
  const timesSaid = {
    phase: (at: number) => (records[at]?.isActing ? (records[at].record.phase as FactPhase) : null),
    issued: (at: number) => records[at]?.record.issued ?? Number.NaN,
    duration: (at: number) => records[at]?.record.duration ?? Number.NaN,
  };
  return timesOfCall([...records.keys()], timesSaid).took;
}

/** The first records of the actions that a query means. */
export function meantActions(query: Query, actions: ReadonlyMap<number, readonly QueriedRecord[]>): number[] {
  const found = new Set(selectActions(query, [...actions.values()]));
  return [...actions].filter(([, records]) => found.has(records)).map(([n]) => n);
}

/** The numbers of the records that a query means. */
export function meant(query: Query, records: ReadonlyMap<number, QueriedRecord>): number[] {
  return [...records].filter(([, record]) => matchesQuery(query, record)).map(([n]) => n);
}

export function numbersOf(view: ContentView, query: Query, unit: Unit = 'records'): number[] {
  const ns: number[] = [];
  for (;;) {
    view.begin();
    const { records, complete } = view.find(query, 'newest', unit);
    if (!complete) continue;
    records.each((n) => ns.push(n));
    return ns;
  }
}

/** The numbers of the records that a query means, page by page. */
export function pagesOf(
  view: ContentView,
  query: Query,
  order: Direction,
  unit: Unit = 'records',
  limit = 7,
): number[] {
  const ns: number[] = [];
  for (;;) {
    view.begin();
    const asked = { order, place: ns.at(-1) ?? null, limit };
    const page = unit === 'actions' ? view.actionsPage(query, asked) : view.page(query, asked);
    if (!page.complete) continue;
    ns.push(...page.ns.slice(0, limit));
    if (page.ns.length <= limit) return ns;
  }
}

const WORDS = [
  'refund',
  'credit',
  'card',
  'user',
  'Straße',
  'naïve',
  '東京都',
  'ไทย',
  'x9',
  'a',
  'Σίσυφος',
  'ﬁle',
  '007',
  '12.5',
  'cre\u00addit',
  '%E6%9D%B1%e4%ba%ac',
  'Stra&szlig;e',
  'us\u0435r',
  '\u001b[1mcard\u001b[0m',
];
const MEMBERS = [
  'user_id',
  'amount',
  'note',
  'credit card',
  'arguments',
  'result',
  'when',
  'ok',
  'a.b',
  'x/y',
  '',
  'url',
  'path',
];

function pick<T>(random: SeededRandom, from: readonly T[]): T {
  return from[random.below(from.length)] as T;
}

function text(random: SeededRandom): string {
  const words = Array.from({ length: 1 + random.below(5) }, () => pick(random, WORDS));
  const between = pick(random, [' ', '_', '-', '@', ': ', '']);
  return random.below(30) === 0 ? 'ab12'.repeat(60 + random.below(20)) : words.join(between);
}

function value(random: SeededRandom, depth: number): unknown {
  switch (random.below(depth > 2 ? 9 : 12)) {
    case 0:
      return random.below(20) - 5;
    case 1:
      return random.below(1000) / 8;
    case 2:
      return pick(random, [true, false, null, '', 'true', '7', '2026-11-21', '2026-11-21T10:00:00Z']);
    case 3:
      return `https://${pick(random, ['a.example', 'b.example'])}/x`;
    case 9:
      return Array.from({ length: random.below(3) }, () => value(random, depth + 1));
    case 10:
      return members(random, depth + 1);
    case 11:
      return JSON.stringify(members(random, depth + 1));
    default:
      return text(random);
  }
}

function members(random: SeededRandom, depth: number): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: 1 + random.below(4) }, () => [pick(random, MEMBERS), value(random, depth)]),
  );
}

/** A payload with something of everything. */
export function randomPayload(random: SeededRandom): Record<string, unknown> {
  // Of no profile, and now and then under the id of a call.
  if (random.below(4) === 0) {
    const of = { tool_call_id: `call_${random.below(6)}`, ...(random.below(2) === 0 && { session_id: 's' }) };
    return random.below(2) === 0 ? { ...of, tool: 'pay', args: members(random, 1) } : { ...of, output: text(random) };
  }
  if (random.below(3) > 0) return members(random, 0);
  const call = { action_id: `00000000-0000-4000-8000-${String(random.below(30)).padStart(12, '0')}` };
  const profile = 'countersign.agent-action/1';
  // What ends a call need not say again what was called, and in which session.
  if (random.below(4) === 0) {
    const output = { value: members(random, 1), salt: 'A'.repeat(22) };
    return { profile, phase: pick(random, ['completed', 'failed', 'refused']), ...call, output };
  }
  const session = { id: `session ${random.below(4)}` };
  const tool = { name: pick(random, ['pay', 'get_user', 'delete_file']) };
  const phase = pick(random, ['started', 'completed', 'failed', 'asked', 'told']);
  return { profile, phase, session, ...call, tool, input: { value: members(random, 1), salt: 'A'.repeat(22) } };
}

const FIELDS = [
  'agent',
  'type',
  'subject',
  'session',
  'tool',
  'phase',
  'host',
  'entity',
  'call',
  'error',
  'person',
  'mark',
  'outcome',
  'seq',
  'duration',
  'operation',
];
const TERMS = [
  'refund',
  'credit card',
  'Straße',
  'strasse',
  '東京',
  '京都',
  'ไทย',
  'file',
  '007',
  '12',
  'cred*',
  'x9',
  'a',
  'σίσυφος',
  'ab12',
  'pay',
  'started',
  'user',
  'session',
  'example',
  'ok',
  'failed',
  '1',
  '7',
  'true',
];

function term(random: SeededRandom): string {
  const word = pick(random, TERMS);
  const field = pick(random, [
    ...FIELDS,
    ...MEMBERS.map((name) => JSON.stringify(name)),
    '/arguments',
    '/note',
    'result.note',
    '/result/user_id',
  ]);
  const quoted = JSON.stringify(word);
  switch (random.below(11)) {
    case 0:
      return quoted;
    case 1:
      return word.includes(' ') ? quoted : word;
    case 2:
      return `*${word.replaceAll(/[ *]/g, '')}*`;
    case 3:
      return `${field}:${quoted}`;
    case 4:
      return `${field}:*`;
    case 5:
      return `${field} = ${quoted}`;
    case 6:
      return `${field} ${pick(random, ['<', '<=', '>', '>='])} ${pick(random, ['5', '7', '0', '12.5', '2026-11-21', '2026-11-22'])}`;
    case 7:
      return `${field} = ${pick(random, ['7', 'true', 'null', '12.5', '007'])}`;
    case 8:
      return `/${pick(random, ['ref.nd', '^a', '[0-9]+x', '(?:京|都)', 'card$'])}/i`;
    case 9:
      return `${field}:*${word.replaceAll(/[ *]/g, '').slice(1, 3) || 'e'}*`;
    default:
      return `${pick(random, WORDS).slice(0, 2)}*`;
  }
}

/** A query as somebody may type it; not every one of them is accepted. */
export function randomQuery(random: SeededRandom): string {
  const terms = Array.from({ length: 1 + random.below(3) }, () =>
    random.below(5) === 0 ? `not ${term(random)}` : term(random),
  );
  return terms.join(pick(random, [' ', ' or ', ' and ']));
}
