import type { HostCrypto, StrictVerifier } from '../crypto.ts';
import type { NamedSource } from './other-bundle.ts';
import type { AgreeingCheckpoint, DemandedWitnesses } from './witnessed.ts';

/** Told now and then how far the verification has come. */
export interface VerifyProgress {
  readonly bytes: number;
  readonly records: number;
  /** Elements of the records so far that are none. */
  readonly unreadable: number;
}

/** Of an AbortSignal, what this layer needs. */
export interface CancelSignal {
  throwIfAborted(): void;
}

/** By whom and for whom something is verified. */
export interface ReaderOptions {
  /** The host's fast crypto; noble where there is none. */
  readonly crypto?: HostCrypto;
  /** Made over the same crypto and shared by several verifications, it looks at a key that they all name only once. */
  readonly verifier?: StrictVerifier;
  /**
   * Whom the reader trusts: `KID`, `KID@ORG_ID`, or the digits of the fingerprint in place of the kid (trust-entry.ts).
   * Without any, no bundle is ever `verified`.
   */
  readonly trustedKids?: readonly string[];
  /** Keys that the reader knows to be agents', `AGENT=KEY` each with the public key or its thumbprint (trust-entry.ts). */
  readonly agentKeys?: readonly string[];
}

export interface VerifyOptions extends ReaderOptions {
  /** The bundle must have been made at this time or later, in milliseconds since the Unix epoch. */
  readonly madeNotBefore?: number;
  /** Receipts that agents kept, one EAR a line. */
  readonly receipts?: readonly NamedSource[];
  /** Other bundles of the same organization. */
  readonly against?: readonly NamedSource[];
  /** Witnesses that must stand behind the records: without them a bundle is not `verified`. */
  readonly witnesses?: DemandedWitnesses;
  /** Checkpoints of its log, one a file. */
  readonly checkpoints?: readonly NamedSource[];
  /** Files of time stamps: their checkpoints are among `checkpoints`, and of those that the file carries where that is asked for. */
  readonly stamps?: {
    readonly takesCarried: boolean;
    /** Told which of the checkpoints, by their names, the file leads to. */
    readonly onAgreeing: (agreeing: readonly AgreeingCheckpoint[]) => void;
  };
  readonly onProgress?: (progress: VerifyProgress) => void;
  /** Ends the verification early: what it throws then, such as an AbortSignal's reason, verifyBundle throws. */
  readonly signal?: CancelSignal;
}
