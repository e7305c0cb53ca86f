import type { Field, Query } from '../../../src/actions/index.ts';
import type { GroupsBody } from '../../../src/api/index.ts';
import { listActions } from '../../../src/service/search/actions/list-actions.ts';
import type { ContentView } from '../../../src/service/search/content-index/content-view.ts';
import { facetsOf } from '../../../src/service/search/content-index/queries/facets.ts';
import { countsOf } from '../../../src/service/search/content-index/queries/histogram.ts';
import { listRecords } from '../../../src/service/search/content-index/queries/list-records.ts';
import { groupsOf } from '../../../src/service/search/grouping/groups.ts';
import { needsLook } from '../../../src/service/search/needs-look/needs-look.ts';
import { compareSessions } from '../../../src/service/search/sessions/compare-sessions.ts';
import { sessionStory } from '../../../src/service/search/sessions/session-story.ts';
import { vocabularyWord } from './records.ts';

/** Questions under their names, each to be asked once in its turn: the first of a name reads its columns. */
type Questions = Record<string, readonly (() => void)[]>;

const ALL: Query = { kind: 'all' };
const NEWEST = { order: 'newest', place: null, limit: 50 } as const;

function wordAt(rank: number): Query {
  return { kind: 'words', field: null, words: [vocabularyWord(rank)], lastIsPrefix: false };
}

function partAt(field: Field | null, rank: number): Query {
  return { kind: 'part', field, text: vocabularyWord(rank + 500).slice(1, -1) };
}

/** Each as the service asks it: it sees what was indexed since, and has its time for reading records. */
function asker(view: ContentView) {
  return (count: number, ask: (n: number) => unknown): (() => void)[] =>
    Array.from({ length: count }, (_, n) => () => {
      view.refresh();
      ask(n);
    });
}

/** What is asked about records in payloads without a profile. */
export function questionsAboutRecords(view: ContentView): Questions {
  const times = asker(view);
  const result: Field = { of: 'payload', path: ['result'], fromRoot: true };
  const fields = ['agent', 'tool', 'outcome', '/arguments/user_id'];
  return {
    columns: times(1, () => facetsOf(view, ALL, { fields: ['agent', 'tool', 'outcome', 'mark'], values: 10 })),
    facets: times(9, (n) => facetsOf(view, wordAt(n), { fields, values: 10 })),
    page: times(9, (n) => listRecords(view, wordAt(n), NEWEST)),
    chart: times(9, (n) =>
      countsOf(view, { query: wordAt(n + 20), unit: 'records' }, { start: 0, width: 1e9, count: 60, earliest: 0 }),
    ),
    part: times(9, (n) => view.find(partAt(null, n))),
    partInMember: times(9, (n) => view.find(partAt(result, n))),
    session: sessions(view),
  };
}

/** Sessions of a thousand steps; their records are made meanwhile. */
function sessions(view: ContentView): Questions[string] {
  return asker(view)(9, (n) => sessionStory(view, { session: `session-${n + 1}`, below: true, limit: 1000 }, null));
}

function groupedBy(n: number, ops: readonly ('sum' | 'median')[]): GroupsBody {
  const by = ['tool', 'day', 'agent'][n % 3] ?? 'tool';
  const measures = ops.map((op) => ({ op, of: 'input.value.amount' }));
  return { by: [by], measures, unit: 'actions', order: 'value', limit: 100 };
}

/** What is asked about calls, each of which has two records. */
export function questionsAboutCalls(view: ContentView): Questions {
  const times = asker(view);
  return {
    // What the service asks itself when somebody opens the page (LedgerReads.prepare).
    prepared: times(1, () => listActions(view, ALL, { ...NEWEST, limit: 1, contents: false })),
    actions: times(9, (n) => listActions(view, n === 0 ? ALL : wordAt(n), { ...NEWEST, contents: false })),
    failed: times(9, (n) => {
      const failed: Query = { kind: 'words', field: null, words: ['Error', vocabularyWord(n)], lastIsPrefix: false };
      listActions(view, failed, { ...NEWEST, contents: false });
    }),
    facets: times(9, (n) =>
      facetsOf(view, wordAt(n), { fields: ['agent', 'tool', 'outcome'], values: 10, unit: 'actions' }),
    ),
    needsLook: times(9, () => needsLook(view, { limit: 8 }, null, { now: Date.UTC(2026, 0, 20) })),
    groups: times(9, (n) => groupsOf(view, groupedBy(n, ['sum']), { now: 0 })),
    medians: times(9, (n) => groupsOf(view, groupedBy(n, ['sum', 'median']), { now: 0 })),
    compared: times(9, (n) => {
      const [left, right] = [`session-${n + 1}`, `session-${n + 2}`];
      compareSessions(view, { left, right, differing: false, limit: 50 }, null);
    }),
    session: sessions(view),
  };
}
