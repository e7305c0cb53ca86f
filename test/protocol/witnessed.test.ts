// Protocol V182 to V186: witnesses that a reader demands.
import { describe, expect, it } from 'vitest';
import {
  completenessClaims,
  ProtocolError,
  parseWitnessPolicy,
  reportOfRecord,
  statedAnchors,
  timeClaims,
  withStatedAnchors,
} from '../../src/protocol/index.ts';
import { isMlDsaSignature } from '../../src/protocol/ml-dsa/index.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { CHECKPOINT_TRUST, checkpointAt } from '../support/checkpoints.ts';
import { honest } from '../support/dishonest.ts';
import { remembering } from '../support/hosts.ts';
import { verifyProof } from '../support/record-proofs.ts';
import { hostCrypto } from '../support/signing.ts';
import { serviceKids, witnessVectors } from '../support/vectors.ts';
import { named, verifyFile } from '../support/verifying.ts';
import {
  ALPHA,
  ALPHA_PQ,
  BETA,
  carriedCases,
  cosigned,
  malformedScopes,
  policyOf,
  scopedCases,
  T,
  witnessedCases,
  witnessedProofs,
} from '../support/witnessed.ts';

const crypto = remembering(hostCrypto);
const verify = (text: string, checkpoints: readonly string[], threshold: number | null) =>
  verifyFile(text, {
    crypto,
    trustedKids: CHECKPOINT_TRUST,
    checkpoints: checkpoints.map((file, index) => named(`checkpoint ${index}`, file)),
    ...(threshold === null
      ? {}
      : { witnesses: { policy: parseWitnessPolicy(policyOf(threshold)), mlDsa44: isMlDsaSignature } }),
  });

describe('protocol V183 to V185: witnesses that stand behind a bundle', () => {
  it.each([...witnessedCases, ...carriedCases])(
    'says how far for $what',
    async ({ made, checkpoints, threshold, verdict, codes, size, until }) => {
      const report = await verify(makeBundle(made).text, checkpoints, threshold);
      expect([report.verdict, Object.keys(report.finding_counts)]).toEqual([verdict, [...codes].sort()]);
      expect(report.witnessed).toMatchObject({ threshold, organizations: 3, size, until: until ?? null });
    },
  );

  it.each(witnessVectors.cases)(
    'says how far for the policy $policy.threshold of $policy.organizations.length of the vectors',
    async (one) => {
      const report = await verifyFile(witnessVectors.bundle, {
        crypto,
        trustedKids: serviceKids.slice(1),
        witnesses: { policy: parseWitnessPolicy(one.policy), mlDsa44: isMlDsaSignature },
      });
      expect([report.verdict, report.witnessed]).toEqual([one.verdict, expect.objectContaining(one.witnessed)]);
    },
  );

  it.each(scopedCases)('says of $what how far', async ({ policy, verdict, size }) => {
    const report = await verifyFile(honest.text, {
      crypto,
      trustedKids: CHECKPOINT_TRUST,
      checkpoints: [named('given', cosigned(checkpointAt(7), [ALPHA, T], [BETA, T]))],
      witnesses: { policy: parseWitnessPolicy(policy), mlDsa44: isMlDsaSignature },
    });
    expect([report.verdict, report.witnessed?.size ?? null]).toEqual([verdict, size]);
  });

  it('says of one record of the bundle whether it is among those, and claims nothing of a range', async () => {
    const report = await verify(honest.text, [cosigned(checkpointAt(5), [ALPHA, T], [BETA, T])], 2);
    const claims = [5, 6].map((seqNo) => completenessClaims(reportOfRecord(report, seqNo)));
    expect(claims.map((some) => some.map(({ name, status }) => [name, status]))).toEqual([
      [['witnessed', 'pass']],
      [['witnessed', 'not_checked']],
    ]);
    const stamp = { file: 's', verdict: 'verified', size: 5, root: null, late: null, tokens: [] } as const;
    const stamps = [{ ...stamp, existed_before: '2026-11-22T00:00:00.000Z', said_by: 'CN=A', reaches: 5 }];
    const timed = { ...report, times: { stamps, not_before: [], not_noted: ['a line'] } };
    expect([5, 6].map((seqNo) => timeClaims(reportOfRecord(timed, seqNo)).map(({ status }) => status))).toEqual([
      ['pass', 'not_checked'],
      [],
    ]);
  });

  it.each(scopedCases)('reads a policy back as it was stated: $what', ({ policy }) => {
    const stated = withStatedAnchors(['a key'], { witnesses: parseWitnessPolicy(policy), roots: [] });
    expect(JSON.parse(stated[1] ?? '')).toEqual(policy);
    expect(statedAnchors(stated).witnesses).toEqual(parseWitnessPolicy(policy));
  });

  it.each(malformedScopes)('takes no policy with %s', (_, policy) => {
    expect(() => parseWitnessPolicy(policy)).toThrow(ProtocolError);
  });

  it('names who cosigned which checkpoint, when, and whose line does not verify', async () => {
    const whole = cosigned(checkpointAt(7), [ALPHA, T], [ALPHA, T + 5]);
    const { witnessed, findings } = await verify(honest.text, [`${whole}${BETA.line(checkpointAt(5), T)}`], 1);
    expect(witnessed?.checkpoints).toMatchObject([
      {
        file: 'checkpoint 0',
        size: 7,
        reaches: 7,
        cosigned_by: [{ organization: 'Alpha Ltd', at: '2026-11-21T10:00:05.000Z' }],
        not_held: ['Beta'],
      },
    ]);
    expect(findings).toEqual([]);
  });
});

describe('protocol R14: a proof of records that carries checkpoints', () => {
  it.each(witnessedProofs)('says how far with $what', async ({ file, threshold, verdict, size }) => {
    const witnesses = { policy: parseWitnessPolicy(policyOf(threshold)), mlDsa44: isMlDsaSignature };
    const report = await verifyProof(file, { crypto, trustedKids: CHECKPOINT_TRUST, witnesses });
    expect([report.verdict, report.witnessed?.size]).toEqual([verdict, size]);
    expect(completenessClaims(report).map(({ name, status }) => [name, status])).toEqual([
      ['witnessed', verdict === 'verified' ? 'pass' : 'not_checked'],
    ]);
  });

  it('says of witnesses that nobody named no more than that they are there', async () => {
    const [{ file = new Uint8Array() } = {}] = witnessedProofs;
    const report = await verifyProof(file, { crypto, trustedKids: CHECKPOINT_TRUST });
    expect([report.verdict, report.checks.reconciliation.status]).toEqual(['verified', 'not_applicable']);
    expect(completenessClaims(report)).toMatchObject([
      { status: 'not_checked', text: 'no witnesses were named; the file carries checkpoints that others cosigned' },
    ]);
  });
});

describe('protocol V186: completeness as three claims', () => {
  const claims = async (...given: Parameters<typeof verify>) =>
    completenessClaims(await verify(...given)).map(({ name, status, text }) => [name, status, text]);
  const [range, log] = [
    ['range', 'pass', 'no number is missing from 1 to 7'],
    ['log', 'pass', 'the records lead to the signed roots of the log that the file states'],
  ];

  it('says that nothing is witnessed where no witnesses were named', async () => {
    const given = [cosigned(checkpointAt(7), [ALPHA, T])];
    expect(await claims(honest.text, given, null)).toEqual([
      range,
      log,
      ['witnessed', 'not_checked', 'no witnesses were named'],
    ]);
  });

  it('says who stands behind the records, and until when', async () => {
    expect(await claims(honest.text, [cosigned(checkpointAt(7), [ALPHA, T])], 1)).toEqual([
      range,
      log,
      [
        'witnessed',
        'pass',
        'records up to No. 7 are witnessed by 1 of 3 witnesses (Alpha Ltd), who saw no other log until 2026-11-21T10:00:00.000Z',
      ],
    ]);
  });

  it('says which records nobody stands behind', async () => {
    expect((await claims(honest.text, [cosigned(checkpointAt(5), [ALPHA, T])], 1)).at(2)).toEqual([
      'witnessed',
      'not_checked',
      expect.stringMatching(/^records up to No\. 5 .*; records after No\. 5 are not$/),
    ]);
    expect((await claims(honest.text, [], 2)).at(2)).toEqual([
      'witnessed',
      'not_checked',
      'no records are witnessed by 2 of 3 witnesses: no checkpoint was given that the bundle leads to',
    ]);
  });

  it('claims nothing of a bundle that fails, nor of one without records', async () => {
    const text = honest.text.replace('"seq_no":3', '"seq_no":4');
    const failed = await claims(text, [cosigned(checkpointAt(7), [ALPHA, T])], 1);
    expect(failed.map(([, status]) => status)).not.toContain('pass');
    const empty = await claims(makeBundle({ agents: 1, epochs: [] }).text, [], null);
    expect(empty.map(([, status]) => status)).toEqual(['not_checked', 'not_checked', 'not_checked']);
  });
});

describe('protocol V182: a policy', () => {
  const sound = policyOf(2);
  const [first, ...rest] = sound.organizations;
  it.each([
    ['nothing', null],
    ['no organizations', { threshold: 1, organizations: [] }],
    ['a threshold of 0', { ...sound, threshold: 0 }],
    ['a threshold above their number', { ...sound, threshold: 4 }],
    ['a threshold that is no integer', { ...sound, threshold: 1.5 }],
    ['a member more', { ...sound, extra: 1 }],
    ['an organization without keys', { ...sound, organizations: [{ name: 'a', keys: [] }, ...rest] }],
    ['an organization without a name', { ...sound, organizations: [{ ...first, name: ' ' }, ...rest] }],
    ['a name twice', { ...sound, organizations: [{ ...first, name: 'Beta' }, ...rest] }],
    ['a key of two', { ...sound, organizations: [{ name: 'a', keys: [BETA.vkey] }, ...rest] }],
    [
      'a witness of two, by another key each',
      {
        threshold: 2,
        organizations: [
          { name: 'a', keys: [ALPHA.vkey] },
          { name: 'b', keys: [ALPHA_PQ.vkey] },
        ],
      },
    ],
    ['a key that is none', { ...sound, organizations: [{ name: 'a', keys: ['w+00000000+AA=='] }, ...rest] }],
    ['a key that is no text', { ...sound, organizations: [{ name: 'a', keys: [1] }, ...rest] }],
  ])('is refused with %s', (_, value) => {
    expect(() => parseWitnessPolicy(value)).toThrow(ProtocolError);
  });
});
