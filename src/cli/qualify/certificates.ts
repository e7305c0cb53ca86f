import { nodeCrypto } from '../../node/index.ts';
import {
  type AdminEvent,
  adminEventHash,
  canonicalize,
  formatDigest,
  fromBase64Url,
  isWholeEvent,
  type Json,
  parseTime,
  RETENTION_CERTIFICATE,
  type RetentionCertificate,
  type RetentionRule,
  retentionDigest,
  retentionRulesDigest,
  retentionSignedBytes,
  thumbprint,
  utf8,
} from '../../protocol/index.ts';
import { otherDigest } from './alter.ts';
import { type Bundle, writeBundle } from './bundle.ts';
import { canForge, type ForgedBundle, type ForgersKey, forgersKey, signedAnew } from './forge.ts';
import type { Expectation, Mutation } from './mutation.ts';

const { sha256 } = nodeCrypto;
const ACTOR = 'an operator';
const SWEEP = 'a sweep';
const HOLD = 'a hold';
const ANY: RetentionRule = { name: 'All', floor_days: 0, ceiling_days: 0 };

type Statement = Omit<RetentionCertificate, 'service_signature'>;
type Logged = Pick<AdminEvent, 'action' | 'target_id' | 'details'>;

/** What is told otherwise than it was. */
interface Lie {
  /** In the certificate, which is signed and logged like that. */
  readonly states?: (statement: Statement) => Partial<Statement>;
  /** In the log, by action; null where the event is left out. */
  readonly logs?: Readonly<Record<string, AdminEvent['details'] | null>>;
  /** In the certificate after it was logged. */
  readonly given?: (certificate: RetentionCertificate) => RetentionCertificate;
  readonly signer?: ForgersKey;
  readonly rules?: readonly RetentionRule[];
  /** What the hold covers; what comes after the erased record where nothing is said. */
  readonly holds?: (seqNo: number) => { readonly kind: string; readonly [member: string]: Json };
  readonly isShown?: true;
}

function logOf({ manifest, admin_events: events }: Bundle, logged: readonly Logged[]): Bundle['admin_events'] {
  const log = [...events];
  for (const [n, one] of logged.entries()) {
    const statement = {
      ...one,
      event_id: `of a sweep, ${n}`,
      org_id: manifest.org_id,
      actor: ACTOR,
      target_type: 'retention',
      created_at: parseTime(manifest.created_at),
      prev_event_hash: log.at(-1)?.event_hash ?? null,
    };
    log.push({ ...statement, event_hash: adminEventHash(statement, sha256) });
  }
  return log;
}

/** A sweep that erased one record when the bundle was made, in the bundle and by its certificate. */
function swept({ bundle, service }: ForgedBundle, index: number, lie: Lie): { file: string; after: Bundle } {
  const { manifest } = bundle;
  const erased = bundle.records[index]?.ear;
  const [seqNo, at] = [erased?.seq_no ?? 0, manifest.created_at];
  const { signer = service, rules = [ANY], holds = () => ({ kind: 'range', from_seq_no: seqNo + 1 }), logs = {} } = lie;
  const rules_digest = retentionRulesDigest(rules, sha256);
  const selection = holds(seqNo);
  const selection_digest = formatDigest(sha256(utf8(canonicalize(selection))));
  const { kind } = selection;
  const honest: Statement = {
    type: RETENTION_CERTIFICATE,
    org_id: manifest.org_id,
    sweep_id: SWEEP,
    actor: ACTOR,
    begun_at: at,
    ended_at: at,
    stopped_because: null,
    rules_digest,
    records: 1,
    rules: rules.map((rule, n) => ({ rule, before: at, erased: n === 0 ? 1 : 0 })),
    holds: [{ hold_id: HOLD, kind, selection_digest, placed_at: at, released_at: null }],
    agents: [{ agent_id: erased?.agent_id ?? '', records: 1, runs: `${seqNo}` }],
    operations_digest: formatDigest(sha256(utf8(`${erased?.operation_id}\n`))),
    service_kid: thumbprint(fromBase64Url(signer.publicKey, 32)),
    service_public_key: signer.publicKey,
  };
  const statement = { ...honest, ...lie.states?.(honest) };
  const certificate = { ...statement, service_signature: signer.sign(retentionSignedBytes(statement)) };
  const { records, operations_digest } = statement;
  const logged: readonly Logged[] = [
    { action: 'retention.rules', target_id: manifest.org_id, details: { rules_digest } },
    { action: 'retention.hold', target_id: HOLD, details: { kind, selection, selection_digest } },
    { action: 'retention.sweep', target_id: SWEEP, details: { rules_digest } },
    { action: 'retention.erase', target_id: SWEEP, details: { seq_no: `${seqNo}`, records: 1 } },
    {
      action: 'retention.certificate',
      target_id: SWEEP,
      details: {
        certificate_digest: retentionDigest(certificate, sha256),
        records,
        operations_digest,
        rules_digest: statement.rules_digest,
      },
    },
  ];
  const told = logged.flatMap((event) => {
    const details = logs[event.action];
    return details === null ? [] : [{ ...event, details: details ?? event.details }];
  });
  const erase = (record: Bundle['records'][number]): Bundle['records'][number] => {
    const { disclosures: _, ...rest } = record;
    const { payload: __, ...eor } = record.eor;
    return { ...rest, eor };
  };
  const after = {
    ...bundle,
    admin_events: logOf(bundle, told),
    records: bundle.records.map((record, n) => (n === index && lie.isShown !== true ? erase(record) : record)),
  };
  const given = lie.given?.(certificate) ?? certificate;
  return { file: canonicalize(given as unknown as Json), after: signedAnew(after, service) };
}

function certificateMutation(
  [id, title, attack]: readonly [string, string, string],
  lie: Lie,
  finding?: string,
  expected: Expectation = 'failed',
): Mutation {
  return {
    id: `certificate-${id}`,
    title: `a certificate of retention: ${title}`,
    attack,
    expected,
    ...(finding === undefined ? {} : { finding }),
    copies: (subject) => {
      const { bundle } = subject;
      if (!canForge(bundle)) return 'its trees are too large to be built again';
      if (!bundle.admin_events.every(isWholeEvent)) return 'events of its log are withheld';
      // One that is erased whole, and that a sweep of that moment would find due.
      const index = subject.record(
        'certificate',
        ({ eor, ear, disclosures }) =>
          eor.payload !== undefined &&
          disclosures === undefined &&
          parseTime(ear.server_received_at) < parseTime(bundle.manifest.created_at),
      );
      if (index === null) return 'the bundle shows no payload of before it that is not salted';
      const { ownService } = subject;
      const made = (): ReturnType<typeof swept> => swept(ownService, index, lie);
      const given = () => ({ against: [writeBundle(made().after)], trusted: [ownService.service.publicKey] });
      return [{ at: `seq_no ${bundle.records[index]?.ear.seq_no}`, make: () => made().file, given }];
    },
  };
}

/** Certificates of a sweep over the bundle, as an operator may make them, held against a bundle from after the sweep. */
export const CERTIFICATES: readonly Mutation[] = [
  certificateMutation(['control', 'of what was erased', 'none: a control'], {}, undefined, 'verified'),
  certificateMutation(
    ['signature', 'edited', 'have the service say that somebody else erased'],
    { given: (certificate) => ({ ...certificate, actor: 'somebody else' }) },
    'SIGNATURE_INVALID',
  ),
  certificateMutation(
    ['key', 'by a key that the ledger does not have', 'pass for the service'],
    { signer: forgersKey('another issuer of certificates') },
    'SIGNATURE_INVALID',
  ),
  certificateMutation(
    ['sums', 'of more records than its agents have', 'have more pass for erased'],
    { states: () => ({ records: 2 }) },
    'SUMS_DIFFER',
  ),
  certificateMutation(
    ['not-logged', 'another than the log names', 'have two certificates of one sweep'],
    { logs: { 'retention.certificate': { certificate_digest: otherDigest(formatDigest(sha256(utf8('another')))) } } },
    'NOT_LOGGED',
  ),
  certificateMutation(
    ['not-begun', 'of a sweep that the log does not have', 'make up a sweep'],
    { logs: { 'retention.sweep': null } },
    'SWEEP_DIFFERS',
  ),
  certificateMutation(
    ['stopped', 'of a sweep that somebody is said to have stopped', 'explain why so little was erased'],
    { states: () => ({ stopped_because: 'asked' }) },
    'STOP_DIFFERS',
  ),
  certificateMutation(
    ['rules', 'by rules that were not in force', 'make up a duty to erase'],
    { logs: { 'retention.rules': { rules_digest: formatDigest(sha256(utf8('other rules'))) } } },
    'RULES_DIFFER',
  ),
  certificateMutation(
    ['holds', 'without the hold that was in force', 'hide a duty to keep'],
    { states: () => ({ holds: [] }) },
    'HOLDS_DIFFER',
  ),
  certificateMutation(
    ['erasures', 'of a sweep whose transactions count otherwise', 'erase more than is certified'],
    { logs: { 'retention.erase': { seq_no: '1-2', records: 2 } } },
    'ERASURES_DIFFER',
  ),
  certificateMutation(
    ['shown', 'of a record that is still there', 'have a record pass for erased'],
    { isShown: true },
    'RECORDS_DIFFER',
  ),
  certificateMutation(
    ['due', 'by a rule for another agent', 'erase what had to be kept'],
    { rules: [{ ...ANY, agent_id: 'nobody' }] },
    'NOT_DUE',
  ),
  certificateMutation(
    ['held', 'of a record that a hold covered', 'erase what is wanted as evidence'],
    { holds: (seqNo) => ({ kind: 'range', from_seq_no: seqNo, to_seq_no: seqNo }) },
    'ERASED_UNDER_HOLD',
  ),
  certificateMutation(
    ['held-records', 'of a record that a hold on some records covered', 'erase what is wanted as evidence'],
    { holds: (seqNo) => ({ kind: 'records', runs: `${seqNo}` }) },
    'ERASED_UNDER_HOLD',
  ),
];
