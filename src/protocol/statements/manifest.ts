import { canonicalBytes } from '../canonical.ts';
import * as shape from '../shape.ts';

/** What an export covers: received at or after start_time and before end_time; one agent, or all. */
export interface BundleFilter {
  readonly start_time: string;
  readonly end_time: string;
  readonly agent_id: string | null;
}

export interface LogHead {
  readonly seq_no: number;
  readonly epoch_no: number;
}

/** The newest record of an agent. */
export interface AgentHead {
  readonly seq_no: number;
  readonly chain_hash: string;
}

/** How far the administrative log went. */
export interface AdminLogHead {
  readonly count: number;
  /** event_hash of the newest event; null where there was none. */
  readonly head_hash: string | null;
}

/** The signed statement that binds every value of a bundle (protocol F140). */
export interface Manifest {
  readonly type: 'countersign.manifest.v1';
  readonly export_id: string;
  readonly org_id: string;
  readonly created_at: string;
  readonly filter: BundleFilter;
  readonly record_count: number;
  readonly first_seq_no: number | null;
  readonly last_seq_no: number | null;
  readonly log_head: LogHead;
  /** Of the filter's agent, up to log_head; null where the filter names none or the agent has no record. */
  readonly agent_head: AgentHead | null;
  readonly admin_log: AdminLogHead;
  readonly records_digest: string;
  readonly epochs_digest: string;
  readonly edges_digest: string;
  readonly admin_events_digest: string;
  readonly directory_digest: string;
  readonly redacted_count: number;
  readonly service_kid: string;
  /** Of the administrative events that the bundle withholds; absent where it withholds none. */
  readonly withheld_events_digest?: string;
  /** Of the disclosures that the bundle shows; absent where it shows none. */
  readonly disclosures_digest?: string;
  /** How many clock corrections its administrative log holds (protocol F141); absent where it holds none. */
  readonly clock_corrections?: number;
}

const MANIFEST_SHAPE: shape.Shape<Manifest> = {
  type: shape.constant('countersign.manifest.v1'),
  export_id: shape.identifier,
  org_id: shape.identifier,
  created_at: shape.time,
  filter: shape.object,
  record_count: shape.integer(),
  first_seq_no: shape.nullable(shape.integer(1)),
  last_seq_no: shape.nullable(shape.integer(1)),
  log_head: shape.object,
  agent_head: shape.nullable(shape.object),
  admin_log: shape.object,
  records_digest: shape.digest,
  epochs_digest: shape.digest,
  edges_digest: shape.digest,
  admin_events_digest: shape.digest,
  directory_digest: shape.digest,
  redacted_count: shape.integer(),
  service_kid: shape.identifier,
  withheld_events_digest: shape.digest,
  disclosures_digest: shape.digest,
  clock_corrections: shape.integer(1),
};

/** @throws ProtocolError SHAPE_INVALID */
export function parseManifest(value: unknown): Manifest {
  const manifest = shape.parseShape<Manifest>(value, MANIFEST_SHAPE, 'manifest', [
    'withheld_events_digest',
    'disclosures_digest',
    'clock_corrections',
  ]);
  shape.parseShape<BundleFilter>(
    manifest.filter,
    { start_time: shape.time, end_time: shape.time, agent_id: shape.nullable(shape.identifier) },
    'manifest.filter',
  );
  shape.parseShape<LogHead>(
    manifest.log_head,
    { seq_no: shape.integer(), epoch_no: shape.integer() },
    'manifest.log_head',
  );
  shape.parseShape<AdminLogHead>(
    manifest.admin_log,
    { count: shape.integer(), head_hash: shape.nullable(shape.digest) },
    'manifest.admin_log',
  );
  if (manifest.agent_head !== null) {
    shape.parseShape<AgentHead>(
      manifest.agent_head,
      { seq_no: shape.integer(1), chain_hash: shape.digest },
      'manifest.agent_head',
    );
  }
  return manifest;
}

/** The bytes that manifest_signature signs: JCS(manifest), which holds its own type (protocol F130). */
export function manifestSignedBytes(manifest: Manifest): Uint8Array {
  return canonicalBytes(manifest);
}
