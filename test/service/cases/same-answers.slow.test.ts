// A question has one answer, whether the records are in the live ledger or in the file of a case: docs/interface.md (Cases). Over
// real actions (test/fixtures/README.md), and over payloads of all forms. What differs is on the closed list DIFFERENCES.
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fieldsHaving, RECORD_FIELDS } from '../../../src/actions/index.ts';
import { type LedgerQuestion, nameInCase } from '../../../src/api/index.ts';
import type { JsonObject } from '../../../src/protocol/index.ts';
import { submitAirlineActions } from '../../support/airline-actions.ts';
import { importCase } from '../../support/cases.ts';
import type { Arguments } from '../../support/client.ts';
import { randomPayload, randomQuery } from '../../support/content-index.ts';
import { ONE_OF, seedOf, share } from '../../support/extent.ts';
import { SeededRandom } from '../../support/random.ts';
import { type Account, bundleOf, registerAgent, TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const SEED = seedOf(20_261_127);
/** Queries over each of the two ledgers. */
const QUERIES = share(120);

interface Both {
  readonly account: Account;
  readonly caseId: string;
  readonly queries: readonly string[];
}

type Members = Readonly<Record<string, unknown>>;

/** What one of the two says besides, or otherwise, and why; taken off both before they are compared. */
const DIFFERENCES: { readonly [N in LedgerQuestion]?: (answer: Members) => Members } = {
  // A case says how many records could not be read; whether a name resembles the home organization's, the case itself says.
  ledgerSummary: ({ unreadable: _, resembles_home: __, ...same }) => same,
  // Each record of a case says how many findings name it, and always what people gave it. Places are of one ledger. How far the index
  // of contents has come is said where it was asked, which a case does less often.
  auditQuery: ({ data, nextCursor: _, coverage: __, ...page }) => ({
    ...page,
    data: (data as Members[]).map(({ findings: ___, ...row }) =>
      row['details'] === undefined ? without(row, 'tags', 'bookmarked') : row,
    ),
  }),
  listEpochs: (page) => without(page, 'nextCursor'),
  // Each was written, and named, for itself.
  investigationRules: (rules) => without(rules, 'changed_at'),
  setInvestigationRules: (rules) => without(rules, 'changed_at'),
  savedSearches: ({ searches }) => ({ searches: (searches as Members[]).map(ownSearch) }),
  saveSearch: ownSearch,
  liveAnnotations: ({ data, ...page }) => ({ ...page, data: (data as Members[]).map(ownNote) }),
  liveAnnotation: ownNote,
  annotateLive: ownNote,
  needsLook: ({ data, ...page }) => ({ ...page, data: (data as Members[]).map(ownLook) }),
};

function ownSearch(search: Members): Members {
  return without(search, 'search_id', 'created_at');
}

function ownLook({ seen, ...item }: Members): Members {
  return { ...item, seen: seen === null ? null : without(seen as Members, 'at') };
}

function ownNote(annotation: Members): Members {
  return without(annotation, 'updated_at');
}

/** What is not asked here, and why. */
const NOT_ASKED = {
  jwks: 'mirrors.slow.test.ts asks it',
  listAdminEvents: 'the live log goes on: mirrors.slow.test.ts',
  draftReport: 'of the live ledger it has other trust: chosen-reports.slow.test.ts',
  reportOfRecords: 'chosen-reports.slow.test.ts',
  recordFile: 'record-files.slow.test.ts',
  deleteSearch: 'each search has its own id: case-investigation.slow.test.ts',
} as const satisfies Partial<Record<LedgerQuestion, string>>;

/** Every other: one that is new in the contract lacks a line here, or a reason there. */
type Asked = Exclude<LedgerQuestion, keyof typeof NOT_ASKED>;

/** What people write, and read of it: in this order. */
type Written =
  | 'annotateLive'
  | 'annotateManyLive'
  | 'markLooked'
  | 'removeLiveAnnotation'
  | 'liveAnnotation'
  | 'liveAnnotations'
  | WrittenRules;
type WrittenRules = 'saveSearch' | 'savedSearches' | 'setInvestigationRules' | 'investigationRules';

function without(given: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

async function answers(
  both: Both,
  name: LedgerQuestion,
  given: Arguments,
): Promise<{ live: unknown; ofCase: unknown }> {
  const { client } = both.account;
  const told = async (route: Parameters<typeof client.call>[0], asked: Arguments): Promise<unknown> => {
    const { status, body } = await client.call(route, asked);
    const answer = body as Members;
    // Where there was no time to read all records, the next question continues: what is compared is the whole answer.
    if ((answer['coverage'] as Members | undefined)?.['complete'] === false) return told(route, asked);
    if (name === 'redactionPlaces' && status < 300)
      return wholePlaces(answer, (after) =>
        client.call(route, { ...asked, body: { ...(asked.body as Members), after } }),
      );
    if (status >= 300) return { status, code: (answer['error'] as Members)['code'] };
    return DIFFERENCES[name]?.(answer) ?? answer;
  };
  const params = { ...given.params, case_id: both.caseId };
  const [live, ofCase] = await Promise.all([told(name, given), told(nameInCase(name), { ...given, params })]);
  return { live, ofCase };
}

/** Where people are named in all of a ledger, of which one answer tells as much as there was time for. */
async function wholePlaces(
  first: Members,
  ask: (after: number) => Promise<{ readonly body: unknown }>,
): Promise<unknown> {
  const parts = [first];
  for (let part = first; part['examined'] !== part['last']; parts.push(part)) {
    part = (await ask(Number(part['examined']))).body as Members;
  }
  const all = (member: string): Members[] => parts.flatMap((part) => part[member] as Members[]);
  const sum = (rows: readonly Members[], member: string): number =>
    rows.reduce((total, row) => total + Number(row[member]), 0);
  const kinds = Map.groupBy(all('places'), ({ place, pointer, withheld }) =>
    JSON.stringify([place, pointer, withheld]),
  );
  return {
    names: first['names'],
    last: first['last'],
    records: sum(parts, 'records'),
    payloads: sum(parts, 'payloads'),
    operation_ids: all('operation_ids'),
    places: [...kinds].map(([kind, rows]) => [kind, sum(rows, 'records')]).toSorted(),
    besides: all('besides'),
  };
}

/** What is asked of both, in lists of arguments. */
type Questions = { readonly [N in Asked]?: readonly Arguments[] };

/** Asks all of them, and says which were answered differently. */
async function differing(both: Both, questions: Questions): Promise<string[]> {
  const wrong: string[] = [];
  for (const [name, list] of Object.entries(questions) as [Asked, readonly Arguments[]][]) {
    for (const given of list) {
      const { live, ofCase } = await answers(both, name, given);
      const at = firstDifference(live, ofCase);
      if (at !== null) wrong.push(`${name} ${JSON.stringify(given)} ${at}`);
    }
  }
  return wrong;
}

/** Where two answers first differ, and by what; null where they do not. */
function firstDifference(live: unknown, ofCase: unknown, path = ''): string | null {
  if (isDeepStrictEqual(live, ofCase)) return null;
  if (typeof live !== 'object' || typeof ofCase !== 'object' || live === null || ofCase === null) {
    return `${path}: live ${JSON.stringify(live)}, case ${JSON.stringify(ofCase)}`;
  }
  const names = new Set([...Object.keys(live), ...Object.keys(ofCase)]);
  for (const name of names) {
    const at = firstDifference((live as Members)[name], (ofCase as Members)[name], `${path}/${name}`);
    if (at !== null) return at;
  }
  return `${path}: of different kinds`;
}

const service = await TestService.start({ epochMaxLeaves: 100 });

/** The records of an organization, live and as a case of the same organization. */
async function live(name: string, submit: (account: Account) => Promise<unknown>): Promise<Both> {
  const account = await service.signUp(name);
  await submit(account);
  const { client } = account;
  await until('all records to be indexed', async () => {
    return (await client.ok('sessions', { body: {} })).coverage.pending === 0;
  });
  const bytes = Buffer.from(await bundleOf(account));
  const { case_id: caseId } = await importCase(client, { name, bytes }, { trusted_kids: [service.kid] });
  return { account, caseId, queries: [] };
}

/** Fields whose values can be counted, at most as many as a request may name. */
const FACETS = fieldsHaving('facet');
const facetsOf = (body: object = {}): Arguments => ({ body: { fields: FACETS.slice(0, 12), values: 10, ...body } });

/** A query for each of the most frequent values of every field, and some that join two. */
async function queriesOfValues({ account }: Both): Promise<string[]> {
  const { facets } = await account.client.ok('facets', facetsOf());
  const single = facets.flatMap(({ field, values }) =>
    values.flatMap(({ value }) => [`${field} = ${JSON.stringify(value)}`, `${field}:${JSON.stringify(value)}`]),
  );
  const pairs = single.map(
    (query, n) => `${query} ${n % 2 === 0 ? 'and' : 'or'} not ${single[(n * 7 + 3) % single.length]}`,
  );
  const words = [
    'refund',
    '"no credit"',
    'error*',
    '*ight*',
    '/[Ee]rror/',
    'seq > 20',
    'duration > 1s',
    'person:*',
    'insession(refund) error',
  ];
  const all = [...words, ...single, ...pairs];
  const step = Math.max(1, Math.floor(all.length / QUERIES));
  return all.filter((_, n) => n < words.length || n % step === 0);
}

/** The same asked of actions. */
function askedOfActions(body: object, order: string): Questions {
  return { actions: [{ body: { ...body, order, limit: 30 } }, { body: { ...body, order, contents: true, limit: 5 } }] };
}

/** What the screens ask by one query. */
function askedBy(query: string, n: number): Questions {
  const body = { query };
  const order = n % 2 === 0 ? 'newest' : 'oldest';
  const rows = [{ body: { ...body, order, details: n % 3 === 0, limit: 50 } }];
  if (n % 4 !== 0) return { auditQuery: rows };
  return {
    auditQuery: rows,
    auditHistogram: [{ query: { query, buckets: '12' } }, { query: { query, buckets: '12', unit: 'actions' } }],
    ...askedOfActions(body, order),
    facets: [facetsOf(body), facetsOf({ ...body, unit: 'actions' })],
    sessions: [{ body: { ...body, limit: 20 } }, { body: { ...body, unit: 'actions', limit: 20 } }],
    entities: [{ body: { ...body, limit: 20 } }, { body: { ...body, unit: 'actions', limit: 20 } }],
  };
}

/** What is grouped, and how it is measured. */
const GROUPS = [
  { by: ['tool', 'day'], zone: 'Europe/Berlin', order: 'key' },
  { by: ['hour'], measures: [{ op: 'median', of: 'duration' }] },
  { by: ['user_id'], measures: [{ op: 'sum', of: 'amount' }, { op: 'count' }] },
  {
    by: ['mark', 'outcome'],
    measures: [
      { op: 'min', of: 'amount' },
      { op: 'max', of: 'amount' },
    ],
  },
  { by: ['subject:x'] },
];

/** Everything that is asked without a query. */
async function askedOfAll({ account: { client } }: Both): Promise<Required<Omit<Questions, Written>>> {
  const rows = (await client.ok('auditQuery', { body: { limit: 200 } })).data;
  const some = rows.filter((_, n) => n % 17 === 0);
  const { agents } = await client.ok('listAgents');
  const sessions = (await client.ok('sessions', { body: { limit: 12 } })).data;
  const touched = (await client.ok('entities', { body: { limit: 12 } })).data;
  const epochs = (await client.ok('listEpochs')).data;
  const first = rows.at(-1) ?? expect.fail();
  const filters = [
    {},
    { agentId: first.agent_id },
    { subject: first.subject },
    { operationType: first.operation_type, beforeSeq: first.seq_no + 5 },
    { startTime: first.issued_at, endTime: rows[0]?.issued_at },
  ];
  const operations = [...some.map(({ operation_id }) => operation_id), 'none'];
  const ofOperation = operations.map((operation_id) => ({ params: { operation_id } }));
  const ofAgent = [...agents.map(({ agent_id }) => agent_id), 'none'].map((agent_id) => ({ params: { agent_id } }));
  return {
    ledgerSummary: [{}],
    listAgents: [{}],
    getAgent: ofAgent,
    agentHead: ofAgent,
    agentChain: ofAgent.flatMap((given) => [given, { ...given, query: { after: '3', limit: '4' } }]),
    getOperation: ofOperation,
    operationProof: ofOperation,
    operationReading: ofOperation,
    auditQuery: [
      ...filters.map((body) => ({ body })),
      ...filters.map((body) => ({ body: { ...body, details: true, limit: 100 } })),
      ...filters.map((body) => ({ body: { ...body, order: 'oldest', limit: 20 } })),
      { body: { without: [['agent_id', first.agent_id]] } },
    ],
    auditHistogram: filters.map(({ beforeSeq, ...rest }: { readonly beforeSeq?: number }) => ({
      query: { ...rest, ...(beforeSeq === undefined ? {} : { beforeSeq: String(beforeSeq) }), buckets: '24' },
    })),
    facets: filters.flatMap((body, n) =>
      // In the gate each field with one of the filters.
      FACETS.filter((_, field) => (field + n) % ONE_OF === 0).map((field) => facetsOf({ ...body, fields: [field] })),
    ),
    actions: [
      ...filters.map((body) => ({ body })),
      ...['newest', 'oldest'].map((order) => ({ body: { order, limit: 200 } })),
    ],
    actionContext: operations.map((operation_id) => ({ body: { operation_id, limit: 20 } })),
    compareSessions: [
      ...sessions
        .slice(1)
        .map(({ session }, n) => ({ body: { left: sessions[n]?.session, right: session, limit: 10 } })),
      { body: { left: 'none', right: 'none' } },
    ],
    groups: [
      ...filters.map((body) => ({ body: { ...body, by: ['agent'] } })),
      ...['records', 'actions'].flatMap((unit) => GROUPS.map((body) => ({ body: { ...body, unit } }))),
    ],
    names: [{ body: {} }, ...Object.keys(RECORD_FIELDS).map((field) => ({ body: { field, values: 50 } }))],
    sessions: [
      ...filters.map((body) => ({ body })),
      ...['newest', 'oldest', 'longest'].map((order) => ({ body: { order, limit: 200 } })),
    ],
    sessionSteps: [...sessions.map(({ session }) => ({ body: { session } })), { body: { session: 'none' } }],
    entities: [...filters.map((body) => ({ body })), { body: { limit: 200 } }],
    entityTouches: [
      ...touched.flatMap(({ kind, id }) => [{ body: { kind, id } }, { body: { kind, id, unit: 'actions' } }]),
      { body: { kind: 'user', id: 'none' } },
    ],
    // What is noted besides is of one ledger.
    redactionPlaces: [{ body: { names: ['Mia Li', 'mia_li_3668'], after: 1 } }, { body: { names: [] } }],
    activity: [{}],
    whatLeft: [{}, { limit: 200 }, { sent: true }, { agentId: first.agent_id, contains: 'a' }].map((body) => ({
      body,
    })),
    needsLook: [{}, { limit: 200 }, { limit: 3 }, { kinds: ['failed', 'open'] }, { seen: true }].map((body) => ({
      body,
    })),
    listEpochs: [{}, { query: { before: '2' } }],
    getEpoch: epochs.map(({ epoch_id }) => ({ params: { epoch_id } })),
  };
}

/** What people write, what they then read, and what is found by it. */
async function writtenAndRead({ account: { client } }: Both): Promise<Questions & Required<Pick<Questions, Written>>> {
  const [one, two, three] = (await client.ok('auditQuery', { body: { limit: 3 } })).data.map((row) => row.operation_id);
  const of = (operation_id = '', body?: object): Arguments => ({ params: { operation_id }, ...(body && { body }) });
  const operation_ids = [two, three];
  const { data } = await client.ok('needsLook', { body: { limit: 6 } });
  const looks = data.filter((_, n) => n % 2 === 0).map(({ item_id }) => item_id);
  return {
    annotateLive: [
      of(one, { tags: ['odd', 'paid'], note: 'Why?' }),
      of(two, { bookmarked: true }),
      of('none', { note: '' }),
    ],
    annotateManyLive: [
      { body: { operation_ids, add_tags: ['odd'], add_note: 'Both.' } },
      { body: { operation_ids: [one, 'none'], add_tags: ['x'] } },
    ],
    liveAnnotation: [of(one), of(two), of('none')],
    removeLiveAnnotation: [of(three), of(three)],
    liveAnnotations: [{}, { query: { bookmarked: 'true' } }, { query: { operation_id: two ?? '' } }],
    auditQuery: ['tag:odd', 'tag = paid', 'bookmarked = true', 'not tag:*'].map((query) => ({
      body: { query, details: true, limit: 20 },
    })),
    facets: [facetsOf({ fields: ['tag'] }), facetsOf({ query: 'tag:odd' })],
    sessions: [{ body: { query: 'tag:odd' } }],
    markLooked: [
      ...[true, false, true].map((seen) => ({ body: { item_ids: looks, seen } })),
      { body: { item_ids: ['none'], seen: true } },
    ],
    needsLook: [{ body: { limit: 200 } }, { body: { seen: true } }, { body: { seen: false, limit: 5 } }],
    saveSearch: [{ body: { name: 'Odd', search: { query: 'tag:odd' } } }, { body: { name: '', search: {} } }],
    savedSearches: [{}],
    investigationRules: [{}],
    setInvestigationRules: [
      { body: { rules: { version: 1, sessions: ['/deal'] } } },
      { body: { rules: { version: 0 } } },
    ],
  };
}

const real = await live('real', (account) => submitAirlineActions(account));
const realQueries = await queriesOfValues(real);

const random = new SeededRandom(SEED);
const made = await live('made', async (account) => {
  const signers = await Promise.all(['agent-0', 'agent-1', 'agent-2'].map((id) => registerAgent(account, id)));
  const began = Date.now() - 3_600_000;
  for (let n = 0; n < 240; n++) {
    const signer = signers[random.below(signers.length)] ?? expect.fail();
    const members = {
      subject: `session ${random.below(5)}`,
      issued_at: new Date(began + n * 1000 * random.below(10)).toISOString(),
      ttl_ms: 86_400_000,
    };
    const payload = randomPayload(random) as JsonObject;
    await account.client.ok('submitOperation', { body: signer.next({ payload, ...members }) });
  }
});
const madeQueries = Array.from({ length: QUERIES }, () => randomQuery(random));

describe.each([
  { of: 'real actions', both: real, queries: realQueries },
  { of: `payloads of all forms, seed ${SEED}`, both: made, queries: madeQueries },
])('of $of, a case answers as the live ledger', ({ both, queries }) => {
  it('to every question without a query', async () => {
    expect(await differing(both, await askedOfAll(both))).toEqual([]);
  });

  it(`to ${QUERIES} queries`, async () => {
    expect(queries.length).toBeGreaterThanOrEqual(QUERIES);
    const wrong: string[] = [];
    for (const [n, query] of queries.entries()) wrong.push(...(await differing(both, askedBy(query, n))));
    expect(wrong).toEqual([]);
  });

  it('after the same was written about the same records', async () => {
    expect(await differing(both, await writtenAndRead(both))).toEqual([]);
  });
});
