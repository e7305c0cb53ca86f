// Cases in which verifiers once came to different verdicts, or all of them to the wrong one, each under the label that it was found with.
import { afterAll, describe, expect, it } from 'vitest';
import {
  type BundleAgent,
  type Manifest,
  publicKeyOf,
  toBase64Url,
  utf8,
  type Verdict,
} from '../../src/protocol/index.ts';
import { makeBundle, only, type Plan, START, serviceKid, serviceSeed } from '../support/bundle-maker.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';

const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2] };
const HOUR = 3_600_000;
const honest = makeBundle(WHOLE).text;

const filtered = (filter: Partial<Manifest['filter']>): string =>
  makeBundle({ ...WHOLE, manifest: (draft) => ({ ...draft, filter: { ...draft.filter, ...filter } }) }).text;
const named = (name: string): string =>
  makeBundle({ ...WHOLE, contents: (contents) => ({ ...contents, org: { ...contents.org, name } }) }).text;
const agentIs = (change: Partial<BundleAgent>): string =>
  makeBundle({ ...WHOLE, agent: only(0, (agent) => ({ ...agent, ...change })) }).text;

interface Labelled {
  readonly label: string;
  readonly what: string;
  readonly verdict: Verdict;
  readonly file: string;
  readonly against?: string;
}

const CASES: readonly Labelled[] = [
  {
    label: 'B2',
    what: 'an exponent in upper case',
    verdict: 'failed',
    file: honest.replace('"seq_no":1,', '"seq_no":1E0,'),
  },
  { label: 'B2', what: 'an escape in upper case', verdict: 'failed', file: honest.replace('"sdk"', '"sd\\u006B"') },
  {
    label: 'B4',
    what: 'a nonce of four characters beyond the first plane',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, record: only(0, (record) => ({ ...record, nonce: '😀'.repeat(4) })) }).text,
  },
  {
    label: 'B4e',
    what: 'a name of an organization of 1,025 characters',
    verdict: 'failed',
    file: named('x'.repeat(1025)),
  },
  {
    label: 'B4f',
    what: 'an identifier of 257 characters',
    verdict: 'failed',
    file: honest.replaceAll('"agent-2"', `"${'x'.repeat(257)}"`),
  },
  {
    label: 'B4g',
    what: 'a status that agents do not have',
    verdict: 'failed',
    file: agentIs({ status: 'asleep' as never }),
  },
  {
    label: 'B5b',
    what: 'a leap second in the filter',
    verdict: 'verified',
    file: filtered({ start_time: '2016-12-31T23:59:60Z' }),
  },
  {
    label: 'B5c',
    what: 'digits beyond the millisecond in the filter',
    verdict: 'verified',
    file: filtered({ start_time: '2020-01-01T00:00:00.0009Z' }),
  },
  {
    label: 'B5d',
    what: 'the year 0 in the filter',
    verdict: 'verified',
    file: filtered({ start_time: '0000-01-01T00:00:00Z' }),
  },
  {
    label: 'A18',
    what: 'an event that says it is older than the one before it',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, adminEvent: only(2, (event) => ({ ...event, created_at: START - HOUR })) }).text,
  },
  {
    label: 'C5',
    what: "the service's key as an agent's",
    verdict: 'failed',
    file: makeBundle({
      ...WHOLE,
      agentKey: only(0, (key) => ({ ...key, public_key: toBase64Url(publicKeyOf(serviceSeed(0))) })),
    }).text,
  },
  {
    label: 'C6b',
    what: 'records while their agent was frozen',
    verdict: 'failed',
    file: agentIs({ status: 'frozen', updated_at: START + 2000 }),
  },
  {
    label: 'C8',
    what: 'two service keys that follow each other in a circle',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, rotation: true, serviceKey: only(0, (key) => ({ ...key, prev_kid: serviceKid(1) })) })
      .text,
  },
  {
    label: 'C8b',
    what: 'a service key that follows itself',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, serviceKey: only(0, (key) => ({ ...key, prev_kid: serviceKid(0) })) }).text,
  },
  {
    label: 'C13',
    what: 'a payload withheld here and shown in the other file',
    verdict: 'verified',
    file: makeBundle({ ...WHOLE, redacted: [3] }).text,
    against: honest,
  },
];

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing), on the cases of one list', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  it.each(CASES)('$label: $what', async ({ what, verdict, file, against }) => {
    const { answers } = await comparison.compare({
      ...{ number: 0, way: 'honest', how: what, what, file: utf8(file), trust: [serviceKid(0)], trustAgent: [] },
      ...{ madeNotBefore: null, receipts: [], against: against === undefined ? [] : [utf8(against)], checkpoints: [] },
    });
    expect(VERIFIERS.map((name) => answers[name].verdict)).toEqual(VERIFIERS.map(() => verdict));
  });
});
