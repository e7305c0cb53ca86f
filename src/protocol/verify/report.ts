import type { CorrectedTimes } from '../statements/clock-correction.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ChangedMember } from './changed-members.ts';
import type { DamageMap } from './damage-map.ts';
import type { SignedStatement } from './signed-statement.ts';
import type { SaidTimes } from './times.ts';
import type { WithheldMap } from './withheld-records.ts';
import type { Witnessed } from './witnessed.ts';

/** The checks of a report, in the order they are shown (protocol V141). */
export const CHECKS = [
  'issuer',
  'agent_signatures',
  'payloads',
  'chains',
  'receipts',
  'epochs',
  'completeness',
  'admin_log',
  'time',
  'reconciliation',
] as const;
export type CheckName = (typeof CHECKS)[number];

/**
 * Every finding there is (protocol V132), with the check that it fails; in the order in which a report lists them: form, keys, a record
 * by itself, records together, epochs and log, administrative log, manifest, what was given beside. What stands first is mostly the
 * cause of what stands behind it.
 */
export const FINDING_CHECK = {
  MALFORMED: 'completeness',
  UNSUPPORTED_VERSION: 'completeness',
  SERVICE_KEY_INVALID: 'issuer',
  KEY_WEAK: 'agent_signatures',
  KEY_ATTESTATION_INVALID: 'agent_signatures',
  KEY_UNKNOWN: 'agent_signatures',
  AGENT_KEY_NOT_TRUSTED: 'agent_signatures',
  SIGNATURE_INVALID: 'agent_signatures',
  PAYLOAD_HASH_MISMATCH: 'payloads',
  DISCLOSURE_INVALID: 'payloads',
  RECEIPT_SIGNATURE_INVALID: 'receipts',
  RECEIPT_MISMATCH: 'receipts',
  CHAIN_HASH_MISMATCH: 'chains',
  SEQUENCE_DUPLICATE: 'completeness',
  SEQUENCE_ORDER: 'completeness',
  SEQUENCE_GAP: 'completeness',
  CHAIN_BROKEN: 'chains',
  CHAIN_FORK: 'chains',
  OPERATION_ID_REUSED: 'chains',
  NONCE_REUSED: 'chains',
  RECEIPT_ID_REUSED: 'receipts',
  KEY_NOT_YET_VALID: 'agent_signatures',
  KEY_USED_AFTER_REVOCATION: 'agent_signatures',
  AGENT_BARRED: 'agent_signatures',
  TTL_VIOLATED: 'time',
  EPOCH_SIGNATURE_INVALID: 'epochs',
  EPOCH_CHAIN_BROKEN: 'epochs',
  EPOCH_GAP: 'epochs',
  EPOCH_ROOT_MISMATCH: 'epochs',
  INCLUSION_INVALID: 'epochs',
  LOG_ROOT_MISMATCH: 'epochs',
  ADMIN_CHAIN_BROKEN: 'admin_log',
  DIRECTORY_MISMATCH: 'admin_log',
  TIME_ORDER: 'time',
  SERVICE_KEY_MISUSED: 'issuer',
  MANIFEST_SIGNATURE_INVALID: 'completeness',
  EDGE_INVALID: 'completeness',
  MANIFEST_MISMATCH: 'completeness',
  EQUIVOCATION: 'reconciliation',
  CONTRADICTION: 'reconciliation',
  RECORD_OMITTED: 'reconciliation',
  ISSUER_NOT_PINNED: 'issuer',
  ORGANIZATION_NOT_CONFIRMED: 'issuer',
  MADE_EARLIER: 'completeness',
  KEY_SHARED: 'agent_signatures',
  SALT_REUSED: 'payloads',
  CLOCK_CORRECTED: 'time',
  NOT_WITNESSED: 'reconciliation',
  NOT_COMPARED: 'reconciliation',
  /** Of a stored ledger alone: what a table says besides the evidence does not follow from the evidence. */
  STATE_MISMATCH: 'completeness',
} as const satisfies Record<string, CheckName>;
export type FindingCode = keyof typeof FINDING_CHECK;

/** What is found of a record that is not as its agent signed it. */
export const CHANGED_RECORD_CODES: ReadonlySet<FindingCode> = new Set<FindingCode>([
  'SIGNATURE_INVALID',
  'PAYLOAD_HASH_MISMATCH',
  'DISCLOSURE_INVALID',
]);

/** Where a finding is; lines count from 1, in the file named or else in the bundle. */
export interface FindingPlace {
  readonly file?: string;
  readonly line?: number;
  readonly seq_no?: number;
  readonly operation_id?: string;
  readonly agent_id?: string;
  readonly kid?: string;
  readonly epoch_id?: string;
  readonly epoch_no?: number;
  readonly event_id?: string;
  readonly member?: string;
}

/** One thing that is not as it should be. An `error` fails the verdict; a `warning` says what could not be checked. */
export interface Finding {
  /** Counts from 1 in the order of the report; `caused_by` refers to it. */
  readonly id: number;
  readonly code: FindingCode;
  readonly severity: 'error' | 'warning';
  readonly check: CheckName;
  readonly where: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
  /** The signed statements that prove it: what was kept first, what contradicts it last. */
  readonly evidence?: readonly SignedStatement[];
  /** What differs from what was signed, where a given file has that. */
  readonly changed?: readonly ChangedMember[];
  /** The finding that this one only follows from. */
  readonly caused_by?: number;
}

export type CheckStatus = 'pass' | 'fail' | 'not_checked' | 'not_applicable';

/** State of one check; `reason` says why where it is neither pass nor fail, and what a pass leaves open. */
export interface CheckResult {
  readonly status: CheckStatus;
  readonly reason: string | null;
  readonly counts: { readonly [what: string]: number };
}

export type Verdict = 'verified' | 'failed' | 'incomplete';

/** What a verification has to say. The same bundle and options always give the same report. */
export interface VerificationReport {
  readonly type: 'countersign.verification-report.v1';
  readonly verdict: Verdict;
  /** One sentence for a person. */
  readonly summary: string;
  /** Whether the file showed itself to be a bundle at all. */
  readonly recognised: boolean;
  readonly bundle: {
    readonly format: string | null;
    readonly org_id: string | null;
    readonly org_name: string | null;
    readonly export_id: string | null;
    readonly created_at: string | null;
    readonly filter: Manifest['filter'] | null;
    readonly first_seq_no: number | null;
    readonly last_seq_no: number | null;
    readonly records: number;
    readonly redacted: number;
    readonly agents: number;
    readonly epochs: number;
    readonly admin_events: number;
    /** How many checkpoints and consistency proofs it carries that others cosigned; absent where there is none. */
    readonly cosigned?: number;
    /** How many files of time stamps, and consistency proofs to them. */
    readonly stamped?: number;
  };
  readonly issuer: {
    readonly kid: string | null;
    readonly pinned: boolean;
    readonly service_keys: readonly { readonly kid: string; readonly trusted: boolean }[];
    /** The sound service keys that signed rotations link with the issuer's, itself included, in the order of the bundle. */
    readonly linked: readonly string[];
  };
  readonly checks: { readonly [K in CheckName]: CheckResult };
  readonly findings: readonly Finding[];
  /** How many findings of each code there are, also those beyond the listed ones. */
  readonly finding_counts: { readonly [K in FindingCode]?: number };
  /** What stays proven beside the damage, by sequence numbers. */
  readonly damage: DamageMap;
  /** Which records are not shown whole, and whether what is missing is salted. */
  readonly withheld: WithheldMap;
  /** What has times that may be those of a wrong clock (protocol V147); null where no administrative log was read. */
  readonly corrected_times: readonly CorrectedTimes[] | null;
  /** How far witnesses stand behind the records, where the reader demands some. */
  readonly witnessed?: Witnessed;
  /** What others say about its times, where the reader trusts somebody for them, or was given something. */
  readonly times?: SaidTimes;
}
