// Cases in which verifiers once came to different verdicts, or all of them to the wrong one, each under the label that it was found with.
import { afterAll, describe, expect, it } from 'vitest';
import {
  type AdminEventStatement,
  agentKeySignedBytes,
  type BundleAgent,
  type FindingCode,
  formatTime,
  type Manifest,
  publicKeyOf,
  type Receipt,
  receiptSignedBytes,
  recordSignedBytes,
  toBase64Url,
  utf8,
  type Verdict,
} from '../../src/protocol/index.ts';
import { ALONE, BY_RETIRED, made, TOGETHER } from '../support/adversary-cases.ts';
import {
  agentSeed,
  type Contents,
  later as laterBy,
  makeBundle,
  ORG_ID,
  only,
  otherDigest,
  otherSignature,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  signReceipt,
  uuid,
} from '../support/bundle-maker.ts';
import { at } from '../support/bytes.ts';
import { Comparison } from '../support/fuzz/compare.ts';
import { hasPython, VERIFIERS } from '../support/fuzz/verifier-process.ts';

const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2] };
const HOUR = 3_600_000;
const { text: honest, receipts: honestReceipts } = makeBundle(WHOLE);
const [first, third] = [at(honestReceipts, 0), at(honestReceipts, 2)];
const later = makeBundle({ ...WHOLE, range: [6, 7] }).text;

const filtered = (filter: Partial<Manifest['filter']>): string =>
  makeBundle({ ...WHOLE, manifest: (draft) => ({ ...draft, filter: { ...draft.filter, ...filter } }) }).text;
const named = (name: string): string =>
  makeBundle({ ...WHOLE, contents: (contents) => ({ ...contents, org: { ...contents.org, name } }) }).text;
const agentIs = (change: Partial<BundleAgent>): string =>
  makeBundle({ ...WHOLE, agent: only(0, (agent) => ({ ...agent, ...change })) }).text;
/** The second agent under a name with a space in it. */
const spaced = <T extends { readonly agent_id: string }>(draft: T): T =>
  draft.agent_id === 'agent-2' ? { ...draft, agent_id: 'agent 2' } : draft;
const withKeyOf = (added: Contents['service_keys']): string =>
  makeBundle({
    ...WHOLE,
    contents: (contents) => ({ ...contents, service_keys: [...contents.service_keys, ...added] }),
  }).text;

/** Receipts as an agent keeps them, one on a line. */
const linesOf = (...kept: readonly (Receipt | string)[]): string =>
  kept.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n');
const signedOtherwise = (members: Partial<Receipt>): Receipt => signReceipt({ ...third, ...members });

interface Labelled {
  readonly label: string;
  readonly what: string;
  readonly verdict: Verdict | 'unreadable';
  /** The code of the first finding, where the case is about that. */
  readonly first?: FindingCode;
  readonly file: string;
  readonly against?: string;
  readonly receipts?: string;
  /** Keys that the reader names for agents. */
  readonly trustAgent?: readonly string[];
  /** The service keys that the reader trusts; the first one where left out. */
  readonly trust?: readonly string[];
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
    label: 'B4h',
    what: 'a status that service keys do not have',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, serviceKey: only(0, (key) => ({ ...key, status: 'asleep' as never })) }).text,
  },
  {
    label: 'B4i',
    what: 'an identifier of an agent with a space in it',
    verdict: 'failed',
    file: makeBundle({ agents: 2, epochs: [1, 1], agentKey: spaced, agent: spaced, record: spaced }).text,
  },
  {
    label: 'B4j',
    what: 'a service key that nobody trusts and that signed nothing',
    verdict: 'verified',
    file: withKeyOf(makeBundle({ serviceOffset: 7 }).bundle.service_keys),
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
    label: 'B5f',
    what: 'digits beyond the millisecond at the end of the filter',
    verdict: 'verified',
    file: filtered({ end_time: '2039-12-31T23:59:59.99999Z' }),
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
    file: makeBundle({ ...WHOLE, adminEvent: only(3, (event) => ({ ...event, created_at: START - HOUR })) }).text,
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
    label: 'N',
    what: 'a number with digits that a double does not keep',
    verdict: 'failed',
    file: honest.replace('"seq_no":1,', '"seq_no":1.00000000000000000000001,'),
  },
  {
    label: 'N',
    what: 'a number with an exponent that no double has',
    verdict: 'failed',
    file: honest.replace(/"ttl_ms":\d+/, '"ttl_ms":1e-999999999999999999999'),
  },
  {
    label: 'N',
    what: 'a number written otherwise with the same value',
    verdict: 'verified',
    file: honest.replace('"seq_no":1,', '"seq_no":100.00000000000000000e-0000000000000000000002,'),
  },
  {
    label: 'C13',
    what: 'a payload withheld here and shown in the other file',
    verdict: 'verified',
    file: makeBundle({ ...WHOLE, redacted: [3] }).text,
    against: honest,
  },
];

/** R1, R3 to R5, R7, R8 and R10 to R16 were never described: what stands for them is whatever else a kept receipt can be. */
const KEPT: readonly Labelled[] = [
  { label: 'R', what: 'all of them', verdict: 'verified', file: honest, receipts: linesOf(...honestReceipts) },
  { label: 'R', what: 'one twice', verdict: 'verified', file: honest, receipts: linesOf(third, third) },
  { label: 'R', what: 'ends and blanks', verdict: 'verified', file: honest, receipts: linesOf('', third, '  \t\r') },
  { label: 'R', what: 'a byte order mark', verdict: 'verified', file: honest, receipts: `\ufeff${linesOf(third)}` },
  {
    label: 'R',
    what: 'a mark and nothing else',
    verdict: 'verified',
    file: honest,
    receipts: linesOf('\ufeff', third),
  },
  {
    label: 'R',
    what: 'a bundle with a byte order mark and other ends',
    verdict: 'verified',
    file: `\ufeff${honest.replaceAll('\n', '\r\n')}\r\n`,
    receipts: linesOf(third),
  },
  {
    label: 'R',
    what: 'a bundle with two marks',
    verdict: 'unreadable',
    file: `\ufeff\ufeff${honest}`,
    receipts: linesOf(third),
  },
  {
    label: 'R5',
    what: 'an epoch that is too large, before the type of a proof of records',
    verdict: 'unreadable',
    file: JSON.stringify({ epochs: ['x'.repeat(2000)], type: 'countersign.record-proof.v1' }),
  },
  { label: 'R2', what: 'none within the range', verdict: 'incomplete', file: later, receipts: linesOf(first) },
  {
    label: 'R6',
    what: 'the same statement with a signature that is none',
    verdict: 'verified',
    file: honest,
    receipts: linesOf({ ...third, service_signature: otherSignature() }),
  },
  {
    label: 'R9',
    what: "white space that is not JSON's",
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf(third, '\u00a0\u2003'),
  },
  {
    label: 'R17',
    what: 'a line of more than 65,536 bytes',
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf(third, `${JSON.stringify(first)}${' '.repeat(65_537)}`),
  },
  { label: 'R', what: 'a line of notes', verdict: 'incomplete', file: honest, receipts: linesOf(third, 'my notes') },
  { label: 'R', what: 'an object that is none', verdict: 'incomplete', file: honest, receipts: linesOf(third, '{}') },
  { label: 'R', what: 'nothing at all', verdict: 'incomplete', file: honest, receipts: '' },
  {
    label: 'R',
    what: 'a byte order mark further on',
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf(third, '\ufeff'),
  },
  {
    label: 'R',
    what: 'a member twice',
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf(third, linesOf(third).replace('{', '{"seq_no":3,')),
  },
  {
    label: 'R',
    what: 'another statement that is not signed',
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf({ ...third, chain_hash: otherDigest() }),
  },
  {
    label: 'R',
    what: 'one of another organization',
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf(third, signedOtherwise({ org_id: 'org_other' })),
  },
  {
    label: 'R',
    what: 'one of a key that the bundle does not have',
    verdict: 'incomplete',
    file: honest,
    receipts: linesOf(third, signedOtherwise({ service_kid: serviceKid(7) })),
  },
  {
    label: 'R',
    what: 'another statement under one number',
    verdict: 'failed',
    file: honest,
    receipts: linesOf(signedOtherwise({ chain_hash: otherDigest() })),
  },
  {
    label: 'R',
    what: 'one beyond the head that was received before',
    verdict: 'failed',
    file: honest,
    receipts: linesOf(signedOtherwise({ seq_no: 99 })),
  },
];

const madeAt = (milliseconds: number): NonNullable<Plan['manifest']> => {
  const created_at = formatTime(START + milliseconds);
  return (draft) => ({ ...draft, created_at });
};

/** Before the rotation: without the key that signs what readers keep later. */
const BEFORE_ROTATION: Plan = { agents: 2, epochs: [2, 3] };

/** The agent with one more key, which the log gives it too, and which is the operator's own. */
function withKeyOfOperator(agent: BundleAgent): BundleAgent {
  const key = { ...at(agent.keys, 0), kid: 'k2', public_key: toBase64Url(publicKeyOf(agentSeed(7))) };
  const attestation = sign(serviceSeed(0), agentKeySignedBytes(agent.org_id, key, serviceKid(0)));
  return { ...agent, keys: [...agent.keys, { ...key, attestation }] };
}

/** Said to have been made after the second epoch began, of a ledger that had only the first. */
const BEFORE_THE_EPOCH = makeBundle({
  agents: 2,
  epochs: [2, 1],
  contents: (held) => ({ ...held, records: held.records.slice(0, 2), epochs: held.epochs.slice(0, 1) }),
  manifest: (draft) => madeAt(3300)({ ...draft, log_head: { seq_no: 2, epoch_no: 1 } }),
}).text;

/** What test/model found: each was `verified`, and must not be. */
const OF_THE_MODEL: readonly Labelled[] = [
  {
    label: 'M8',
    what: 'an operation that has another number in a receipt by a later key, which the bundle lacks',
    verdict: 'incomplete',
    file: makeBundle({ ...BEFORE_ROTATION, manifest: madeAt(5600) }).text,
    receipts: linesOf(
      first,
      signReceipt(
        {
          ...third,
          seq_no: 6,
          server_received_at: laterBy(third.server_received_at, 3000),
          service_kid: serviceKid(1),
        },
        1,
      ),
    ),
  },
  {
    label: 'M9',
    what: 'an epoch that began before the bundle was made, in a file by a later key',
    verdict: 'failed',
    file: BEFORE_THE_EPOCH,
    against: makeBundle({ agents: 2, epochs: [2, 1, 2], rotation: true, onlyAgent: 1 }).text,
  },
  {
    label: 'M10',
    what: 'a record next after the range by another key than the reader named',
    verdict: 'failed',
    file: makeBundle({
      ...WHOLE,
      onlyAgent: 0,
      range: [1, 3],
      agent: only(0, withKeyOfOperator),
      record: only(4, (draft) => ({ ...draft, agent_pubkey_kid: 'k2' })),
      signedRecord: only(4, (draft) => ({ ...draft, signature: sign(agentSeed(7), recordSignedBytes(draft)) })),
    }).text,
    trustAgent: [`agent-1=${toBase64Url(publicKeyOf(agentSeed(0)))}`],
  },
  {
    label: 'M11',
    what: 'an event that is older than the bundle, whose log ends before it, in a file by a later key',
    verdict: 'incomplete',
    file: makeBundle({ ...BEFORE_ROTATION, manifest: madeAt(5590) }).text,
    against: makeBundle({
      ...WHOLE,
      rotation: true,
      adminEvent: only(4, (event) => ({ ...event, created_at: START + 5550 })),
    }).text,
  },
];

/** What the holder of the service key could do, each `verified` in every verifier of an earlier form. */
const ADVERSARY: readonly Labelled[] = [
  ...ALONE.map(([label, what, plan]): Labelled => ({ label, what, verdict: 'failed', file: makeBundle(plan).text })),
  ...TOGETHER.map(
    ([label, what, plan, against]): Labelled => ({
      label,
      what,
      verdict: 'failed',
      file: makeBundle(plan).text,
      against: makeBundle(against).text,
    }),
  ),
  {
    label: 'A5b',
    what: 'epochs that end at the end of time',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, epoch: (epoch) => ({ ...epoch, end_time: '9999-12-31T23:59:59.999Z' }) }).text,
  },
  {
    label: 'A23b',
    what: 'everything signed by a retired key, where its successor is trusted',
    verdict: 'failed',
    file: makeBundle(BY_RETIRED).text,
    trust: [serviceKid(1)],
  },
  {
    label: 'C1',
    what: 'kept receipts beyond the head of a bundle of an honest time',
    verdict: 'failed',
    file: makeBundle({ ...BEFORE_ROTATION, manifest: made(formatTime(START + HOUR)) }).text,
    receipts: linesOf(...honestReceipts),
  },
  {
    label: 'C2',
    what: 'kept receipts beyond the head of a bundle from just after its last epoch, which only --made-not-before tells',
    verdict: 'verified',
    file: makeBundle({ ...BEFORE_ROTATION, manifest: madeAt(5600) }).text,
    receipts: linesOf(...honestReceipts),
  },
  {
    label: 'C2c',
    what: 'kept receipts beyond the head of a bundle from before its records',
    verdict: 'failed',
    file: makeBundle({ ...BEFORE_ROTATION, manifest: made('2020-01-01T00:00:00.000Z') }).text,
    receipts: linesOf(...honestReceipts),
  },
  {
    label: 'C4',
    what: 'one key for two agents, which is a warning',
    verdict: 'verified',
    file: makeBundle({
      ...WHOLE,
      agentKey: only(1, (key) => ({ ...key, public_key: toBase64Url(publicKeyOf(agentSeed(0))) })),
      signedRecord: (record) => ({ ...record, signature: sign(agentSeed(0), recordSignedBytes(record)) }),
    }).text,
  },
];

/** A value of so many arrays, one in the other. */
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** The honest bundle with a member in the details of its first event. */
const withDetail = (value: string): string => honest.replace('"details":{', `"details":{"more":${value},`);

/** Two verifiers, or all, once crashed over these. */
const CRASHES: readonly Labelled[] = [
  { label: 'F5', what: 'an event that nests 256 levels deep', verdict: 'failed', file: withDetail(nested(255)) },
  { label: 'F5', what: 'an event that nests 263 levels deep', verdict: 'failed', file: withDetail(nested(262)) },
  {
    label: 'F6',
    what: 'an event of a million values',
    verdict: 'failed',
    file: withDetail(`[${'{},'.repeat(333_333)}{}]`),
  },
];

/** A key that nobody has made, which says that it follows the first one. */
const fabricated = {
  ...at(makeBundle({ serviceOffset: 6 }).bundle.service_keys, 0),
  prev_kid: serviceKid(0),
  prev_signature: otherSignature(),
  created_at: START,
};

/** Each was `verified`: what nobody signed stood before what the service did, and was looked at alone. */
const MASKED: readonly Labelled[] = [
  {
    label: 'M6',
    what: 'a rotation that the other file shows behind a key that nobody has made',
    verdict: 'failed',
    file: makeBundle({ ...BEFORE_ROTATION, manifest: madeAt(5700) }).text,
    against: makeBundle({
      ...WHOLE,
      rotation: true,
      range: [1, 5],
      bundle: (bundle) => ({ ...bundle, service_keys: [fabricated, ...bundle.service_keys] }),
    }).text,
  },
  {
    label: 'M9',
    what: 'an epoch that began before the bundle was made, behind one that nobody signed',
    verdict: 'failed',
    file: BEFORE_THE_EPOCH,
    against: makeBundle({
      agents: 2,
      epochs: [2, 1, 2],
      onlyAgent: 1,
      bundle: (bundle) => ({
        ...bundle,
        epochs: bundle.epochs.flatMap((epoch) => [{ ...epoch, signature_by_service: otherSignature() }, epoch]),
      }),
    }).text,
  },
];

const [foreign] = makeBundle({ agents: 2, epochs: [2, 3, 2, 1], orgId: 'org_other' }).bundle.epochs.slice(-1);

/** The record next after one agent's range, as a service could not have accepted it: each was `verified`. */
const AFTER_ONE_AGENT: Plan = { ...WHOLE, onlyAgent: 0, range: [1, 3] };
const BESIDE: readonly Labelled[] = [
  {
    label: 'E1',
    what: 'a record next after the range whose key had been revoked',
    verdict: 'failed',
    file: makeBundle({
      ...AFTER_ONE_AGENT,
      agentKey: only(0, (key) => ({ ...key, status: 'revoked', retired_at: START + 4500 })),
    }).text,
  },
  {
    label: 'E1',
    what: 'a record next after the range while its agent was frozen',
    verdict: 'failed',
    file: makeBundle({
      ...AFTER_ONE_AGENT,
      agent: only(0, (agent) => ({ ...agent, status: 'frozen', updated_at: START + 4500 })),
    }).text,
  },
  {
    label: 'E1',
    what: 'a record next after the range that had expired, as one that was refused and kept',
    verdict: 'failed',
    file: makeBundle({ ...AFTER_ONE_AGENT, record: only(4, (draft) => ({ ...draft, ttl_ms: 249 })) }).text,
  },
  {
    label: 'E1',
    what: 'a record next after the range that was issued long after it was received',
    verdict: 'failed',
    file: makeBundle({
      ...AFTER_ONE_AGENT,
      record: only(4, (draft) => ({ ...draft, issued_at: formatTime(START + HOUR) })),
    }).text,
  },
];

/** What an agent is called follows from its events, whatever the service signs besides: each was `verified`. */
const calledOtherwise = (change: Partial<BundleAgent>): string =>
  makeBundle({
    ...WHOLE,
    contents: (contents) => ({
      ...contents,
      agents: contents.agents.map((agent, n) => (n === 0 ? { ...agent, ...change } : agent)),
    }),
  }).text;
const updated = (details: AdminEventStatement['details']): Plan => ({
  ...WHOLE,
  adminEvent: (event) => (event.action === 'agent.update' ? { ...event, details } : event),
});
const called =
  (name: string): NonNullable<Plan['contents']> =>
  ({ org, ...contents }) => ({ ...contents, org: { ...org, name } });
const renamed: Plan = {
  ...WHOLE,
  adminEvent: ({ action, target_id, details, ...event }) => ({
    ...event,
    ...(action === 'agent.update'
      ? { action: 'org.change', target_type: 'organization', target_id: event.org_id, details: { name: 'Renamed' } }
      : { action, target_id, details }),
  }),
};
/** A key that took over too, as the reader knows who holds another file of the ledger, or the key set of then. */
const honestKey = toBase64Url(publicKeyOf(serviceSeed(7)));
const byHonestKey = (members: Partial<Receipt> = {}): Receipt => {
  const { service_signature: _, ...receipt } = { ...third, ...members, service_kid: serviceKid(7) };
  return { ...receipt, service_signature: sign(serviceSeed(7), receiptSignedBytes(receipt)) };
};
const later3 = formatTime(START + 86_400_000);
const FORKED_KEYS: readonly Labelled[] = [
  {
    label: 'K1',
    what: 'a receipt under a key that the reader trusts, and that a bundle of a forked rotation lacks',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, rotation: true }).text,
    receipts: linesOf(byHonestKey()),
    trust: [serviceKid(0), honestKey],
  },
  {
    label: 'K1',
    what: 'the same, of a number that the bundle does not reach, from before it was made',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, rotation: true }).text,
    receipts: linesOf(byHonestKey({ seq_no: 90, operation_id: uuid('operation 90') })),
    trust: [serviceKid(0), `${honestKey}@${ORG_ID}`],
  },
  {
    label: 'K1',
    what: 'a receipt of after the bundle was made, by a key that took over later',
    verdict: 'incomplete',
    file: makeBundle(WHOLE).text,
    receipts: linesOf(byHonestKey({ seq_no: 90, operation_id: uuid('operation 90'), server_received_at: later3 })),
    trust: [serviceKid(0), honestKey],
  },
  {
    label: 'K1',
    what: 'a receipt under a key that the reader trusts for another organization',
    verdict: 'incomplete',
    file: makeBundle(WHOLE).text,
    receipts: linesOf(byHonestKey()),
    trust: [serviceKid(0), `${honestKey}@org_other`],
  },
  {
    label: 'K1',
    what: 'a receipt that names such a key and is not signed by it',
    verdict: 'incomplete',
    file: makeBundle(WHOLE).text,
    receipts: linesOf({ ...byHonestKey(), chain_hash: otherDigest() }),
    trust: [serviceKid(0), honestKey],
  },
  {
    label: 'K2',
    what: 'a bundle whose key the reader named by itself',
    verdict: 'verified',
    file: makeBundle(WHOLE).text,
    trust: [toBase64Url(publicKeyOf(serviceSeed(0)))],
  },
];

const NAMES: readonly Labelled[] = [
  {
    label: 'N1',
    what: 'an organization under another name than its events gave it',
    verdict: 'failed',
    file: makeBundle({ ...WHOLE, contents: called('Example Bank') }).text,
  },
  {
    label: 'N2',
    what: 'an organization that an event renamed, under its former name',
    verdict: 'failed',
    file: makeBundle(renamed).text,
  },
  {
    label: 'N2',
    what: 'an organization that an event renamed, as the bundle has it',
    verdict: 'verified',
    file: makeBundle({ ...renamed, contents: called('Renamed') }).text,
  },
  {
    label: 'N1',
    what: 'a program that the directory lists as a person',
    verdict: 'failed',
    file: calledOtherwise({ integration_type: 'person' }),
  },
  {
    label: 'N1',
    what: 'an agent that the directory lists under another name',
    verdict: 'failed',
    file: calledOtherwise({ display_name: 'Ada Lovelace (CFO)' }),
  },
  {
    label: 'N1',
    what: 'an agent with somebody responsible whom no event names',
    verdict: 'failed',
    file: calledOtherwise({ responsible_entity: 'ada@example.org' }),
  },
  {
    label: 'N1',
    what: 'an agent that its registration does not name',
    verdict: 'failed',
    file: makeBundle({
      ...WHOLE,
      adminEvent: only(1, ({ details: { display_name: _, ...details }, ...event }) => ({ ...event, details })),
    }).text,
  },
  {
    label: 'N2',
    what: 'an agent whose type an event changed, and the directory does not',
    verdict: 'failed',
    file: makeBundle(updated({ integration_type: 'cursor' })).text,
  },
  {
    label: 'N2',
    what: 'an agent whose type an event changed, as the directory has it',
    verdict: 'verified',
    file: makeBundle({
      ...updated({ integration_type: 'cursor', responsible_entity: 'ada@example.org' }),
      contents: (contents) => ({
        ...contents,
        agents: contents.agents.map((agent, n) =>
          n === 0 ? { ...agent, integration_type: 'cursor', responsible_entity: 'ada@example.org' } : agent,
        ),
      }),
    }).text,
  },
];

/** Each was `failed`, and must not be: nothing of it speaks against the service. */
const FALSE_ALARMS: readonly Labelled[] = [
  {
    label: 'X1',
    what: "another organization's epoch of the same service, put into the other file, is none of this ledger",
    verdict: 'verified',
    file: honest,
    against: makeBundle({
      ...WHOLE,
      bundle: (bundle) => ({ ...bundle, epochs: [...bundle.epochs, ...(foreign === undefined ? [] : [foreign])] }),
    }).text,
  },
];

/** Behind everything that is malformed or wrong in it, the bundle says that it is of a later version. */
const lastlyOfV2 = (text: string): string =>
  text.replace('"format":"countersign.bundle.v1",', '').replace(/\}\s*$/, ',"format":"countersign.bundle.v2"}');

/** What else is wrong goes by the rules of a version that the verifier knows, and was named first by one verifier or two. */
const LATER_VERSIONS: readonly Labelled[] = [
  ...[
    ['a proof', '{"service_keys":[{}],"org_id":"org","type":"countersign.record-proof.v2"}'],
    ['a bundle with a malformed organization', lastlyOfV2(honest.replace('"org":{', '"org":{"note":1,'))],
    ['a bundle with a malformed service key', lastlyOfV2(honest.replace('"service_keys":[{', '"service_keys":[{},{'))],
    ['a bundle with malformed records', lastlyOfV2(honest.replace('"records":[', `"records":[${'0,'.repeat(10_001)}`))],
    ['a bundle with a changed record', lastlyOfV2(honest.replace('"subject":"', '"subject":"not '))],
  ].map(([what = '', file = '']) => ({
    label: 'version',
    what: `${what}, and of another version`,
    verdict: 'failed' as const,
    first: 'UNSUPPORTED_VERSION' as const,
    file,
  })),
];

describe.skipIf(!hasPython())('three verifiers (skipped where python3 is missing), on the cases of one list', () => {
  const comparison = new Comparison();
  afterAll(() => comparison.stop());

  it.each([
    ...CASES,
    ...KEPT,
    ...ADVERSARY,
    ...CRASHES,
    ...OF_THE_MODEL,
    ...MASKED,
    ...BESIDE,
    ...FORKED_KEYS,
    ...NAMES,
    ...LATER_VERSIONS,
    ...FALSE_ALARMS,
  ])('$label: $what', async (labelled) => {
    const { verdict, first, file, against, receipts, trustAgent = [], trust = [serviceKid(0)] } = labelled;
    const { answers } = await comparison.compare({
      file: utf8(file),
      trust,
      trustAgent,
      madeNotBefore: null,
      checkpoints: [],
      receipts: receipts === undefined ? [] : [utf8(receipts)],
      against: against === undefined ? [] : [utf8(against)],
    });
    expect(VERIFIERS.map((name) => answers[name].verdict)).toEqual(VERIFIERS.map(() => verdict));
    if (first !== undefined) expect(VERIFIERS.map((name) => answers[name].codes)).toEqual(VERIFIERS.map(() => [first]));
  });
});
