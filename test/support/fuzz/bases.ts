/** The honest bundles that mutants are made from, in families: the files of a family are of one ledger. */
import { readFileSync } from 'node:fs';
import { fingerprintDigits, formatTime, type Json } from '../../../src/protocol/index.ts';
import { agentName, makeBundle, ORG_ID, only, type Plan, START, serviceKid } from '../bundle-maker.ts';
import { withholding } from '../dishonest.ts';
import { reseal } from './reseal.ts';
import { type Branch, branchesOf, copyOf, type Tree } from './tree.ts';

export interface Base {
  readonly name: string;
  readonly bundle: Tree;
  /** Receipts of the ledger, also those outside the bundle. */
  readonly receipts: readonly Tree[];
}

export interface Family {
  readonly name: string;
  readonly orgId: string;
  /** The kids of its service keys. */
  readonly kids: readonly string[];
  /** The names of its agents, with the public keys that the ledger has for them. */
  readonly agents: readonly string[];
  readonly honest: readonly (() => Base)[];
  /** The same ledger told otherwise, each file sound by itself. */
  readonly rewritten: readonly (() => Base)[];
  /** How its files that the maker makes are made; none for files that are only read. */
  readonly plans: readonly Plan[];
  /** Whether its payloads are. */
  readonly salted?: boolean;
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A moment of a ledger: made when so many epochs were there, just after the last of them ended. */
function moment(plan: Plan, sizes: readonly number[]): Plan {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return {
    ...plan,
    epochs: sizes,
    manifest: (draft) => ({ ...draft, created_at: formatTime(START + total * 1000 + 600) }),
  };
}

function made(name: string, plan: Plan): () => Base {
  return once(() => {
    const { bundle, receipts } = makeBundle(plan);
    return { name, bundle: structuredClone(bundle) as unknown as Tree, receipts: structuredClone(receipts) as never };
  });
}

const all = (name: string, plans: readonly Plan[]): (() => Base)[] =>
  plans.map((plan, index) => made(`${name} ${index}`, plan));

/** Tells a record of the ledger otherwise, and signs all that follows. */
const retold = (plan: Plan, index: number, more: Partial<Plan> = {}): Plan => ({
  ...plan,
  ...more,
  record: only(index, (record) => ({ ...record, subject: 'another file' })),
});

const SMALL: Plan = { agents: 2, epochs: [2, 3, 2], rotation: true };
/** No rotation yet: moments of one ledger. */
const GROWING: Plan = { agents: 2 };
/** What happens after the last of nine records. */
const AFTERWARDS = START + 9550;
const LONG: Plan = moment(
  {
    agents: 3,
    agent: (agent, index) =>
      index === 0 ? agent : { ...agent, status: index === 1 ? 'frozen' : 'deleted', updated_at: AFTERWARDS + index },
    agentKey: only(2, (key) => ({ ...key, status: 'revoked' as const, retired_at: AFTERWARDS })),
  },
  [1, 1, 4, 2, 1],
);
const LONG_BEFORE: Plan = { agents: 3 };
const PAYLOAD = JSON.parse(
  '{"__proto__":{"x":1},"\\u20ac":"\\ud83d\\ude00\\u0000","1":1e21,"10":-0,"9":1e-7,"toString":null,"":[[],{}]}',
) as { readonly [member: string]: Json };

const SMALL_PLANS: readonly Plan[] = [
  SMALL,
  { ...SMALL, range: [2, 6] },
  { ...SMALL, onlyAgent: 1 },
  { ...SMALL, onlyAgent: 0, range: [2, 5] },
  { ...SMALL, redacted: [2, 7] },
  { ...SMALL, ...withholding(1) },
  { ...SMALL, ...withholding(2, 3), range: [3, 5] },
  { ...SMALL, range: [6, 7] },
  { ...SMALL, range: [1, 1] },
  { ...SMALL, range: [3, 3], onlyAgent: 0 },
  moment({ ...GROWING }, [2, 3]),
  moment({ ...GROWING, onlyAgent: 1 }, [2, 3]),
];
const GROWING_PLANS: readonly Plan[] = [
  ...[[1], [1, 3], [1, 3, 1], [1, 3, 1, 4]].map((sizes) => moment(GROWING, sizes)),
  ...[
    [1, 3],
    [1, 3, 1, 4],
  ].flatMap((sizes) => [
    moment({ ...GROWING, onlyAgent: 0 }, sizes),
    moment({ ...GROWING, range: [2, 4] }, sizes),
    moment({ ...GROWING, onlyAgent: 1, range: [3, 4] }, sizes),
  ]),
];
const LONG_PLANS: readonly Plan[] = [
  LONG,
  { ...LONG, range: [3, 8] },
  { ...LONG, range: [4, 7], redacted: [5] },
  { ...LONG, onlyAgent: 0 },
  { ...LONG, onlyAgent: 2, range: [4, 8] },
  { ...LONG, onlyAgent: 1, range: [2, 8] },
  moment(LONG_BEFORE, [1, 1, 4]),
  moment({ ...LONG_BEFORE, onlyAgent: 2 }, [1, 1, 4, 2]),
];

function family(name: string, plans: readonly Plan[], rewritten: readonly Plan[], offset = 0): Family {
  const { orgId = ORG_ID, agents = 1 } = plans[0] ?? {};
  return {
    name,
    orgId,
    plans,
    kids: [serviceKid(offset), serviceKid(offset + 1)],
    agents: Array.from({ length: agents }, (_, index) => agentName(index)),
    honest: all(name, plans),
    rewritten: all(`${name}, told otherwise`, rewritten),
  };
}

const VECTORS = new URL('../../vectors/', import.meta.url);
const vector = (file: string): string => readFileSync(new URL(file, VECTORS), 'utf8');

function vectorFamily(): Family {
  const receipts = once(() =>
    vector('receipts.jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Tree),
  );
  const files = ['whole', 'range', 'agent', 'redacted', 'withheld', 'empty-range', 'earlier'];
  const { service_keys: keys, org } = JSON.parse(vector('bundle-whole.json')) as {
    service_keys: { kid: string }[];
    org: { org_id: string };
  };
  return {
    name: 'vectors',
    orgId: org.org_id,
    kids: keys.map(({ kid }) => kid),
    agents: ['billing.bot'],
    honest: files.map((file) =>
      once(() => ({
        name: `bundle-${file}.json`,
        bundle: JSON.parse(vector(`bundle-${file}.json`)) as Tree,
        receipts: receipts(),
      })),
    ),
    rewritten: [],
    plans: [],
  };
}

/** A ledger of salted payloads. Of them one file shows what the vector does, the others less. */
function saltedFamily(): Family {
  const file = 'bundle-disclosures.json';
  const read = once(() => JSON.parse(vector(file)) as Branch);
  const showing = (name: string, isShown: (seqNo: number) => boolean): (() => Base) =>
    once(() => {
      const bundle = copyOf(read());
      const records = branchesOf(bundle['records']);
      const receipts = records.map(({ ear }) => copyOf(ear ?? null));
      for (const [index, record] of records.entries()) if (!isShown(index + 1)) delete record['disclosures'];
      reseal(bundle, ['counts', 'manifest']);
      return { name: `${file}, ${name}`, bundle, receipts };
    });
  const { org, service_keys: keys } = JSON.parse(vector('disclosures.json')) as {
    org: { org_id: string };
    service_keys: { key: { kid: string } }[];
  };
  return {
    name: 'salted',
    orgId: org.org_id,
    kids: keys.map(({ key }) => key.kid),
    agents: ['salting.agent'],
    honest: [showing('as it is', () => true), showing('no member', () => false), showing('some', (n) => n % 2 === 0)],
    rewritten: [],
    plans: [],
    salted: true,
  };
}

/** A ledger whose clock was corrected, and a file of it that was made before. */
function clockFamily(): Family {
  const files = ['clock', 'clock-range', 'clock-wrong'];
  const {
    agents,
    org,
    service_keys: keys,
  } = JSON.parse(vector('bundle-clock.json')) as {
    agents: { agent_id: string }[];
    org: { org_id: string };
    service_keys: { kid: string }[];
  };
  const receipts = once(() =>
    branchesOf((JSON.parse(vector('bundle-clock.json')) as Branch)['records']).map(({ ear }) => copyOf(ear ?? null)),
  );
  return {
    name: 'clock',
    orgId: org.org_id,
    kids: keys.map(({ kid }) => kid),
    agents: agents.map(({ agent_id: id }) => id),
    honest: files.map((file) =>
      once(() => ({
        name: `bundle-${file}.json`,
        bundle: JSON.parse(vector(`bundle-${file}.json`)) as Tree,
        receipts: receipts(),
      })),
    ),
    rewritten: [],
    plans: [],
  };
}

/** How often each is wanted, and the families; the last but two is an issuer of another organization. */
export const FAMILIES: readonly (readonly [weight: number, family: Family])[] = [
  [40, family('small', SMALL_PLANS, [retold(SMALL, 2), retold(SMALL, 6), retold(SMALL, 3, { range: [2, 6] })])],
  [
    22,
    family(
      'growing',
      GROWING_PLANS,
      [1, 3, 6].flatMap((index) => [
        retold(moment(GROWING, [1, 3, 1, 4]), index),
        retold(moment(GROWING, [1, 3, 1]), index),
        moment({ ...GROWING, agents: 1 }, [1, 3, index]),
      ]),
    ),
  ],
  [18, family('long', LONG_PLANS, [retold(LONG, 5), retold({ ...LONG, onlyAgent: 0 }, 3)])],
  [5, family('two records', [{}, { payload: PAYLOAD }], [retold({}, 0)])],
  [10, vectorFamily()],
  [20, saltedFamily()],
  [14, clockFamily()],
];

/** Another organization under the same service key, and one of another service. */
export const STRANGERS: readonly (() => Base)[] = all('a stranger', [
  { ...SMALL, orgId: 'org_other' },
  { ...SMALL, serviceOffset: 5 },
]);

/** The digits of a service key's fingerprint, in one of the ways they may be written. */
export const digitsOf = (kid: string, separator: string): string => fingerprintDigits(kid).join(separator);
