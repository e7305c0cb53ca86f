import { join } from 'node:path';
import Database from 'better-sqlite3';
import {
  type CallState,
  type Mark,
  marksOfFacts,
  matchesQuery,
  NEW_CALL,
  outcomeOfCall,
  prepareRules,
  type QueriedRecord,
  type Query,
  withRecord,
} from '../../src/actions/index.ts';
import { Judge, type JudgedFinding } from '../../src/actions/judging/index.ts';
import { shownOf } from '../../src/actions/profile/index.ts';
import { sha256 } from '../../src/protocol/index.ts';
import { Catalog, contentPaths } from '../../src/service/search/content-index/catalog.ts';
import { ContentView } from '../../src/service/search/content-index/content-view.ts';
import { ledgerMarks } from '../../src/service/search/content-index/ledger-marks.ts';
import { LedgerSource } from '../../src/service/search/content-index/ledger-source.ts';
import { headOf, queriedRecord, readRecord } from '../../src/service/search/content-index/record-content.ts';
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
      record: { seq_no: record.seqNo, operation_id: operationId, ...own, ...shown },
    });
  });
  return [...found, ...judge.standing({ toHead, named: (agentId) => source.agent(agentId) })];
}

/** All records as the language asks about them, worked out from the first to the last without any index. */
export function referenceRecords(source: RecordSource): Map<number, QueriedRecord> {
  const rules = prepareRules(source.rules());
  const read = source.after(0, 1_000_000).map((record) => readRecord(record, rules));
  const calls = new Map<string, { state: CallState; last: number }>();
  const found = Map.groupBy(referenceFindings(source), ({ where }) => where.seq_no);
  for (const { record, facts } of read) {
    if (facts.call === null) continue;
    const state = withRecord(calls.get(facts.call)?.state ?? NEW_CALL, facts);
    calls.set(facts.call, { state, last: record.n });
  }
  return new Map(
    read.map((one) => {
      const { n, seqNo } = one.record;
      const { facts } = one;
      const call = facts.call === null ? undefined : calls.get(facts.call);
      const isUnfinished = call !== undefined && call.last === n && outcomeOfCall(call.state) === 'unfinished';
      const own = marksOfFacts({ outcome: facts.outcome, isDisguised: facts.disguisedIn !== null });
      const marks = new Set<Mark>([...own, ...(found.get(seqNo) ?? []).map(({ code }) => code)]);
      const outcome = facts.outcome ?? (isUnfinished ? 'unfinished' : null);
      return [n, queriedRecord(one, { marks: [...marks], outcome, tags: [], bookmarked: false })];
    }),
  );
}

/** The numbers of the records that a query means. */
export function meant(query: Query, records: ReadonlyMap<number, QueriedRecord>): number[] {
  return [...records].filter(([, record]) => matchesQuery(query, record)).map(([n]) => n);
}

export function numbersOf(view: ContentView, query: Query): number[] {
  const ns: number[] = [];
  for (;;) {
    view.begin();
    const { records, complete } = view.find(query);
    if (!complete) continue;
    records.each((n) => ns.push(n));
    return ns;
  }
}

/** The numbers of the records that a query means, page by page. */
export function pagesOf(view: ContentView, query: Query, order: Direction, limit = 7): number[] {
  const ns: number[] = [];
  for (;;) {
    view.begin();
    const page = view.page(query, { order, place: ns.at(-1) ?? null, limit });
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
  if (random.below(3) > 0) return members(random, 0);
  const call = { action_id: `00000000-0000-4000-8000-${String(random.below(30)).padStart(12, '0')}` };
  const profile = 'countersign.agent-action/1';
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
