// Salted payloads and disclosures before the three verifiers: the vector, and one change of it at a time.
import { afterAll, describe, expect, it } from 'vitest';
import { type FindingCode, toBase64Url, utf8, type Verdict } from '../../src/protocol/index.ts';
import { at } from '../support/bytes.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { digestOf } from '../support/fuzz/disclosures.ts';
import { shownText } from '../support/fuzz/job.ts';
import { LEVELS, type Level, reseal } from '../support/fuzz/reseal.ts';
import { textOf } from '../support/fuzz/text.ts';
import { type Branch, branchesOf, type Tree } from '../support/fuzz/tree.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { bundleTexts, disclosedBundleText, disclosedKids, disclosureVectors, serviceKids } from '../support/vectors.ts';

/** A record of the bundle with what the tests change of it. */
interface Disclosed extends Branch {
  eor: Branch;
  disclosures: Tree[][];
}

interface Case {
  readonly what: string;
  readonly change: (record: (seqNo: number) => Disclosed, bundle: Branch) => void;
  readonly verdict: Verdict;
  /** All codes of findings. */
  readonly codes: readonly FindingCode[];
  /** What is signed again after the change. */
  readonly levels: readonly Level[];
}

const SALT = 'A'.repeat(22);
const COUNTED: readonly Level[] = ['counts', 'manifest'];

const fails = (code: FindingCode, what: string, change: Case['change'], levels: readonly Level[] = COUNTED): Case => ({
  ...{ what, change, levels },
  ...{ verdict: 'failed', codes: [code] },
});
const holds = (what: string, change: Case['change']): Case => ({
  ...{ what, change, verdict: 'verified', codes: [], levels: LEVELS },
});

/** Gives a record other disclosures, and a payload that has exactly their digests. */
function salt(record: Disclosed, disclosures: Tree[][], members: Branch = {}): void {
  const digests = new Map(disclosures.map((one) => [one, String(digestOf(one))]));
  record.disclosures = disclosures.toSorted((a, b) => (String(digests.get(a)) < String(digests.get(b)) ? -1 : 1));
  record.eor['payload'] = { ...members, _sd: [...digests.values()].sort() };
}

const numbered = (count: number): Tree[][] => Array.from({ length: count }, (_, n) => [SALT, `n${n}`, n]);
const nested = (levels: number): Tree => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as Tree;
const saltOf = (bytes: number): string => toBase64Url(new Uint8Array(bytes).fill(7));

/** One disclosure that has to be refused before anybody looks at payloads. */
const malformed = (what: string, disclosure: Tree[]): Case =>
  fails('MALFORMED', what, (record) => {
    record(1).disclosures = [disclosure];
  });

const CASES: readonly Case[] = [
  ...[4, 8].map((seqNo) =>
    fails('DISCLOSURE_INVALID', `one next to the plain payload ${seqNo}`, (record) => {
      record(seqNo).disclosures = [[SALT, 'amount', 9]];
    }),
  ),
  fails('DISCLOSURE_INVALID', 'one next to a payload that is withheld', (record) => {
    record(5).disclosures = [[SALT, 'amount', 10]];
  }),
  fails('DISCLOSURE_INVALID', 'another salt', (record) => {
    at(record(1).disclosures, 0)[0] = SALT;
  }),
  fails('DISCLOSURE_INVALID', 'another name', (record) => {
    at(record(1).disclosures, 0)[1] = 'other';
  }),
  fails('DISCLOSURE_INVALID', 'another value', (record) => {
    at(record(1).disclosures, 0)[2] = 0;
  }),
  fails('DISCLOSURE_INVALID', 'those of another record', (record) => {
    record(1).disclosures = record(6).disclosures;
  }),
  fails('DISCLOSURE_INVALID', 'another order', (record) => {
    record(1).disclosures.reverse();
  }),
  fails('DISCLOSURE_INVALID', 'one twice', (record) => {
    record(1).disclosures.unshift(at(record(1).disclosures, 0));
  }),
  fails(
    'DISCLOSURE_INVALID',
    'two of one name',
    (record) => salt(record(1), [...numbered(2), [saltOf(16), 'n1', 'other']]),
    LEVELS,
  ),
  fails(
    'DISCLOSURE_INVALID',
    'digests that do not ascend, so that the payload is plain',
    (record) => (record(1).eor['payload'] as { _sd: string[] })._sd.reverse(),
    LEVELS,
  ),
  fails(
    'DISCLOSURE_INVALID',
    'of 257 members',
    (record) => {
      salt(record(1), numbered(257));
      record(1).disclosures.length = 256;
    },
    LEVELS,
  ),
  fails('PAYLOAD_HASH_MISMATCH', 'a payload that was not signed', (record) => {
    record(1).eor['payload'] = { amount: 1 };
  }),
  fails('MANIFEST_MISMATCH', 'one that is hidden by somebody else', (record) => void record(1).disclosures.pop(), []),
  fails(
    'MANIFEST_MISMATCH',
    'another digest in the manifest',
    (_, { manifest }) => {
      (manifest as Branch)['disclosures_digest'] = `sha256:${'0'.repeat(64)}`;
    },
    ['manifest'],
  ),
  fails(
    'MANIFEST_MISMATCH',
    'no digest in the manifest',
    (_, { manifest }) => {
      delete (manifest as Branch)['disclosures_digest'];
    },
    ['manifest'],
  ),
  fails(
    'MANIFEST_MISMATCH',
    'a digest of none',
    (record) => {
      for (let seqNo = 1; seqNo <= 13; seqNo++) delete (record(seqNo) as Branch)['disclosures'];
    },
    ['manifest'],
  ),
  fails(
    'MANIFEST_MISMATCH',
    'a count of payloads alone',
    (_, { manifest }) => {
      (manifest as Branch)['redacted_count'] = 3;
    },
    ['manifest'],
  ),
  malformed('a salt of 15 bytes', [saltOf(15), 'n', 1]),
  malformed('a salt of 65 bytes', [saltOf(65), 'n', 1]),
  malformed('a salt with trailing bits', [`${'A'.repeat(21)}B`, 'n', 1]),
  malformed('a salt with padding', [`${SALT}==`, 'n', 1]),
  malformed('a salt that is none', [null, 'n', 1]),
  ...['', '_sd', 'profile', '...', '😀'.repeat(257)].map((name) =>
    malformed(`the name ${name.slice(0, 10)}`, [SALT, name, 1]),
  ),
  malformed('a name that is none', [SALT, 1, 1]),
  malformed('no value', [SALT, 'n']),
  malformed('more than a value', [SALT, 'n', 1, 2]),
  malformed('a value that nests 256 levels', [SALT, 'n', nested(256)]),
  fails('MALFORMED', 'an empty array', (record) => {
    record(1).disclosures = [];
  }),
  fails('MALFORMED', '257 of them', (record) => {
    record(1).disclosures = numbered(257);
  }),
  holds('names and salts at their limits', (record) =>
    salt(
      record(1),
      [
        [saltOf(64), '😀'.repeat(256), 1],
        [SALT, 'constructor', null],
        [SALT, '_sd_alg', nested(255)],
      ],
      { profile: '😀'.repeat(128) },
    ),
  ),
  holds('256 members', (record) => salt(record(1), numbered(256))),
  holds('a digest for each of 257 members, which is a plain payload', (record) => {
    salt(record(1), numbered(257));
    delete (record(1) as Branch)['disclosures'];
  }),
  holds('no member shown of any record', (record) => {
    for (let seqNo = 1; seqNo <= 13; seqNo++) delete (record(seqNo) as Branch)['disclosures'];
  }),
];

/** The vector after a change, with what is to be signed of it signed. */
function changed({ change, levels }: Case): string {
  const bundle = JSON.parse(disclosedBundleText) as Branch;
  const records = branchesOf(bundle['records']) as Disclosed[];
  change((seqNo) => at(records, seqNo - 1), bundle);
  reseal(bundle, levels);
  return textOf(bundle);
}

describe.skipIf(!hasPython())('disclosures, before three verifiers (skipped where python3 is missing)', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  const judge = (file: string, trust: readonly string[] = disclosedKids) =>
    comparison.compare({
      ...{ number: 0, way: 'honest', how: 'disclosures', what: 'a case', file: utf8(file), trust },
      ...{ trustAgent: [], madeNotBefore: null, receipts: [], against: [], checkpoints: [] },
    });

  it('are shown alike in the vector', async () => {
    const { answers } = await judge(disclosedBundleText);
    const { withheld, counts, reason } = disclosureVectors.expected;
    for (const name of VERIFIERS) {
      expect([name, answers[name].verdict, answers[name].shown]).toEqual([
        name,
        'verified',
        shownText(withheld, counts, reason),
      ]);
    }
  });

  it.each(CASES)('are judged alike: $what', async (one) => {
    const { answers } = await judge(changed(one));
    for (const name of VERIFIERS) {
      const { verdict, codes } = answers[name];
      // A record that is left out is missing for whatever else counts records.
      const told = one.codes.includes('MALFORMED') ? codes.filter((code) => code === 'MALFORMED') : codes;
      expect([name, verdict, told]).toEqual([name, one.verdict, one.codes]);
    }
    expect(new Set(VERIFIERS.map((name) => answers[name].shown)).size).toBe(1);
  });

  it.each(['ear', 'eor'])('are no member of a neighbour, nor of its %s', async (member) => {
    const bundle = JSON.parse(bundleTexts['bundle-agent.json']) as { edges: { after: Branch } };
    const { after } = bundle.edges;
    const around = member === 'ear' ? after : (after['eor'] as Branch);
    around['disclosures'] = numbered(1);
    const { answers } = await judge(textOf(bundle as unknown as Tree), serviceKids);
    for (const name of VERIFIERS) {
      expect([name, answers[name].verdict, answers[name].codes.includes('MALFORMED')]).toEqual([name, 'failed', true]);
    }
  });
});

describe('the vectors of disclosures', () => {
  it.each(disclosureVectors.payloads)('give the digests of payload $seq_no', ({ payload, members }) => {
    expect(members.map(({ disclosure }) => digestOf(disclosure as unknown as Tree))).toEqual(payload['_sd']);
  });

  it.each(disclosureVectors.rfc_9901.filter(({ disclosure }) => disclosure !== undefined))(
    'hold what RFC 9901 gives: $source',
    ({ disclosure, digest }) => {
      expect(digestOf(disclosure as unknown as Tree)).toBe(digest);
    },
  );
});
