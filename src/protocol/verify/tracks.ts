import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import type { BundleAgent } from '../statements/agent-key.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { AdminTrack } from './admin-track.ts';
import { BegunBatches } from './begun-batches.ts';
import { Directory } from './directory.ts';
import { EpochTrack } from './epoch-track.ts';
import { FindingLog } from './finding-log.ts';
import { Issuer } from './issuer.ts';
import { Reconciliation } from './reconciliation.ts';
import { RecordTrack } from './record-track.ts';
import { SequenceTrack } from './sequence-track.ts';

/** By whom and for whom something is verified. */
export interface TracksOptions {
  /** The host's fast crypto; noble where there is none. */
  readonly crypto?: HostCrypto;
  /** Whom the reader trusts: kids, or kids each for one organization (trust-entry.ts). */
  readonly trustedKids?: readonly string[];
  /** Whether a gap is told at the first missing number, as in a ledger; in a bundle it is at the record that follows. */
  readonly gapsAtMissing?: boolean;
}

/** What one verification follows, of a bundle or of a stored ledger, and where it writes down what it finds. */
export class Tracks {
  readonly log = new FindingLog();
  readonly host: HostCrypto;
  readonly verifier: StrictVerifier;
  readonly trustedKids: readonly string[];
  readonly issuer: Issuer;
  readonly directory = new Directory();
  readonly epochs: EpochTrack;
  readonly admin: AdminTrack;
  readonly records: RecordTrack;
  readonly batches: BegunBatches;
  readonly reconciliation: Reconciliation;

  constructor({ crypto: host = nobleCrypto, trustedKids = [], gapsAtMissing = false }: TracksOptions) {
    const { log } = this;
    this.host = host;
    this.verifier = new StrictVerifier(host);
    this.trustedKids = trustedKids;
    this.issuer = new Issuer(trustedKids);
    this.epochs = new EpochTrack(host, log);
    this.admin = new AdminTrack(log, host.sha256);
    this.reconciliation = new Reconciliation(host, log);
    const sequence = new SequenceTrack(log, gapsAtMissing);
    const { verifier, issuer, directory, epochs, reconciliation } = this;
    this.records = new RecordTrack({ host, verifier, log, issuer, directory, epochs, reconciliation, sequence });
    this.batches = new BegunBatches(this.records, host);
  }

  /** Takes in everything that records rely on, and checks it. */
  async load(
    orgId: string,
    serviceKeys: readonly ServiceKey[],
    agents: readonly BundleAgent[],
    epochs: readonly Epoch[],
  ): Promise<void> {
    const { issuer, verifier, log } = this;
    this.records.orgId = orgId;
    await issuer.load(serviceKeys, orgId, verifier, log);
    await this.directory.load(agents, orgId, issuer, verifier, log);
    await this.epochs.load(epochs, orgId, issuer, verifier);
  }
}
