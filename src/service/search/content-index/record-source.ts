import type { ArchiveField, FieldValues, InvestigationRules } from '../../../actions/index.ts';
import type { NamedAgent } from '../../../actions/profile/index.ts';
import type { Disclosures, JsonObject } from '../../../protocol/index.ts';

/** A record as the index reads it. */
export interface SourceRecord {
  /** Its number in the index: seq_no in a ledger, its place in the file in a case. */
  readonly n: number;
  readonly seqNo: number;
  readonly operationId: string;
  readonly agentId: string;
  /** The kid of the agent's key that signed it. */
  readonly kid: string;
  /** Whether it names no record of its agent before it. */
  readonly isFirstOfAgent: boolean;
  readonly operationType: string;
  readonly subject: string;
  readonly action: string;
  readonly issuedAt: string;
  /** Milliseconds since 1970, as `receivedMs`. */
  readonly issuedMs: number;
  readonly receivedMs: number;
  /** Null where it is withheld or erased. */
  readonly payload: JsonObject | null;
  readonly disclosures: Disclosures;
  /** Whether it was read out of a file that was found, which nobody signed when it happened. */
  readonly isUnsigned?: boolean;
  /** In an archive: whose ledger has it. */
  readonly ledger?: FieldValues<ArchiveField>;
}

/** Where a signed record is in its ledger, by its receipt and the epochs that are there. */
export interface RecordPlace {
  readonly orgId: string;
  readonly serviceKid: string;
  readonly chainHash: Uint8Array;
  readonly leafHash: Uint8Array;
  readonly epochNo: number | null;
}

export type Direction = 'newest' | 'oldest';

/** Where the records of an organization or case are. */
export interface RecordSource {
  /** The organization; empty for a case. */
  readonly owner: string;
  /** The number of the last record, 0 where there is none. */
  last(): number;
  /** Records after a number, in order, some thousand at most. */
  after(n: number, limit: number): SourceRecord[];
  record(n: number): SourceRecord | null;
  /** Records from one number to another, in order, without reading their payloads. */
  heads(from: number, to: number): SourceRecord[];
  /** What tells a ledger from another one that has the same organization. */
  leafHash(n: number): Uint8Array | null;
  /** Null where nobody signed it. */
  place(n: number): RecordPlace | null;
  /** Records of which something was erased after an event of the administrative log, and the newest event. */
  erasedAfter(event: number): { readonly ns: readonly number[]; readonly to: number };
  rules(): InvestigationRules;
  /** What the records are a part of, which decides how grave it is that something is not among them. */
  extent(): Extent;
  /** What the issuer says of an agent; undefined where it says nothing. */
  agent(agentId: string): NamedAgent | undefined;
}

export interface Extent {
  readonly allAgents: boolean;
  /** Whether the ledger has no record after the last one. */
  readonly toHead: boolean;
}
