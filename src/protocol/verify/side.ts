import type { BundleOrg } from '../bundle/document.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import type { NotedEvent } from './noted-event.ts';
import type { Listed } from './packed-epochs.ts';
import type { FindingPlace } from './report.ts';

/** Whether a manifest is signed by the service, and what of its bundle its digests cover. */
export interface Coverage {
  readonly signed: boolean;
  readonly records: boolean;
  readonly directory: boolean;
  readonly events: boolean;
}

/** Which parts of a bundle the digests of its manifest are those of. */
export type Covers = Omit<Coverage, 'signed'>;

/** An epoch in its file; no place where that is the verified bundle. */
export interface StatedEpoch {
  readonly epoch: Epoch;
  readonly where?: FindingPlace;
}

/** One of two bundles that are held against each other. */
export interface Side {
  readonly manifest: Manifest;
  /** Whether its manifest is signed. */
  readonly signed: boolean;
  readonly covers: Covers;
  /** Also the newest of its ledger. */
  readonly epochs: Listed<StatedEpoch>;
  readonly events: readonly NotedEvent[];
  readonly org: BundleOrg | null;
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly BundleAgent[];
}

/** One thing that two files say differently although only one of them can be true. */
export interface Conflict {
  readonly where: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
}
