import { type HostCrypto, nobleCrypto, StrictVerifier } from '../crypto.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { AdminTrack } from './admin-track.ts';
import { AgentHistory } from './agent-history.ts';
import { PickedChains, UnbrokenChains } from './chain-links.ts';
import { Directory, type ListedAgent } from './directory.ts';
import { EpochTrack } from './epoch-track.ts';
import { FindingLog } from './finding-log.ts';
import { Issuer } from './issuer.ts';
import type { CarriedSources } from './kept-checkpoints.ts';
import { LedgerOrder } from './ledger-order.ts';
import type { NotedEvent } from './noted-event.ts';
import type { Listed } from './packed-epochs.ts';
import { PendingBatches } from './pending-batches.ts';
import { Reconciliation } from './reconciliation.ts';
import { RecordTrack } from './record-track.ts';
import { SequenceTrack } from './sequence-track.ts';
import type { ReaderOptions, VerifyOptions } from './verify-options.ts';

const NOTHING_CARRIED: CarriedSources = { cosigned: [], stamped: [] };

export interface TracksOptions extends ReaderOptions, Pick<VerifyOptions, 'witnesses' | 'stamps'> {
  /** Whether a gap is told at the first missing number, as in a ledger; in a bundle it is at the record that follows. */
  readonly gapsAtMissing?: boolean;
  /** Whether the records are some of a ledger, each with its proof, and not a run: those of a proof of records. */
  readonly picked?: boolean;
}

/** Everything that records rely on. */
export interface LoadedHead {
  readonly orgId: string;
  readonly serviceKeys: readonly ServiceKey[];
  readonly agents: readonly ListedAgent[];
  readonly epochs: Listed<Epoch>;
  /** The newest epoch, where the file states it. */
  readonly head: Epoch | null;
  /** From the first event of all; null where the administrative log is not shown. */
  readonly events: readonly NotedEvent[] | null;
  /** What others said of the log, as the file brings it along. */
  readonly carried?: CarriedSources;
}

/** What one verification follows, of a bundle or of a stored ledger, and where it writes down what it finds. */
export class Tracks {
  readonly log = new FindingLog();
  readonly host: HostCrypto;
  readonly verifier: StrictVerifier;
  readonly trustedKids: readonly string[];
  readonly order = new LedgerOrder();
  readonly issuer: Issuer;
  readonly directory: Directory;
  readonly history: AgentHistory;
  readonly epochs: EpochTrack;
  readonly admin: AdminTrack;
  readonly records: RecordTrack;
  readonly batches: PendingBatches;
  readonly reconciliation: Reconciliation;

  constructor(options: TracksOptions) {
    const {
      crypto: host = nobleCrypto,
      trustedKids = [],
      agentKeys = [],
      gapsAtMissing = false,
      picked = false,
    } = options;
    const { log, order } = this;
    this.host = host;
    this.verifier = options.verifier ?? new StrictVerifier(host);
    this.trustedKids = trustedKids;
    this.issuer = new Issuer(trustedKids, order);
    this.epochs = new EpochTrack(host, log, order, picked);
    this.admin = new AdminTrack(log, order);
    this.directory = new Directory(agentKeys);
    this.history = new AgentHistory(log, order);
    this.reconciliation = new Reconciliation(host, log, order, options);
    const sequence = new SequenceTrack(log, gapsAtMissing);
    const chains = picked ? new PickedChains() : new UnbrokenChains();
    const { verifier, issuer, directory, history, epochs, reconciliation } = this;
    const rooms = { host, verifier, log, order, issuer, directory, history, epochs, reconciliation, sequence, chains };
    this.records = new RecordTrack(rooms);
    this.batches = new PendingBatches(this.records, host);
  }

  /** Takes in everything that records rely on, and checks it. */
  async load({
    orgId,
    serviceKeys,
    agents,
    epochs,
    head,
    events,
    carried = NOTHING_CARRIED,
  }: LoadedHead): Promise<void> {
    const { issuer, verifier, log } = this;
    this.records.orgId = orgId;
    await this.reconciliation.takeCarried(orgId, carried);
    this.epochs.log.watch(this.reconciliation.sizes);
    if (events !== null) this.order.load(events);
    await issuer.load(serviceKeys, orgId, verifier, log);
    await this.directory.load(agents, orgId, issuer, verifier, log);
    await this.epochs.load(epochs, orgId, issuer, verifier);
    await this.epochs.loadHead(head, orgId, issuer, verifier);
    if (events === null) return;
    this.admin.load(events, orgId);
    this.admin.checkEpochs(this.epochs.shown());
    this.history.load(events, agents);
    await this.reconciliation.settleOrder(issuer, verifier);
  }
}
