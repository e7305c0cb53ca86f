// The three verifiers beside each other on bundles that were changed at random: `npm run fuzz` does more of the same.
import { afterAll, describe, expect, it } from 'vitest';
import {
  type BundleRecord,
  type FindingCode,
  formatTime,
  recordProofBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  utf8,
  type Verdict,
} from '../../src/protocol/index.ts';
import {
  makeBundle,
  only,
  otherSignature,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  uuid,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { emptyRange } from '../support/dishonest.ts';
import { seedOf, share } from '../support/extent.ts';
import { agree, type Compared, Comparison, type GivenFiles } from '../support/fuzz/compare.ts';
import { mutantOf, WAYS } from '../support/fuzz/mutant.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { proofOf } from '../support/record-proofs.ts';

/** A difference between the verifiers that was found, with the verdict that the protocol wants. */
interface Found {
  readonly what: string;
  readonly verdict: Verdict | 'unreadable';
  /** The code of the first finding, where that was what differed. */
  readonly first?: FindingCode;
  readonly file: string | Uint8Array;
  readonly against?: string | readonly string[];
  readonly receipts?: string;
}

const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2], rotation: true };
const honest = makeBundle(WHOLE);
const range = makeBundle({ ...WHOLE, range: [2, 5] });
const proof = new TextDecoder().decode(recordProofBytes(await proofOf(WHOLE, 2, 5)));
/** The same records in epochs of other lengths: both are signed, and they cannot both be. */
const otherEpochs = makeBundle({ ...WHOLE, epochs: [2, 2, 3] }).text;
/** A ledger of one service key, and the same before its last epoch. */
const oneKey: Plan = { ...WHOLE, rotation: false };
const earlier = makeBundle({
  ...oneKey,
  epochs: [2, 3],
  manifest: (draft) => ({ ...draft, created_at: formatTime(START + 5600) }),
}).text;
const [, keyOfAgent2 = ''] = /"agent_id":"agent-2",[^[]*"keys":\[(\{[^}]*\})/.exec(honest.text) ?? [];

interface Events {
  readonly admin_events: readonly { readonly [member: string]: unknown }[];
}

/** The honest bundle with other administrative events. */
function withEvents(change: (events: Events['admin_events']) => Events['admin_events']): string {
  const bundle = JSON.parse(honest.text) as Events;
  return JSON.stringify({ ...bundle, admin_events: change(bundle.admin_events) });
}

/** An event that changes nothing of an agent, withheld; and whole, before another one about the agent that states its hash. */
const NEUTRAL = 3;
const neutralWithheld = withEvents((events) =>
  events.with(NEUTRAL, {
    created_at: at(events, NEUTRAL)['created_at'],
    prev_event_hash: at(events, NEUTRAL)['prev_event_hash'],
    event_hash: at(events, NEUTRAL)['event_hash'],
  }),
);
const neutralBorrowed = withEvents((events) =>
  events.toSpliced(NEUTRAL + 1, 0, { ...at(events, NEUTRAL), event_id: uuid('another'), action: 'agent.freeze' }),
);

/** The honest bundle with a byte in the text of a member that begins no character of UTF-8. */
function withoutUtf8(after: string): Uint8Array {
  const file = utf8(honest.text);
  file[honest.text.indexOf(after) + after.length] = 0xff;
  return file;
}

/** The honest bundle with a member moved to its beginning. */
const beginningWith = (member: RegExp): string => {
  const [found = ''] = member.exec(honest.text) ?? [];
  return honest.text.replace(found, '').replace('{', `{${found}`);
};

/** A first service key that names one before it, which the bundle lacks, and has itself signed by it. */
function followingNobody(key: ServiceKey): ServiceKey {
  const statement = { ...key, prev_kid: serviceKid(4) };
  const message = serviceKeySignedBytes(statement);
  return { ...statement, self_signature: sign(serviceSeed(0), message), prev_signature: sign(serviceSeed(4), message) };
}

const unsigned = ({ eor, ear, ...rest }: BundleRecord): BundleRecord => ({
  ...rest,
  eor,
  ear: { ...ear, service_signature: otherSignature() },
});

const FOUND: readonly Found[] = [
  {
    what: 'an organization that cannot be read, held against a file whose manifest cannot',
    verdict: 'failed',
    file: honest.text.replace(/("org":\{"org_id":"[^"]*","name":)"[^"]*"/, '$1{}'),
    against: honest.text.replace('"manifest":{', '"manifest":{"other":1,'),
  },
  {
    what: 'an organization that only the other file lacks',
    verdict: 'incomplete',
    file: honest.text,
    against: honest.text.replace(/"org":\{[^}]*\},/, ''),
  },
  {
    what: 'an epoch of the other file that ends before it begins, where one of the bundle does',
    verdict: 'failed',
    first: 'EQUIVOCATION',
    file: makeBundle({ ...oneKey, epochs: [2, 3] }).text,
    against: makeBundle({
      ...oneKey,
      range: [6, 7],
      epoch: only(2, (epoch) => ({ ...epoch, last_seq_no: 5, log_root: `sha256:${'5'.repeat(64)}` })),
    }).text,
  },
  { what: 'a format that is not UTF-8', verdict: 'failed', file: withoutUtf8('"format":"') },
  {
    what: 'a first member of a wrong shape, before it is known to be a bundle',
    verdict: 'failed',
    file: beginningWith(/"org":\{[^}]*\},/).replace(/"org_id":"[^"]*"/, '"org_id":1'),
  },
  {
    what: 'a file of another organization whose agents have the same names',
    verdict: 'incomplete',
    file: honest.text,
    against: makeBundle({ ...WHOLE, orgId: 'org_other' }).text,
  },
  {
    what: 'a service key that follows one which the bundle lacks, and follows none in the other file',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, serviceKey: only(0, followingNobody) }).text,
    against: honest.text,
  },
  {
    what: 'a payload of the other file that nests too deep to be hashed',
    verdict: 'incomplete',
    file: honest.text,
    against: honest.text.replace('"payload":{', `"payload":{"deep":${'['.repeat(256)}${']'.repeat(256)},`),
  },
  {
    what: 'a manifest of the other file that was changed',
    verdict: 'incomplete',
    file: honest.text,
    against: honest.text.replace('"record_count":7', '"record_count":8'),
  },
  {
    what: 'a file of another format, whose epochs are others',
    verdict: 'incomplete',
    file: honest.text,
    against: otherEpochs.replace(/"format":"[^"]*"/, '"format":"org_other"'),
  },
  {
    what: 'a file that says only at its end that it is of another format',
    verdict: 'incomplete',
    file: honest.text,
    against: otherEpochs.replace(/"format":"[^"]*",/, '').replace(/\}\s*$/, ',"format":"org_other"}'),
  },
  {
    what: 'a file whose format cannot be read',
    verdict: 'incomplete',
    file: honest.text,
    against: otherEpochs.replace(/"format":"[^"]*"/, '"format":"\\ud800"'),
  },
  {
    what: 'a file without a format, whose epochs are others',
    verdict: 'failed',
    file: honest.text,
    against: otherEpochs.replace(/"format":"[^"]*",/, ''),
  },
  {
    what: 'a file whose signed manifest lists one of its records twice',
    verdict: 'verified',
    file: makeBundle({ ...WHOLE, range: [2, 4] }).text,
    against: makeBundle({
      ...WHOLE,
      contents: (held) => ({ ...held, records: [...held.records, at(held.records, 1)] }),
    }).text,
  },
  {
    what: "another log root in an epoch to whose end one agent's records lead",
    verdict: 'failed',
    file: makeBundle({
      ...WHOLE,
      agents: 1,
      range: [1, 4],
      onlyAgent: 0,
      epoch: only(0, (epoch) => ({ ...epoch, log_root: `sha256:${'5'.repeat(64)}` })),
    }).text,
  },
  {
    what: 'a key that the other file lists below another agent',
    verdict: 'verified',
    file: honest.text,
    against: honest.text.replace(/("agent_id":"agent-1",[^[]*"keys":\[)\{[^}]*\}/, `$1${keyOfAgent2}`),
  },
  {
    what: 'an attestation of the other file that was changed',
    verdict: 'incomplete',
    file: honest.text,
    against: honest.text.replace(/"kid":"k1",([^}]*"created_at":)\d+/, '"kid":"k1",$11'),
  },
  {
    what: 'a receipt that was changed, of the record next after the range',
    verdict: 'incomplete',
    file: range.text,
    receipts: [at(range.receipts, 2), { ...at(range.receipts, 5), receipt_id: 'another' }]
      .map((receipt) => JSON.stringify(receipt))
      .join('\n'),
  },
  {
    what: 'a text without its first quotation mark',
    verdict: 'failed',
    file: honest.text.replace('"format":"', '"format":'),
  },
  { what: 'two colons after a name', verdict: 'failed', file: honest.text.replace('"format":', '"format"::') },
  { what: 'a word with a bracket in it', verdict: 'failed', file: honest.text.replace('"format":"', '"format":a[') },
  { what: 'no value after a name', verdict: 'unreadable', file: honest.text.replace(/"format":"[^"]*"/, '"format":') },
  {
    what: 'two members of a bundle, and an array that has no end where a third one has none',
    verdict: 'unreadable',
    file: '{"service_keys":[],"agents":[],"org":[[',
  },
  {
    what: 'a proof with a member twice, before the one that says that it is a proof',
    verdict: 'unreadable',
    file: proof.replace('"org_id":', '"org_id":"","org_id":'),
  },
  { what: 'an empty range between two epochs', verdict: 'incomplete', file: makeBundle(emptyRange()).text },
  {
    what: 'a manifest of the other file that names another organization',
    verdict: 'verified',
    file: honest.text,
    against: honest.text.replace(/("manifest":\{.*"org_id":")org_/, '$1other_'),
  },
  {
    what: 'an epoch of the other file that its neighbour states otherwise',
    verdict: 'incomplete',
    file: honest.text,
    against: makeBundle({ ...WHOLE, range: [1, 4] }).text.replace(
      /("edges":\{.*"prev_epoch_hash":")sha256:[0-9a-f]{64}/,
      `$1sha256:${'5'.repeat(64)}`,
    ),
  },
  {
    what: "an agent's key with an end in an earlier file, although its status is active",
    verdict: 'incomplete',
    file: makeBundle(oneKey).text,
    against: earlier.replace(keyOfAgent2, keyOfAgent2.replace('"retired_at":null', '"retired_at":1777626000001')),
  },
  {
    what: 'an event about an agent with the hash of one that another file withholds, and may',
    verdict: 'verified',
    file: honest.text,
    against: [neutralWithheld, neutralBorrowed],
  },
  {
    what: 'a format that is an array, before epochs that are others',
    verdict: 'incomplete',
    file: honest.text,
    against: otherEpochs.replace(/"format":"[^"]*"/, '"format":[]'),
  },
  {
    what: 'a record of the other file that continues a chain otherwise, behind one in its place that nobody signed',
    verdict: 'failed',
    file: makeBundle({ ...oneKey, range: [1, 3] }).text,
    against: makeBundle({
      ...oneKey,
      range: [6, 7],
      record: only(6, (draft) => ({ ...draft, prev_chain_hash: at(honest.receipts, 0).chain_hash })),
      bundle: (bundle) => ({ ...bundle, records: bundle.records.flatMap((record) => [unsigned(record), record]) }),
    }).text,
  },
  {
    what: 'an array of the other file that is none, before statements that contradict',
    verdict: 'incomplete',
    file: honest.text,
    against: otherEpochs.replace(/"service_keys":\[.*?\],\n/s, '"service_keys":{},\n'),
  },
  {
    what: 'an unknown member of the other file, before statements that contradict',
    verdict: 'incomplete',
    file: honest.text,
    against: otherEpochs.replace('{', '{"other":1,'),
  },
  {
    what: 'more than 1,000 malformed epochs of the other file, before statements that contradict',
    verdict: 'incomplete',
    file: makeBundle(oneKey).text,
    against: makeBundle({ ...oneKey, epochs: [2, 2, 3] }).text.replace('"epochs":[', `"epochs":[${'0,'.repeat(1001)}`),
  },
  {
    what: 'records of the other file that are no array',
    verdict: 'incomplete',
    file: honest.text,
    against: honest.text.replace(/"records":\[.*\n\]/s, '"records":{}'),
  },
  {
    what: 'an agent frozen, never registered',
    verdict: 'failed',
    first: 'DIRECTORY_MISMATCH',
    file: makeBundle({
      ...oneKey,
      adminEvent: only(0, (event) => ({ ...event, action: 'agent.freeze', details: {} })),
    }).text,
  },
  {
    what: 'an epoch 2 that begins at 1',
    verdict: 'failed',
    first: 'EPOCH_GAP',
    file: makeBundle({
      ...WHOLE,
      range: [1, 3],
      onlyAgent: 1,
      epoch: only(1, (epoch) => ({ ...epoch, first_seq_no: 1 })),
    }).text,
  },
  {
    what: 'a head that ends before the last record',
    verdict: 'failed',
    first: 'MANIFEST_MISMATCH',
    file: makeBundle({
      ...oneKey,
      manifest: (draft) => ({ ...draft, log_head: { seq_no: 5, epoch_no: 2 } }),
    }).text,
  },
  {
    what: "records of others in one agent's bundle",
    verdict: 'failed',
    file: makeBundle({
      ...oneKey,
      manifest: (draft) => ({ ...draft, filter: { ...draft.filter, agent_id: 'agent-1' } }),
    }).text,
  },
  {
    what: "another operation's record after the range",
    verdict: 'failed',
    first: 'EDGE_INVALID',
    file: makeBundle({
      ...oneKey,
      range: [2, 4],
      onlyAgent: 0,
      receipt: only(4, (receipt) => ({ ...receipt, operation_id: uuid('another') })),
    }).text,
  },
];

/** What was found, as a reader gives it. */
function given({ file, against, receipts }: Omit<Found, 'what' | 'verdict'>): GivenFiles {
  const bytes = (texts: string | readonly string[] = []): Uint8Array[] => [texts].flat().map((text) => utf8(text));
  return {
    file: typeof file === 'string' ? utf8(file) : file,
    trust: [serviceKid(0)],
    trustAgent: [],
    madeNotBefore: null,
    receipts: bytes(receipts),
    against: bytes(against),
    checkpoints: [],
  };
}

const COUNT = share(300);
const SEED = seedOf(20_261);

/** What each came to, as the assertion shows it: `npm run fuzz -- --seed … --only …` tells more. */
function told({ mutant, said }: Compared): string {
  const verdicts = said.map(({ reader, verdict, first }) => `${reader} ${verdict} ${first}`).join(', ');
  return `--seed ${SEED} --only ${mutant.number}: ${verdicts} (${mutant.how})`;
}

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing)', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  it.each(FOUND)('come to one verdict and one first finding where they once did not: $what', async (found) => {
    const compared = await comparison.compare(given(found));
    const { answers } = compared;
    expect(VERIFIERS.map((name) => answers[name].verdict)).toEqual(VERIFIERS.map(() => found.verdict));
    const first = found.first ?? answers.protocol.first;
    expect(VERIFIERS.map((name) => answers[name].first)).toEqual(VERIFIERS.map(() => first));
  });

  it.each([
    ['records', 10_000, honest.text],
    ['epochs', 1000, honest.text],
    ['service_keys', 1000, proof],
  ])('read on past malformed %s, %i of them, and stop at one more', async (array, most, text) => {
    const filled = (count: number) => text.replace(`"${array}":[`, `"${array}":[${'0,'.repeat(count)}`);
    for (const [count, isReadOn] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      const compared = await comparison.compare(given({ file: filled(count) }));
      const judged = VERIFIERS.map((name) => [compared.answers[name].verdict, compared.answers[name].shown !== null]);
      expect(judged).toEqual(VERIFIERS.map(() => ['failed', isReadOn]));
    }
  });

  it(`come to one verdict and one first finding on ${COUNT} changed files (seed ${SEED})`, async () => {
    const compared: Compared[] = [];
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < COUNT) compared.push(await comparison.ask(await mutantOf(SEED, next++)));
    };
    await Promise.all([work(), work(), work()]);
    expect(compared.filter((one) => !agree(one)).map(told)).toEqual([]);
    expect([...new Set(compared.map(({ mutant }) => mutant.way))].sort()).toEqual(WAYS.map(([, way]) => way).sort());
    const verdicts = Map.groupBy(compared, ({ said }) => at(said, 0).verdict);
    for (const verdict of ['verified', 'incomplete', 'failed'] as const) {
      expect(verdicts.get(verdict)?.length ?? 0, verdict).toBeGreaterThan(COUNT / 20);
    }
  }, 600_000);
});
