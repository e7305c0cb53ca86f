// Salted payloads and disclosures before the three verifiers: the vector, and one change of it at a time.
import { afterAll, describe, expect, it } from 'vitest';
import { type FindingCode, sha256, toBase64Url, utf8, type Verdict } from '../../src/protocol/index.ts';
import { at } from '../support/bytes.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { digestOf } from '../support/fuzz/disclosures.ts';
import { shownText } from '../support/fuzz/job.ts';
import { LEVELS, type Level, reseal } from '../support/fuzz/reseal.ts';
import { textOf } from '../support/fuzz/text.ts';
import { type Branch, branchesOf, type Tree } from '../support/fuzz/tree.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import {
  bundleTexts,
  type DisclosureSteps,
  disclosedBundleText,
  disclosedKids,
  disclosureVectors,
  serviceKids,
} from '../support/vectors.ts';

type Shown = { [name: string]: Tree[] };

/** A record of the bundle with what the tests change of it. */
interface Disclosed extends Branch {
  eor: Branch;
  disclosures: Shown;
}

interface Case {
  readonly what: string;
  readonly change: (record: (seqNo: number) => Disclosed, bundle: Branch) => void;
  readonly verdict: Verdict;
  /** All codes of findings, in order. */
  readonly codes: readonly FindingCode[];
  /** What is signed again after the change. */
  readonly levels: readonly Level[];
  /** What somebody without a key does then. */
  readonly afterwards?: Case['change'];
}

const SALT = 'A'.repeat(22);
/** Forms that would name two values of a member, were they those of a salted payload. */
const OTHER_VALUES: readonly (readonly [what: string, digests: (two: string[]) => Tree])[] = [
  ['a list has the digests of', (two) => two.toSorted()],
  ['one name has the digests of', (two) => ({ amount: two })],
];
const COUNTED: readonly Level[] = ['counts', 'manifest'];

const fails = (code: FindingCode, what: string, change: Case['change'], levels: readonly Level[] = COUNTED): Case => ({
  what,
  change,
  levels,
  verdict: 'failed',
  codes: [code],
});
const holds = (what: string, change: Case['change']): Case => ({
  what,
  change,
  verdict: 'verified',
  codes: [],
  levels: LEVELS,
});

const warns = (what: string, change: Case['change']): Case => ({
  what,
  change,
  verdict: 'verified',
  codes: ['SALT_REUSED'],
  levels: LEVELS,
});

/** Gives a record other disclosures, and a payload that has exactly their digests. */
function salt(record: Disclosed, disclosures: Shown, members: Branch = {}): void {
  record.disclosures = disclosures;
  const digests = Object.entries(disclosures).map(([name, one]) => [name, String(digestOf(one))] as const);
  record.eor['payload'] = { ...members, _sd: Object.fromEntries(digests) };
}

const saltOf = (bytes: number, fill = 7): string => toBase64Url(new Uint8Array(bytes).fill(fill));
/** Members, each with a salt of its own. */
const numbered = (count: number): Shown =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, [toBase64Url(sha256(utf8(`salt ${n}`))), n]]));
const nested = (levels: number): Tree => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as Tree;

/** Disclosures that have to be refused before anybody looks at payloads. */
const malformed = (what: string, disclosures: Tree): Case =>
  fails('MALFORMED', what, (record) => {
    (record(1) as Branch)['disclosures'] = disclosures;
  });

const CASES: readonly Case[] = [
  ...[4, 8].map((seqNo) =>
    fails('DISCLOSURE_INVALID', `one next to the plain payload ${seqNo}`, (record) => {
      record(seqNo).disclosures = { amount: [SALT, 9] };
    }),
  ),
  fails('DISCLOSURE_INVALID', 'one next to a payload that is withheld', (record) => {
    record(5).disclosures = { amount: [SALT, 10] };
  }),
  fails('DISCLOSURE_INVALID', 'another salt', (record) => {
    record(1).disclosures = { ...record(1).disclosures, amount: [SALT, 1250.5] };
  }),
  ...['other', '_sd', 'profile', '...', '', 'toString', '😀'.repeat(257)].map((name) =>
    fails('DISCLOSURE_INVALID', `one under the name ${name.slice(0, 10)}`, (record) => {
      const { amount = [], ...rest } = record(1).disclosures;
      record(1).disclosures = { ...rest, [name]: amount };
    }),
  ),
  fails('DISCLOSURE_INVALID', 'another value', (record) => {
    const [amountSalt = null] = record(1).disclosures['amount'] ?? [];
    record(1).disclosures = { ...record(1).disclosures, amount: [amountSalt, 0] };
  }),
  fails('DISCLOSURE_INVALID', 'those of another record', (record) => {
    record(1).disclosures = record(6).disclosures;
  }),
  fails('DISCLOSURE_INVALID', 'two that have changed their names', (record) => {
    const { amount = [], currency = [], ...rest } = record(1).disclosures;
    record(1).disclosures = { ...rest, amount: currency, currency: amount };
  }),
  ...OTHER_VALUES.map(([what, digests]) =>
    fails(
      'DISCLOSURE_INVALID',
      `one of two values that ${what}`,
      (record) => {
        record(1).disclosures = { amount: [SALT, 1_000_000] };
        record(1).eor['payload'] = {
          _sd: digests([String(digestOf([SALT, 10])), String(digestOf([SALT, 1_000_000]))]),
        };
      },
      LEVELS,
    ),
  ),
  fails(
    'DISCLOSURE_INVALID',
    'of 257 members',
    (record) => {
      salt(record(1), numbered(257));
      delete record(1).disclosures['n256'];
    },
    LEVELS,
  ),
  fails('PAYLOAD_HASH_MISMATCH', 'a payload that was not signed', (record) => {
    record(1).eor['payload'] = { amount: 1 };
  }),
  fails(
    'MANIFEST_MISMATCH',
    'one that is hidden by somebody else',
    (record) => {
      delete record(1).disclosures['amount'];
    },
    [],
  ),
  {
    what: 'one of two equal members shown by somebody else in the place of the other',
    change: (record) => {
      salt(record(1), { a: [SALT, 1], b: [SALT, 1] });
      delete record(1).disclosures['b'];
    },
    levels: LEVELS,
    verdict: 'failed',
    codes: ['MANIFEST_MISMATCH', 'SALT_REUSED'],
    afterwards: (record) => {
      record(1).disclosures = { b: [SALT, 1] };
    },
  },
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
  malformed('a salt of 15 bytes', { n: [saltOf(15), 1] }),
  malformed('a salt of 65 bytes', { n: [saltOf(65), 1] }),
  malformed('a salt with trailing bits', { n: [`${'A'.repeat(21)}B`, 1] }),
  malformed('a salt with padding', { n: [`${SALT}==`, 1] }),
  malformed('a salt that is none', { n: [null, 1] }),
  malformed('no value', { n: [SALT] }),
  malformed('a name next to the value', { n: [SALT, 'n', 1] }),
  malformed('a value that nests 256 levels', { n: [SALT, nested(256)] }),
  malformed('none', {}),
  malformed('a list', [[SALT, 1]]),
  malformed('257 of them', numbered(257)),
  holds('names and salts at their limits', (record) =>
    salt(
      record(1),
      {
        ['😀'.repeat(256)]: [saltOf(64, 1), 1],
        '...': [saltOf(16, 2), null],
        constructor: [saltOf(17, 3), null],
        _sd_alg: [saltOf(63, 4), nested(255)],
      },
      { profile: '😀'.repeat(128) },
    ),
  ),
  holds('256 members', (record) => salt(record(1), numbered(256))),
  holds('257 digests, which are a plain payload', (record) => {
    salt(record(1), numbered(257));
    delete (record(1) as Branch)['disclosures'];
  }),
  holds('no member shown of any record', (record) => {
    for (let seqNo = 1; seqNo <= 13; seqNo++) delete (record(seqNo) as Branch)['disclosures'];
  }),
  warns('one salt for two members of a record', (record) => salt(record(1), { a: [SALT, 1], b: [SALT, 2] })),
  warns('one salt for members of two records', (record) => {
    salt(record(1), { a: [SALT, 1] });
    salt(record(6), { b: [SALT, 2] });
  }),
  warns('one digest in two records, a member of which is withheld', (record) => {
    salt(record(1), { a: [SALT, 1], b: [saltOf(16), 2] });
    salt(record(6), { c: [SALT, 1] });
    delete (record(6) as Branch)['disclosures'];
  }),
];

/** The vector after a change, with what is to be signed of it signed. */
function changed({ change, levels, afterwards }: Case): string {
  const bundle = JSON.parse(disclosedBundleText) as Branch;
  const record = (seqNo: number) => at(branchesOf(bundle['records']) as Disclosed[], seqNo - 1);
  change(record, bundle);
  reseal(bundle, levels);
  afterwards?.(record, bundle);
  return textOf(bundle);
}

describe.skipIf(!hasPython())('disclosures, before three verifiers (skipped where python3 is missing)', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  const judge = (file: string, trust: readonly string[] = disclosedKids, against: readonly string[] = []) =>
    comparison.compare({
      file: utf8(file),
      trust,
      trustAgent: [],
      madeNotBefore: null,
      receipts: [],
      against: against.map(utf8),
      checkpoints: [],
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
      expect([name, verdict, told.toSorted()]).toEqual([name, one.verdict, one.codes]);
    }
    expect(new Set(VERIFIERS.map((name) => answers[name].shown)).size).toBe(1);
  });

  it('are judged alike where a payload has one name twice, with a digest each', async () => {
    const { digest: amount } = at(disclosureVectors.payloads, 0).members['amount'] as DisclosureSteps;
    const twice = `"amount":"${amount}","amount":"${String(digestOf([SALT, 1_000_000]))}"`;
    const { answers } = await judge(disclosedBundleText.replace(`"amount":"${amount}"`, twice));
    for (const name of VERIFIERS) {
      expect([name, answers[name].verdict, answers[name].codes.includes('MALFORMED')]).toEqual([name, 'failed', true]);
    }
  });

  it('are judged alike against a file that shows another value of a member, or another digest of it, and accuse nobody', async () => {
    const { digest: amount } = at(disclosureVectors.payloads, 0).members['amount'] as DisclosureSteps;
    const otherValue = changed(
      fails('DISCLOSURE_INVALID', 'another value', (record) => {
        record(1).disclosures = { ...record(1).disclosures, amount: [SALT, 1_000_000] };
      }),
    );
    const twice = `"amount":"${amount}","amount":"${String(digestOf([SALT, 1_000_000]))}"`;
    for (const other of [otherValue, disclosedBundleText.replace(`"amount":"${amount}"`, twice)]) {
      for (const [file, against, verdict] of [
        [other, disclosedBundleText, 'failed'],
        [disclosedBundleText, other, null],
      ] as const) {
        const { answers } = await judge(file, disclosedKids, [against]);
        const said = VERIFIERS.map((name) => answers[name].verdict);
        expect(new Set(said).size, JSON.stringify(answers)).toBe(1);
        if (verdict !== null) expect(said[0]).toBe(verdict);
        for (const name of VERIFIERS) {
          expect([name, answers[name].codes]).not.toEqual([name, expect.arrayContaining(['EQUIVOCATION'])]);
          expect([name, answers[name].codes]).not.toEqual([name, expect.arrayContaining(['CONTRADICTION'])]);
        }
      }
    }
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
    const digests = Object.entries(members).map(
      ([name, { disclosure }]) => [name, digestOf(disclosure as unknown as Tree)] as const,
    );
    expect(Object.fromEntries(digests)).toEqual(payload['_sd']);
  });

  it.each(disclosureVectors.rfc_9901.filter(({ disclosure }) => disclosure !== undefined))(
    'hold what RFC 9901 gives: $source',
    ({ disclosure, digest }) => {
      expect(digestOf(disclosure as unknown as Tree)).toBe(digest);
    },
  );
});
