import type { DraftFinding } from './finding-log.ts';
import type { Finding, FindingCode } from './report.ts';

/**
 * Which findings only follow from which others. A rule reads: a finding with the code on the left, and one of these codes
 * at a place related as named, is a consequence; the first rule that finds an earlier cause wins. Damage at one record
 * shows in its chain hash, in its epoch's root and in the manifest; an investigator wants to see the one, not the four.
 */
type Relation =
  /** The same record. */
  | 'record'
  /** The record whose stated chain hash the effect expected, or met instead. */
  | 'chain'
  /** Any record up to here. */
  | 'before'
  /** Any record within the epoch's run, or the epoch itself. */
  | 'in-epoch'
  /** The same agent key. */
  | 'key'
  /** A service key. */
  | 'service-key'
  /** The organization of the bundle, or that of an agent in it. */
  | 'organization'
  /** Anywhere, where the effect lies beside the records: something that the bundle as a whole should hold. */
  | 'extent'
  /** Anywhere in the same file, where the effect is about a manifest given for comparison, not about one number. */
  | 'listed'
  /** Anywhere. */
  | 'any';

interface Rule {
  readonly effect: readonly FindingCode[];
  readonly causes: readonly FindingCode[];
  readonly relation: Relation;
}

const SERVICE_KEY_CAUSES: readonly FindingCode[] = ['SERVICE_KEY_INVALID', 'KEY_WEAK', 'MALFORMED'];
const SEQUENCE: readonly FindingCode[] = ['SEQUENCE_DUPLICATE', 'SEQUENCE_ORDER', 'SEQUENCE_GAP'];
const LEAF_CHANGED: readonly FindingCode[] = ['MALFORMED', 'RECEIPT_SIGNATURE_INVALID', ...SEQUENCE];

const RULES: readonly Rule[] = [
  {
    effect: [
      'RECEIPT_SIGNATURE_INVALID',
      'EPOCH_SIGNATURE_INVALID',
      'MANIFEST_SIGNATURE_INVALID',
      'KEY_ATTESTATION_INVALID',
      'ISSUER_NOT_PINNED',
      'ORGANIZATION_NOT_CONFIRMED',
    ],
    causes: SERVICE_KEY_CAUSES,
    relation: 'service-key',
  },
  { effect: ['SERVICE_KEY_INVALID'], causes: ['KEY_WEAK', 'MALFORMED'], relation: 'service-key' },
  { effect: ['SERVICE_KEY_MISUSED'], causes: SERVICE_KEY_CAUSES, relation: 'service-key' },
  { effect: ['SERVICE_KEY_MISUSED'], causes: ['RECEIPT_SIGNATURE_INVALID'], relation: 'record' },
  {
    effect: ['SERVICE_KEY_MISUSED'],
    causes: ['EPOCH_SIGNATURE_INVALID', 'MANIFEST_SIGNATURE_INVALID'],
    relation: 'any',
  },
  {
    effect: ['MALFORMED', 'EPOCH_SIGNATURE_INVALID', 'RECEIPT_MISMATCH', 'KEY_ATTESTATION_INVALID'],
    causes: ['MALFORMED'],
    relation: 'organization',
  },
  { effect: ['SIGNATURE_INVALID'], causes: ['KEY_WEAK', 'KEY_ATTESTATION_INVALID'], relation: 'key' },
  {
    effect: ['KEY_WEAK', 'KEY_NOT_YET_VALID', 'KEY_USED_AFTER_REVOCATION'],
    causes: ['KEY_ATTESTATION_INVALID'],
    relation: 'key',
  },
  { effect: ['KEY_UNKNOWN'], causes: ['MALFORMED', 'KEY_ATTESTATION_INVALID'], relation: 'any' },
  {
    effect: ['CHAIN_HASH_MISMATCH', 'PAYLOAD_HASH_MISMATCH', 'DISCLOSURE_INVALID'],
    causes: ['SIGNATURE_INVALID', 'KEY_UNKNOWN'],
    relation: 'record',
  },
  { effect: ['CHAIN_HASH_MISMATCH'], causes: ['RECEIPT_SIGNATURE_INVALID'], relation: 'record' },
  {
    effect: ['RECEIPT_MISMATCH'],
    causes: ['SIGNATURE_INVALID', 'KEY_UNKNOWN', 'RECEIPT_SIGNATURE_INVALID'],
    relation: 'record',
  },
  {
    effect: ['NONCE_REUSED', 'OPERATION_ID_REUSED', 'RECEIPT_ID_REUSED'],
    causes: ['SEQUENCE_DUPLICATE', 'SIGNATURE_INVALID', 'KEY_UNKNOWN'],
    relation: 'record',
  },
  {
    effect: ['TIME_ORDER', 'TTL_VIOLATED', 'KEY_NOT_YET_VALID', 'KEY_USED_AFTER_REVOCATION', 'AGENT_BARRED'],
    causes: ['SIGNATURE_INVALID', 'RECEIPT_SIGNATURE_INVALID'],
    relation: 'record',
  },
  { effect: ['TIME_ORDER'], causes: ['RECEIPT_SIGNATURE_INVALID'], relation: 'before' },
  { effect: ['TIME_ORDER'], causes: ['EPOCH_SIGNATURE_INVALID'], relation: 'in-epoch' },
  { effect: ['TIME_ORDER'], causes: ['EDGE_INVALID'], relation: 'extent' },
  { effect: SEQUENCE, causes: ['RECEIPT_SIGNATURE_INVALID', 'MALFORMED'], relation: 'record' },
  { effect: SEQUENCE, causes: ['RECEIPT_SIGNATURE_INVALID', 'MALFORMED'], relation: 'before' },
  {
    effect: ['CHAIN_BROKEN', 'CHAIN_FORK'],
    causes: ['SEQUENCE_DUPLICATE', 'SEQUENCE_ORDER', 'SIGNATURE_INVALID', 'KEY_UNKNOWN'],
    relation: 'record',
  },
  { effect: ['CHAIN_BROKEN', 'CHAIN_FORK'], causes: ['CHAIN_HASH_MISMATCH'], relation: 'chain' },
  { effect: ['CHAIN_BROKEN', 'CHAIN_FORK'], causes: [...SEQUENCE, 'MALFORMED'], relation: 'before' },
  { effect: ['EPOCH_ROOT_MISMATCH', 'EPOCH_GAP'], causes: ['EPOCH_SIGNATURE_INVALID'], relation: 'in-epoch' },
  { effect: ['EPOCH_ROOT_MISMATCH', 'EPOCH_GAP'], causes: LEAF_CHANGED, relation: 'in-epoch' },
  { effect: ['EPOCH_ROOT_MISMATCH', 'TIME_ORDER'], causes: ['EPOCH_GAP'], relation: 'in-epoch' },
  { effect: ['INCLUSION_INVALID'], causes: ['CHAIN_BROKEN', 'EDGE_INVALID'], relation: 'record' },
  {
    effect: ['EPOCH_CHAIN_BROKEN', 'EPOCH_GAP', 'INCLUSION_INVALID', 'EPOCH_ROOT_MISMATCH'],
    causes: ['MALFORMED', 'EPOCH_SIGNATURE_INVALID'],
    relation: 'any',
  },
  {
    effect: ['EPOCH_GAP', 'INCLUSION_INVALID', 'EPOCH_ROOT_MISMATCH'],
    causes: ['EPOCH_CHAIN_BROKEN', ...LEAF_CHANGED],
    relation: 'any',
  },
  {
    effect: ['SEQUENCE_GAP', 'EPOCH_ROOT_MISMATCH'],
    causes: ['EPOCH_SIGNATURE_INVALID', 'SEQUENCE_ORDER', 'MANIFEST_SIGNATURE_INVALID'],
    relation: 'extent',
  },
  { effect: ['ADMIN_CHAIN_BROKEN'], causes: ['EPOCH_SIGNATURE_INVALID'], relation: 'in-epoch' },
  { effect: ['ADMIN_CHAIN_BROKEN'], causes: ['MALFORMED', 'ADMIN_CHAIN_BROKEN'], relation: 'any' },
  {
    effect: ['LOG_ROOT_MISMATCH'],
    causes: [
      ...LEAF_CHANGED,
      'EPOCH_SIGNATURE_INVALID',
      'EPOCH_ROOT_MISMATCH',
      'EPOCH_CHAIN_BROKEN',
      'EPOCH_GAP',
      'EDGE_INVALID',
    ],
    relation: 'any',
  },
  {
    effect: ['EDGE_INVALID'],
    causes: [
      'MALFORMED',
      'MANIFEST_SIGNATURE_INVALID',
      'EPOCH_SIGNATURE_INVALID',
      'EPOCH_CHAIN_BROKEN',
      'SERVICE_KEY_INVALID',
      'KEY_ATTESTATION_INVALID',
    ],
    relation: 'any',
  },
  { effect: ['SEQUENCE_GAP'], causes: ['EDGE_INVALID', 'SIGNATURE_INVALID'], relation: 'extent' },
  { effect: ['DIRECTORY_MISMATCH', 'AGENT_BARRED'], causes: ['MALFORMED', 'ADMIN_CHAIN_BROKEN'], relation: 'any' },
  { effect: ['DIRECTORY_MISMATCH'], causes: ['KEY_ATTESTATION_INVALID', 'KEY_UNKNOWN'], relation: 'key' },
  { effect: ['EQUIVOCATION'], causes: ['EQUIVOCATION'], relation: 'listed' },
  { effect: ['CONTRADICTION'], causes: ['EQUIVOCATION'], relation: 'any' },
  { effect: ['RECORD_OMITTED'], causes: ['EQUIVOCATION'], relation: 'extent' },
  {
    effect: ['MANIFEST_MISMATCH'],
    causes: [
      'MANIFEST_SIGNATURE_INVALID',
      'MALFORMED',
      ...SEQUENCE,
      'DISCLOSURE_INVALID',
      'RECEIPT_SIGNATURE_INVALID',
      'RECEIPT_MISMATCH',
      'EPOCH_SIGNATURE_INVALID',
      'EPOCH_CHAIN_BROKEN',
      'EPOCH_GAP',
      'ADMIN_CHAIN_BROKEN',
      'DIRECTORY_MISMATCH',
      'EDGE_INVALID',
      'LOG_ROOT_MISMATCH',
      'INCLUSION_INVALID',
      'SERVICE_KEY_MISUSED',
      'KEY_ATTESTATION_INVALID',
      'SERVICE_KEY_INVALID',
      'KEY_WEAK',
      'KEY_UNKNOWN',
    ],
    relation: 'any',
  },
];

/** Whether two places may be the same as far as both tell. */
function agree(a: string | undefined, b: string | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

function lineOf(finding: DraftFinding): number {
  return finding.where.line ?? Number.POSITIVE_INFINITY;
}

function related(relation: Relation, effect: DraftFinding, cause: DraftFinding, epochRange: EpochRange): boolean {
  const [e, c] = [effect.where, cause.where];
  // What is in a file given for comparison says nothing about the bundle.
  if (e.file !== c.file) return false;
  switch (relation) {
    case 'record':
      // A bundle may stand on one line: then the operation tells its records apart.
      return (
        e.line !== undefined && e.line === c.line && c.epoch_id === undefined && agree(e.operation_id, c.operation_id)
      );
    case 'chain':
      return cause.expected === effect.expected || cause.expected === effect.actual;
    case 'before':
      return c.line !== undefined && lineOf(cause) <= lineOf(effect);
    case 'in-epoch': {
      if (e.epoch_id !== undefined && c.epoch_id === e.epoch_id) return true;
      // The newest epoch may stand in the bundle twice: its number names it where its id was altered.
      if (e.epoch_no !== undefined && c.epoch_no === e.epoch_no) return true;
      const range = e.epoch_no === undefined ? undefined : epochRange(e.epoch_no);
      return range !== undefined && c.seq_no !== undefined && c.seq_no >= range[0] && c.seq_no <= range[1] + 1;
    }
    case 'key':
      return c.agent_id === e.agent_id && c.agent_id !== undefined && agree(c.kid, e.kid);
    case 'service-key':
      return cause.check === 'issuer' || c.member?.startsWith('service_key') === true;
    case 'organization':
      // What is on a separate line is malformed by itself, and a receipt names more than its organization.
      if ((effect.code === 'MALFORMED' && e.line !== undefined) || (e.member ?? 'org_id') !== 'org_id') return false;
      if (c.member !== undefined) return /^org\b/.test(c.member);
      return c.line === undefined && c.agent_id !== undefined && agree(c.agent_id, e.agent_id);
    case 'listed':
      return e.member !== undefined;
    case 'extent':
      return e.line === undefined;
    case 'any':
      return true;
  }
}

/** First and last sequence number of an epoch of the bundle, by its number. */
export type EpochRange = (epochNo: number) => readonly [number, number] | undefined;

/**
 * Numbers the findings in the order of the report and names, for each that only follows from another, that other one.
 * @param drafts at most some thousands: the log bounds them
 */
export function nameCauses(drafts: readonly DraftFinding[], epochRange: EpochRange): Finding[] {
  const byCode = new Map<FindingCode, number[]>();
  drafts.forEach((draft, index) => {
    if (draft.severity !== 'error') return;
    const indexes = byCode.get(draft.code);
    if (indexes === undefined) byCode.set(draft.code, [index]);
    else indexes.push(index);
  });
  const causeOf = (effect: DraftFinding, index: number): number | undefined => {
    for (const rule of RULES) {
      if (!rule.effect.includes(effect.code)) continue;
      for (const code of rule.causes) {
        const found = byCode.get(code)?.find((candidate) => {
          // A finding never explains itself, nor a later finding of the same kind that came later.
          if (candidate === index || (code === effect.code && candidate > index)) return false;
          return related(rule.relation, effect, drafts[candidate] as DraftFinding, epochRange);
        });
        if (found !== undefined) return found;
      }
    }
    return undefined;
  };
  return drafts.map((draft, index) => {
    const cause = causeOf(draft, index);
    return { id: index + 1, ...draft, ...(cause === undefined ? {} : { caused_by: cause + 1 }) };
  });
}
