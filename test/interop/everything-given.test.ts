// Protocol V107: everything that is given is held against everything else, and a damaged file accuses nobody.
import { afterAll, describe, expect, it } from 'vitest';
import { leafOf } from '../../src/cli/qualify/bundle.ts';
import {
  type AttestedAgentKey,
  agentKeySignedBytes,
  chainHash,
  formatTime,
  fromBase64Url,
  merkleRoot,
  type Receipt,
  recordSignedBytes,
  type ServiceKey,
  serviceKeySignedBytes,
  thumbprint,
  toBase64Url,
  utf8,
  type Verdict,
} from '../../src/protocol/index.ts';
import {
  derived,
  type Made,
  makeBundle,
  only,
  otherSignature,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  signReceipt,
  uuid,
  writeBundle,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { noted, noteText, signatureLine } from '../support/checkpoints.ts';
import { damagesOf } from '../support/damaged-members.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';
import { signing } from '../support/signing.ts';

const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2] };
const madeAt = (ms: number): Pick<Plan, 'manifest'> => ({
  manifest: (draft) => ({ ...draft, created_at: formatTime(ms) }),
});
const whole = makeBundle(WHOLE);
const beginning = makeBundle({ ...WHOLE, range: [1, 2] });
const end = makeBundle({ ...WHOLE, range: [6, 7] });
/** The first two records, before there were more. */
const short = makeBundle({ agents: 2, epochs: [2], ...madeAt(START + 2550) });
/** The ledger with another record behind its second: all of it signed. */
const fork = (index: number): Plan => ({
  ...WHOLE,
  record: only(index, (draft) => ({ ...draft, subject: 'another file' })),
});
const forked = makeBundle(fork(3));
/** The end of the ledger upon another beginning. */
const inventedPrefix = makeBundle({ ...fork(0), agents: 3, range: [7, 7] });
const linesOf = (kept: readonly Receipt[]): string => kept.map((receipt) => JSON.stringify(receipt)).join('\n');
/** The receipts of the first epochs, as the ledger with the other beginning does not have them. */
const beginningOf = makeBundle({ ...WHOLE, agents: 3 }).receipts;

const checkpointOf = ({ bundle }: Made, size: number): string => {
  const text = noteText(size, merkleRoot(bundle.records.slice(0, size).map((record) => leafOf(record))));
  return noted(text, signatureLine(text));
};

const ofSecondAgent = makeBundle({ ...WHOLE, onlyAgent: 1 }).text;
/** The ledger in a file that has another attestation of the first agent's key. */
function withFirstKey(change: (key: AttestedAgentKey) => AttestedAgentKey): string {
  const agents = whole.bundle.agents.map((agent, n) => (n === 0 ? { ...agent, keys: agent.keys.map(change) } : agent));
  return writeBundle({ ...whole.bundle, agents });
}
function revokedAt(retired_at: number): (key: AttestedAgentKey) => AttestedAgentKey {
  return (active) => {
    const key = { ...active, status: 'revoked' as const, retired_at };
    const bytes = agentKeySignedBytes(whole.bundle.org.org_id, key, key.service_kid);
    return { ...key, attestation: sign(serviceSeed(0), bytes) };
  };
}
const revoked = revokedAt(START + 50_000_000);
const revokedLater = revokedAt(START + 60_000_000);

/** The ledger in a file that has one more service key, which took over from the first. */
function withSuccessor(label: string, damaged: Partial<ServiceKey> = {}): string {
  const first = at(whole.bundle.service_keys, 0);
  const seed = derived(label);
  const publicKey = signing.publicKey(seed);
  const statement = {
    kid: thumbprint(publicKey),
    public_key: toBase64Url(publicKey),
    created_at: START + 50_000_000,
    prev_kid: serviceKid(0),
  };
  const bytes = serviceKeySignedBytes(statement);
  const signatures = { self_signature: sign(seed, bytes), prev_signature: sign(serviceSeed(0), bytes) };
  const key = { ...first, ...statement, ...signatures, ...damaged };
  return writeBundle({ ...whole.bundle, service_keys: [...whole.bundle.service_keys, key] });
}

/** The second epoch has another time, above the signature of the true one. */
const damagedEpoch = writeBundle({
  ...whole.bundle,
  epochs: whole.bundle.epochs.map((epoch, n) => (n === 1 ? { ...epoch, end_time: epoch.start_time } : epoch)),
});

/** The third and the fourth record name the same one before them, and are of different agents. */
const sharedPrevious: Plan = {
  ...WHOLE,
  record: only(3, (draft) => ({ ...draft, prev_chain_hash: at(whole.receipts, 0).chain_hash })),
};

/** A record that continues a chain where the fifth does, with a receipt that nobody signed, of a number that no other file has. */
function rivalOfFifth(): string {
  const record = at(whole.bundle.records, 4);
  const { gap: _, ...rest } = record;
  const operation_id = uuid('rival');
  const eor = { ...record.eor, operation_id, nonce: 'another-nonce-0001' };
  const chain_hash = chainHash(recordSignedBytes(eor), fromBase64Url(eor.signature, 64));
  const ear = {
    ...record.ear,
    seq_no: 90,
    operation_id,
    chain_hash,
    server_received_at: formatTime(START + 86_400_000 * 300),
  };
  return writeBundle({ ...whole.bundle, records: [{ ...rest, eor, ear }] });
}

/** The ledger under the same administrative log, its directory signed with another name. */
function named(what: 'integration_type' | 'display_name' | 'organization'): string {
  const contents: Plan['contents'] = ({ org, agents, ...rest }) => ({
    ...rest,
    org: what === 'organization' ? { ...org, name: 'Example Bank' } : org,
    agents: agents.map((agent, n) => (n === 0 && what !== 'organization' ? { ...agent, [what]: 'person' } : agent)),
  });
  return makeBundle({ ...WHOLE, contents, ...madeAt(START + 90_000_000) }).text;
}

interface Given {
  readonly what: string;
  readonly verdict: Verdict;
  readonly code?: string;
  readonly file: string;
  readonly receipts?: readonly string[];
  readonly against?: readonly string[];
  readonly checkpoints?: readonly string[];
}

const GIVEN: readonly Given[] = [
  {
    what: 'two longer bundles of one ledger',
    verdict: 'verified',
    file: short.text,
    against: [whole.text, whole.text],
  },
  {
    what: 'two longer bundles that contradict each other behind the end of the first',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: short.text,
    against: [whole.text, forked.text],
  },
  {
    what: 'the same the other way round, of a range',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    against: [forked.text, whole.text],
  },
  {
    what: 'two receipts of one number outside the range, in two files',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    receipts: [linesOf(whole.receipts), linesOf(forked.receipts.slice(3, 4))],
  },
  {
    what: 'two receipts of one operation under two numbers outside the range',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    receipts: [
      linesOf(
        [...whole.receipts, signReceipt({ ...at(whole.receipts, 4), seq_no: 6 })].filter(
          ({ seq_no }, n) => seq_no !== 6 || n > 6,
        ),
      ),
    ],
  },
  {
    what: 'two receipts of one number of which one is not signed',
    verdict: 'incomplete',
    code: 'RECEIPT_SIGNATURE_INVALID',
    file: beginning.text,
    receipts: [linesOf([{ ...at(forked.receipts, 3), service_signature: otherSignature() }, ...whole.receipts])],
  },
  {
    what: 'receipts from the first on that lead to the frontier of a range',
    verdict: 'verified',
    file: end.text,
    receipts: [linesOf(whole.receipts)],
  },
  {
    what: 'receipts from the first on that lead to another root than the frontier of a range',
    verdict: 'failed',
    code: 'CONTRADICTION',
    file: inventedPrefix.text,
    receipts: [linesOf([...beginningOf.slice(0, 6), at(inventedPrefix.receipts, 6)])],
  },
  {
    what: 'receipts from the first on beside a checkpoint of another root of their size, outside the range',
    verdict: 'failed',
    code: 'CONTRADICTION',
    file: beginning.text,
    receipts: [linesOf(whole.receipts)],
    checkpoints: [checkpointOf(forked, 4)],
  },
  {
    what: 'a checkpoint beside an epoch of another file that seals another root of its size',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    against: [whole.text],
    checkpoints: [checkpointOf(forked, 7)],
  },
  {
    what: 'a receipt that another file given should hold and lacks',
    verdict: 'failed',
    code: 'RECORD_OMITTED',
    file: beginning.text,
    against: [
      makeBundle({
        ...WHOLE,
        onlyAgent: 0,
        range: [1, 6],
        contents: (contents) => ({ ...contents, records: contents.records.slice(0, -1) }),
      }).text,
    ],
    receipts: [linesOf(whole.receipts)],
  },
  {
    what: 'two attestations behind a damaged one that has the signature of the first',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: ofSecondAgent,
    against: [
      withFirstKey((key) => ({ ...key, attestation: revoked(key).attestation })),
      withFirstKey(revoked),
      withFirstKey(revokedLater),
    ],
  },
  {
    what: 'two successors of a service key behind a copy of the first that the key before did not sign',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    against: [
      withSuccessor('one', { prev_signature: otherSignature() }),
      withSuccessor('one'),
      withSuccessor('another'),
    ],
  },
  {
    what: 'a checkpoint of another root than an epoch, behind a damaged one that has its signature',
    verdict: 'failed',
    code: 'EQUIVOCATION',
    file: beginning.text,
    against: [damagedEpoch, whole.text],
    checkpoints: [checkpointOf(forked, 5)],
  },
  {
    what: 'records of two agents that name the same one before them',
    verdict: 'verified',
    file: makeBundle({ ...sharedPrevious, range: [4, 7] }).text,
    against: [makeBundle({ ...sharedPrevious, range: [3, 3] }).text],
  },
  {
    what: 'another record of an agent behind the same one, in a file without a manifest',
    verdict: 'failed',
    code: 'CONTRADICTION',
    file: whole.text,
    against: [JSON.stringify({ ...forked.bundle, records: forked.bundle.records.slice(3), manifest: undefined })],
  },
  ...(['integration_type', 'display_name', 'organization'] as const).map(
    (what): Given => ({
      what: `a file with the same administrative log and another ${what}`,
      verdict: 'failed',
      code: 'CONTRADICTION',
      file: whole.text,
      against: [named(what)],
    }),
  ),
  {
    what: 'a file with another name in it that no signature covers',
    verdict: 'incomplete',
    code: 'RECEIPT_SIGNATURE_INVALID',
    file: whole.text,
    against: [whole.text.replace(/"display_name":"[^"]*"/, '"display_name":"Ada Lovelace (CFO)"')],
  },
  ...[
    [rivalOfFifth(), whole.text],
    [whole.text, rivalOfFifth()],
  ].map(
    (against, n): Given => ({
      what: `a record that continues a chain where ${n === 0 ? 'a later' : 'an earlier'} file has another, not signed`,
      verdict: 'incomplete',
      code: 'RECEIPT_SIGNATURE_INVALID',
      file: end.text,
      against,
    }),
  ),
];

const HONEST: readonly (readonly [what: string, own: Made, other: Made])[] = [
  [
    'a later bundle beside an earlier one',
    makeBundle({ ...WHOLE, rotation: true }),
    makeBundle({ agents: 2, epochs: [2, 3], ...madeAt(START + 5550) }),
  ],
  ['a range beside the whole', makeBundle({ ...WHOLE, range: [2, 5] }), whole],
  ["one agent's beside the whole", makeBundle({ ...WHOLE, onlyAgent: 0, range: [2, 6] }), whole],
];
/** Every so many of the damages, since one of the verifiers is slow. */
const STRIDE = 13;

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing), given much to compare', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  const judge = ({ file, receipts = [], against = [], checkpoints = [] }: Given): ReturnType<Comparison['compare']> =>
    comparison.compare({
      file: utf8(file),
      trust: [serviceKid(0)],
      trustAgent: [],
      madeNotBefore: null,
      receipts: receipts.map(utf8),
      against: against.map(utf8),
      checkpoints: checkpoints.map(utf8),
    });

  it.each(GIVEN)('$what: $verdict', async (given) => {
    const { answers } = await judge(given);
    expect(VERIFIERS.map((name) => answers[name].verdict)).toEqual(VERIFIERS.map(() => given.verdict));
    for (const name of VERIFIERS) if (given.code !== undefined) expect(answers[name].codes).toContain(given.code);
  });

  it.each(HONEST)(
    'accuse nobody where a member of %s is damaged',
    async (_, own, other) => {
      const accused: string[] = [];
      const look = async (what: string, file: string, against: string): Promise<void> => {
        const { answers } = await judge({ what, verdict: 'failed', file, against: [against] });
        for (const name of VERIFIERS) {
          const found = answers[name].roots.filter((code) => code === 'EQUIVOCATION' || code === 'CONTRADICTION');
          if (found.length > 0) accused.push(`${name}: ${what}: ${found.join()}`);
        }
      };
      for (const [n, { what, text }] of damagesOf(own.bundle).entries()) {
        if (n % STRIDE === 0) await look(`own ${what}`, text, other.text);
      }
      for (const [n, { what, text }] of damagesOf(other.bundle).entries()) {
        if (n % STRIDE === 1) await look(`other ${what}`, own.text, text);
      }
      expect(accused).toEqual([]);
    },
    600_000,
  );
});
