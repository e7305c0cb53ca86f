import type { BundleOrg } from '../bundle/document.ts';
import type { HostCrypto } from '../crypto.ts';
import type { AdminEvent } from '../statements/admin-event.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Receipt } from '../statements/receipt.ts';
import type { RecordCore } from '../statements/record.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import type { CheckName, FindingCode, FindingPlace } from './report.ts';
import type { CancelSignal } from './verify-options.ts';

/** A row that is evidence, not yet read: what cannot be read is named and does not end the verification. */
export interface StoredValue {
  readonly where: FindingPlace;
  /** The statement, any value. @throws whatever keeps it from being read */
  read(): unknown;
}

/** What follows from a record's own bytes, for what a table holds beside them to be compared with. */
export interface RecordFacts {
  readonly eor: RecordCore;
  readonly ear: Receipt;
  /** Hash of the receipt's statement: 32 bytes. */
  readonly leaf: Uint8Array;
  /** Hash of the payload's canonical form; null where there is no payload. */
  readonly payloadHash: Uint8Array | null;
  /** issued_at and server_received_at in milliseconds since the Unix epoch. */
  readonly issuedAt: number;
  readonly receivedAt: number;
}

/** A row with a record and its receipt: `read` gives { eor, ear }. */
export interface StoredRecord extends StoredValue {
  /** Compares what the row holds besides. */
  compare(facts: RecordFacts, differ: Differ): void;
}

/** Something that is not as the evidence has it. */
export interface Difference {
  readonly where: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
  readonly code?: FindingCode;
  readonly check?: CheckName;
}
export type Differ = (difference: Difference) => void;

/** The newest record of an agent. */
export interface AgentTail {
  readonly seqNo: number;
  readonly chainHash: string;
}

/** What a ledger turned out to hold, for the rest of the tables to be compared with. Unreadable rows are not in it. */
export interface SeenLedger {
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
  readonly epochs: readonly Epoch[];
  readonly adminEvents: readonly AdminEvent[];
  /** By agent_id. */
  readonly tails: ReadonlyMap<string, AgentTail>;
}

/** One organization's stored ledger, as it was at one moment. */
export interface StoredLedger {
  readonly org: BundleOrg;
  /** The active one first. */
  readonly serviceKeys: readonly StoredValue[];
  readonly agents: readonly StoredValue[];
  readonly epochs: readonly StoredValue[];
  readonly adminEvents: readonly StoredValue[];
  /** In the order of sequence numbers, some at a time. */
  readonly records: AsyncIterable<readonly StoredRecord[]> | Iterable<readonly StoredRecord[]>;
  /** How far it is known, from elsewhere, to reach and to be sealed: zero where nothing is known. */
  readonly knownHead: { readonly seq_no: number; readonly epoch_no: number };
  /** Called last. */
  compare(seen: SeenLedger, differ: Differ): void;
}

export interface VerifyLedgerOptions {
  /** The host's fast crypto; noble where there is none. */
  readonly crypto?: HostCrypto;
  /** The kids of the service keys that the reader trusts. Without any, no ledger is ever `verified`. */
  readonly trustedKids?: readonly string[];
  /** Told how many records were read. */
  readonly onProgress?: (records: number) => void;
  readonly signal?: CancelSignal;
}
