import { AGENT_ACTION_PROFILE } from '../../actions/profile/light.ts';
import { nodeCrypto } from '../../node/index.ts';
import {
  type BundleRecord,
  type Disclosures,
  disclosureDigest,
  formatTime,
  type JsonObject,
  MAX_CLOCK_LEAD_MS,
  type OperationRecord,
  parseTime,
} from '../../protocol/index.ts';
import { type Bundle, countsOf } from './bundle.ts';
import { canForge, forge } from './forge.ts';
import { type Mutation, written } from './mutation.ts';

const TOO_LARGE = 'its trees are too large to be built again';
const HOUR_MS = 3_600_000;
/** The longest that an operation may be under way (protocol F30). */
const DAY_MS = 24 * HOUR_MS;

/** What an agent signs in place of a record: members of it, and what is shown of a salted payload. */
interface Told {
  readonly eor: Partial<OperationRecord>;
  readonly disclosures?: Disclosures;
}

/** Who tells a story, and when its record was issued and received and its agent's key made. */
interface Moment {
  readonly issuedAt: number;
  readonly receivedAt: number;
  readonly keyMadeAt: number;
}

type Tale = (moment: Moment) => Told;

function momentOf({ agents }: Bundle, { eor, ear }: BundleRecord): Moment {
  const keys = agents.find(({ agent_id }) => agent_id === eor.agent_id)?.keys ?? [];
  const key = keys.find(({ kid }) => kid === eor.agent_pubkey_kid);
  return {
    issuedAt: parseTime(eor.issued_at),
    receivedAt: parseTime(ear.server_received_at),
    keyMadeAt: key?.created_at ?? 0,
  };
}

/** The bundle whose records tell a story from one of them on, and nothing else, signed by agents and a service of the forger. */
function told(bundle: Bundle, label: string, tales: readonly Tale[], from: number): Bundle {
  const plain = bundle.records.map(({ disclosures: _, ...record }, n) => {
    const { eor, disclosures } = tales[n - from]?.(momentOf(bundle, record)) ?? { eor: { payload: { n } } };
    return { ...record, eor: { ...record.eor, ...eor }, ...(disclosures === undefined ? {} : { disclosures }) };
  });
  // Signed as they stand: what agents say in place of what they said is in them already.
  const { disclosures_digest: _, ...manifest } = bundle.manifest;
  const contents = { ...bundle, manifest, records: plain };
  return forge(
    { ...contents, manifest: { ...manifest, ...countsOf(contents) } },
    { label, agentsToo: true, signs: () => ({}) },
  );
}

/**
 * Records that are signed and sealed, and whose contents tell something that must be found in them.
 * @param fits whether records that follow on one another can tell it; the first that can do
 * @param unfit why none can
 */
function tale(
  about: Omit<Mutation, 'copies'>,
  tales: readonly Tale[],
  fits: (moments: readonly Moment[]) => boolean = () => true,
  unfit = '',
): Mutation {
  return {
    ...about,
    copies: ({ bundle }) => {
      if (!canForge(bundle)) return TOO_LARGE;
      const starts = bundle.records.length - tales.length + 1;
      if (starts < 1) return `the bundle holds fewer than ${tales.length} records`;
      const momentsFrom = (n: number): Moment[] =>
        bundle.records.slice(n, n + tales.length).map((record) => momentOf(bundle, record));
      const from = bundle.records.slice(0, starts).findIndex((_, n) => fits(momentsFrom(n)));
      if (from < 0) return unfit;
      const where = from === 0 ? 'the first records' : `seq_no ${bundle.records[from]?.ear.seq_no} and behind it`;
      return written(where, () => told(bundle, about.id, tales, from));
    },
  };
}

const ACTION = '6f1c4d2e-0b7a-4c3d-8e5f-102030405060';
const SALT = 'AAAAAAAAAAAAAAAAAAAAAA';
const TEN = { value: { to: 'ACME', amount: 10 }, salt: SALT };
const MILLION = { value: { to: 'ACME', amount: 1_000_000 }, salt: SALT };
/** Only a policy may decide in a ledger of which nobody knows whether it has two agents. */
const POLICY = { kind: 'policy', id: 'a policy', mode: 'automatic' };

function says(phase: string, members: JsonObject, eor: Partial<OperationRecord> = {}): Told {
  return { eor: { ...eor, payload: { profile: AGENT_ACTION_PROFILE, phase, action_id: ACTION, ...members } } };
}

const asked: Tale = () => says('asked', { tool: { name: 'pay' }, input: TEN });
const approved = (members: JsonObject = {}): Told =>
  says('decided', { decision: { outcome: 'approved', input: TEN, by: POLICY, ...members } });
const decided =
  (members: JsonObject = {}): Tale =>
  () =>
    approved(members);
const paid =
  (input: JsonObject): Tale =>
  () =>
    says('completed', { whole_call: true, tool: { name: 'pay' }, input });

/** The decision says that it was made at a time. */
const decidedAt =
  (at: (moment: Moment) => number): Tale =>
  (moment) => {
    const { eor } = approved();
    return { eor: { ...eor, issued_at: formatTime(at(moment)), ttl_ms: DAY_MS } };
  };
const beforeKey = ({ keyMadeAt }: Moment): number => keyMadeAt - HOUR_MS;
const longAgo = ({ receivedAt }: Moment): number => receivedAt - 20 * HOUR_MS;

const salted = (value: string): Told => {
  const disclosures: Disclosures = { person: [SALT, value] };
  const digest = disclosureDigest([SALT, value], nodeCrypto.sha256);
  return { eor: { payload: { _sd: { person: digest } } }, disclosures };
};

/** What agents and their service sign together, and its contents contradict. */
export const FALSE_APPROVALS: readonly Mutation[] = [
  tale(
    {
      id: 'control-approval',
      title: 'an action asked for, approved and carried out, all signed',
      attack: 'none: control',
      expected: 'coherent',
    },
    [asked, decided(), paid(TEN)],
  ),
  tale(
    {
      id: 'carried-out-other',
      title: 'another input carried out than was approved',
      attack: 'do something else than what was allowed',
      expected: 'incoherent',
      finding: 'EXECUTED_OTHER_THAN_APPROVED',
    },
    [asked, decided(), paid(MILLION)],
  ),
  tale(
    {
      id: 'approved-other',
      title: 'another input approved than was asked for',
      attack: 'have an approval of one thing pass for that of another',
      expected: 'incoherent',
      finding: 'DECIDED_ON_OTHER_THAN_ASKED',
    },
    [asked, decided({ input: MILLION }), paid(MILLION)],
  ),
  tale(
    {
      id: 'approved-after',
      title: 'the approval entered after the action',
      attack: 'have what was done allowed afterwards',
      expected: 'incoherent',
      finding: 'APPROVED_AFTER',
    },
    [asked, paid(TEN), decided()],
  ),
  tale(
    {
      id: 'approved-after-backdated',
      title: 'the approval entered after the action, dated a minute earlier',
      attack: 'the same, with an earlier time',
      expected: 'incoherent',
      finding: 'APPROVED_AFTER',
    },
    [asked, paid(TEN), decidedAt(({ receivedAt }) => receivedAt - 60_000)],
  ),
  tale(
    {
      id: 'decided-before-asked',
      title: 'a decision dated before the question',
      attack: 'have an old decision answer a new question',
      expected: 'incoherent',
      finding: 'DECIDED_BEFORE_ASKED',
    },
    [asked, decidedAt(longAgo), paid(TEN)],
    // Where the service's clock jumped between them, even then the question had been asked.
    ([question, decision]) =>
      question !== undefined && decision !== undefined && longAgo(decision) + MAX_CLOCK_LEAD_MS < question.issuedAt,
    'its records came many hours after one another',
  ),
  tale(
    {
      id: 'decided-before-key',
      title: 'a decision dated before its key was there',
      attack: 'let somebody have decided who joined later',
      expected: 'incoherent',
      finding: 'DECIDED_BEFORE_KEY',
    },
    [asked, decidedAt(beforeKey), paid(TEN)],
    (moments) => moments.every((moment) => moment.receivedAt - beforeKey(moment) < DAY_MS),
    'its records came a day or more after their keys',
  ),
  tale(
    {
      id: 'carried-out-denied',
      title: 'an action carried out after it was denied',
      attack: 'do what was not allowed',
      expected: 'incoherent',
      finding: 'EXECUTED_THOUGH_DENIED',
    },
    [asked, decided({ outcome: 'denied' }), paid(TEN)],
  ),
  tale(
    {
      id: 'reuse-salt',
      title: 'one salt for the same member of two salted payloads, all signed',
      attack: 'let persons be told by trial',
      expected: 'unverified',
      finding: 'SALT_REUSED',
    },
    [() => salted('Ada'), () => salted('Grace')],
  ),
];
