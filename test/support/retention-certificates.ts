/** Honest certificates of retention, with the bundles from before and after the sweep, and what somebody can make of them. */
import {
  type AdminEvent,
  adminEventHash,
  canonicalBytes,
  canonicalize,
  formatDigest,
  formatTime,
  type Json,
  publicKeyOf,
  RETENTION_CERTIFICATE,
  type RetentionCertificate,
  type RetentionRule,
  retentionDigest,
  retentionRulesDigest,
  retentionSignedBytes,
  runsText,
  sha256,
  toBase64Url,
  utf8,
} from '../../src/protocol/index.ts';
import {
  type Contents,
  makeBundle,
  ORG_ID,
  type Plan,
  START,
  serviceKid,
  serviceSeed,
  sign,
  uuid,
} from './bundle-maker.ts';

type Statement = Omit<RetentionCertificate, 'service_signature'>;

/** An event about retention before it is linked; `withheld` leaves only its place and its time in the bundle. */
export interface Logged {
  readonly action: string;
  readonly target_id: string;
  readonly details: { readonly [member: string]: Json };
  readonly created_at: number;
  readonly actor?: string;
  readonly withheld?: boolean;
}

/** What a test puts in place of an honest step. */
export interface SweepChanges {
  /** The certificate before it is signed; what it says in the log follows from it. */
  readonly statement?: (statement: Statement) => Statement;
  /** The certificate after the log was written. */
  readonly certificate?: (certificate: RetentionCertificate) => RetentionCertificate;
  /** The events of the sweep, in order, before they are linked. */
  readonly events?: (events: readonly Logged[]) => readonly Logged[];
  /** The bundle from after the sweep. */
  readonly contents?: (contents: Contents) => Contents;
  /** Which service key signs the certificate: 0 is the one of the ledger. */
  readonly signer?: number;
  readonly orgId?: string;
  /** Whether a second service key took over long before the sweep. */
  readonly rotation?: boolean;
  /** Other rules than the one that erases what the first agent did. */
  readonly rules?: readonly RetentionRule[];
  /** Sequence numbers of records that the sweep erases, in order; those of the first agent where left out. */
  readonly erased?: readonly number[];
}

export interface MadeSweep {
  readonly certificate: RetentionCertificate;
  /** Its file. */
  readonly file: string;
  /** Bundles of the whole ledger, before the sweep and after it. */
  readonly before: string;
  readonly after: string;
}

const ACTOR = uuid('who sweeps');
export const SWEEP_ID = uuid('sweep');
export const HOLD_ID = uuid('hold');
const BEGUN = START + 3 * 3_600_000;
const ENDED = BEGUN + 3000;
/** When the bundle from after the sweep is made. */
const EXPORTED = BEGUN + 3_600_000;
const WHOLE: Plan = { agents: 2, epochs: [2, 3, 2] };
export const DUE_AT_ONCE: RetentionRule = { name: 'All of one', agent_id: 'agent-1', floor_days: 0, ceiling_days: 0 };

/** Signs what a certificate states. */
export function signCertificate(statement: Statement, signer = 0): RetentionCertificate {
  return { ...statement, service_signature: sign(serviceSeed(signer), retentionSignedBytes(statement)) };
}

export const certificateFile = (certificate: RetentionCertificate): string =>
  canonicalize(certificate as unknown as Json);

/** Adds events to the end of a bundle's log. */
function logged(contents: Contents, events: readonly Logged[], orgId: string): Contents {
  const all: Contents['admin_events'][number][] = [...contents.admin_events];
  let last = contents.admin_events.at(-1)?.event_hash ?? null;
  for (const [index, { withheld = false, actor = ACTOR, ...event }] of events.entries()) {
    const statement = { ...event, actor, event_id: uuid(`of a sweep ${index}`), org_id: orgId, prev_event_hash: last };
    const whole: AdminEvent = { ...statement, target_type: 'retention', event_hash: '' };
    const event_hash = adminEventHash(whole);
    const { created_at, prev_event_hash } = whole;
    all.push(withheld ? { created_at, prev_event_hash, event_hash } : { ...whole, event_hash });
    last = event_hash;
  }
  return { ...contents, admin_events: all };
}

/** A sweep over a made ledger of two agents that take turns, seven records in all. */
export function makeSweep(changes: SweepChanges = {}): MadeSweep {
  const { orgId = ORG_ID, signer = 0, rotation = false, rules = [DUE_AT_ONCE] } = changes;
  const plan: Plan = { ...WHOLE, orgId, rotation };
  const { bundle, text: before } = makeBundle(plan);
  const erased = changes.erased ?? [1, 3, 5, 7];
  const records = bundle.records.filter(({ ear }) => erased.includes(ear.seq_no));
  const ids = [...new Set(records.map(({ ear }) => ear.agent_id))].sort();
  const placedAt = BEGUN - 1000;
  const selection = { kind: 'agent', agent_id: 'agent-2' };
  const selectionDigest = formatDigest(sha256(canonicalBytes({ salt: 'salt', selection })));
  const honest: Statement = {
    type: RETENTION_CERTIFICATE,
    org_id: orgId,
    sweep_id: SWEEP_ID,
    actor: ACTOR,
    begun_at: formatTime(BEGUN),
    ended_at: formatTime(ENDED),
    stopped_because: null,
    rules_digest: retentionRulesDigest(rules),
    rules: rules.map((rule, at) => ({
      rule,
      before:
        rule.ceiling_days === null
          ? null
          : formatTime(BEGUN - Math.max(rule.floor_days, rule.ceiling_days) * 86_400_000),
      erased: at === 0 ? records.length : 0,
    })),
    holds: [
      {
        hold_id: HOLD_ID,
        kind: 'agent',
        selection_digest: selectionDigest,
        placed_at: formatTime(placedAt),
        released_at: null,
      },
    ],
    agents: ids.map((agent_id) => {
      const own = records.filter(({ ear }) => ear.agent_id === agent_id).map(({ ear }) => ear.seq_no);
      return { agent_id, records: own.length, runs: runsText(own.map((n) => [n, n] as const)) };
    }),
    records: records.length,
    operations_digest: formatDigest(sha256(utf8(records.map(({ ear }) => `${ear.operation_id}\n`).join('')))),
    service_kid: serviceKid(signer),
    service_public_key: toBase64Url(publicKeyOf(serviceSeed(signer))),
  };
  const statement = (changes.statement ?? ((same: Statement) => same))(honest);
  const certificate = signCertificate(statement, signer);
  const { rules_digest } = honest;
  const ofSweep = { target_id: SWEEP_ID };
  const events: readonly Logged[] = [
    {
      action: 'retention.rules',
      target_id: orgId,
      details: { rules: rules as unknown as Json, rules_digest },
      created_at: placedAt - 1000,
    },
    {
      action: 'retention.hold',
      target_id: HOLD_ID,
      details: { kind: 'agent', selection, selection_digest: selectionDigest, reason: 'Matter 1' },
      created_at: placedAt,
    },
    { ...ofSweep, action: 'retention.sweep', details: { rules_digest, to_seq_no: 7 }, created_at: BEGUN },
    {
      ...ofSweep,
      action: 'retention.erase',
      details: { seq_no: runsText(erased.map((n) => [n, n] as const)), records: erased.length },
      created_at: BEGUN + 1000,
    },
    {
      ...ofSweep,
      action: 'retention.certificate',
      details: {
        certificate_digest: retentionDigest(certificate),
        records: statement.records,
        operations_digest: statement.operations_digest,
        rules_digest: statement.rules_digest,
      },
      created_at: ENDED,
    },
  ];
  const erase = (contents: Contents): Contents => ({
    ...contents,
    records: contents.records.map((record) => {
      if (!erased.includes(record.ear.seq_no)) return record;
      const { payload: _, ...eor } = record.eor;
      return { ...record, eor };
    }),
  });
  const { text: after } = makeBundle({
    ...plan,
    manifest: (draft) => ({ ...draft, created_at: formatTime(EXPORTED) }),
    contents: (contents) =>
      (changes.contents ?? ((same: Contents) => same))(
        logged(erase(contents), (changes.events ?? ((same) => same))(events), orgId),
      ),
  });
  const given = (changes.certificate ?? ((same: RetentionCertificate) => same))(certificate);
  return { certificate: given, file: certificateFile(given), before, after };
}
