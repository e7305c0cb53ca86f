import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { instantText, parseTime } from '../time.ts';
import type { FindingLog } from './finding-log.ts';
import type { LedgerOrder } from './ledger-order.ts';
import type { NotedEvent } from './noted-event.ts';
import type { OtherBundle } from './other-bundle.ts';
import type { FindingPlace } from './report.ts';
import type { IsSigned, Unsigned } from './two-files.ts';
import type { ReconciledBundle } from './two-ledgers.ts';

/** One of two files, as what both state is held against the moment of the other. */
interface Side {
  readonly manifest: Manifest;
  readonly epochs: readonly { readonly epoch: Epoch }[];
  readonly events: readonly NotedEvent[];
  readonly serviceKeys: readonly ServiceKey[];
  readonly agentIds: ReadonlySet<string>;
}

interface Conflict {
  readonly where: FindingPlace;
  readonly expected?: string;
  readonly actual?: string;
  readonly message: string;
}

/** Events of one file that were logged before the other was made, and stand behind the end of the log that it states. */
function hiddenEvent({ manifest }: Side, { events }: Side, order: LedgerOrder): Conflict | null {
  const { count } = manifest.admin_log;
  // Times never decrease along a log: the first behind the end is the earliest.
  const event = events[count];
  if (event === undefined || order.at('events', count + 1, event.createdAt) >= order.made(manifest)) return null;
  return {
    where: event.whole === null ? {} : { event_id: event.whole.eventId },
    expected: `at the earliest ${manifest.created_at}`,
    actual: instantText(event.createdAt),
    message:
      'The administrative log holds an event that is older than the other of two bundles, whose log ends before it.',
  };
}

/** Epochs that lie on the other side of the moment at which a bundle was made than its manifest states. */
function misplacedEpochs(manifest: Manifest, epochs: Side['epochs'], order: LedgerOrder): Epoch[] {
  const made = order.made(manifest);
  const at = (epochNo: number, time: string): number => order.at('epoch_no', epochNo, parseTime(time));
  return epochs
    .map(({ epoch }) => epoch)
    .filter(({ org_id }) => org_id === manifest.org_id)
    .filter(({ epoch_no, start_time, end_time }) =>
      epoch_no > manifest.log_head.epoch_no ? at(epoch_no, start_time) < made : at(epoch_no, end_time) > made,
    );
}

/** Service keys of one file that say they had taken over from a key of the other before that was made, and are not in it. */
function hiddenKeys({ manifest, serviceKeys }: Side, shown: Side, order: LedgerOrder): ServiceKey[] {
  const made = order.made(manifest);
  const kids = new Set(serviceKeys.map(({ kid }) => kid));
  const isHidden = ({ kid, prev_kid, created_at }: ServiceKey): boolean =>
    !kids.has(kid) && prev_kid !== null && kids.has(prev_kid) && created_at + order.total < made;
  return shown.serviceKeys.filter(isHidden);
}

/** An event that one file withholds although it is about an agent of it, as the other shows. */
function withheldChange({ events, agentIds }: Side, shown: Side): Conflict | null {
  const withheld = new Set(events.filter(({ whole }) => whole === null).map(({ hash }) => hash));
  const found = shown.events.find(
    ({ hash, whole }) =>
      withheld.has(hash) && whole !== null && whole.change !== null && agentIds.has(whole.change.agentId),
  );
  if (found?.whole == null) return null;
  return {
    where: { event_id: found.whole.eventId },
    message: 'One file withholds an administrative event that, as the other shows, is about an agent of it.',
  };
}

/** Holds the moments of two files against each other. */
class Moments {
  readonly #file: string;
  readonly #isSigned: IsSigned;
  readonly #unsigned: Unsigned;
  readonly #log: FindingLog;
  readonly #order: LedgerOrder;

  constructor(file: string, isSigned: IsSigned, unsigned: Unsigned, log: FindingLog, order: LedgerOrder) {
    this.#file = file;
    this.#isSigned = isSigned;
    this.#unsigned = unsigned;
    this.#log = log;
    this.#order = order;
  }

  /** Epochs against a signed manifest. The first signed one that is misplaced says enough. */
  async judgeEpochs(manifest: Manifest, epochs: Side['epochs']): Promise<void> {
    for (const epoch of misplacedEpochs(manifest, epochs, this.#order)) {
      const { epoch_id, epoch_no, start_time, end_time } = epoch;
      const where = { file: this.#file, epoch_id, epoch_no };
      if (!(await this.#isSigned({ epoch }))) {
        this.#unsigned(where);
        continue;
      }
      const isHidden = epoch_no > manifest.log_head.epoch_no;
      this.#log.add('CONTRADICTION', {
        where,
        expected: `at the ${isHidden ? 'earliest' : 'latest'} ${manifest.created_at}`,
        actual: isHidden ? start_time : end_time,
        message: isHidden
          ? 'An epoch began before the other of two bundles was made, whose ledger ends before it.'
          : 'An epoch ended after the other of two bundles was made, whose ledger is said to have had it.',
      });
      return;
    }
  }

  /** @param isTheirs whether the other file's manifest is signed, without which none of this is proven */
  async judgeKeys(own: Side, theirs: Side, isTheirs: boolean): Promise<void> {
    // Whoever hides a rotation hides the key that signed the other file: the key before it speaks for its successor.
    for (const key of [
      ...hiddenKeys(own, theirs, this.#order),
      ...(isTheirs ? hiddenKeys(theirs, own, this.#order) : []),
    ]) {
      if (!(await this.#isSigned({ service_key: key }))) continue;
      this.#log.add('CONTRADICTION', {
        where: { file: this.#file, kid: key.kid },
        message: 'A service key had taken over before one of two bundles was made, and is not in it.',
      });
      return;
    }
  }

  judgeEvents(conflict: Conflict | null, isProven: boolean): void {
    if (conflict === null) return;
    const where = { file: this.#file, ...conflict.where };
    if (isProven) this.#log.add('CONTRADICTION', { ...conflict, where });
    else this.#unsigned(where);
  }
}

/**
 * Whether two bundles, each of which shows one moment of the ledger, say the same of it (protocol §9, CONTRADICTION 4 to 6):
 * nothing behind the heads that a manifest states is older than the bundle and nothing up to them younger, no key had taken over that it lacks, and what is
 * withheld may be withheld.
 */
export async function judgeMoments(
  subject: ReconciledBundle,
  other: OtherBundle,
  isSigned: IsSigned,
  unsigned: Unsigned,
  log: FindingLog,
  order: LedgerOrder,
): Promise<void> {
  if (!subject.signed) return;
  const moments = new Moments(other.name, isSigned, unsigned, log, order);
  await moments.judgeEpochs(subject.manifest, other.epochs);
  const { manifest, manifestSignature, hasEvents } = other;
  if (manifest === null || manifestSignature === null || manifest.org_id !== subject.manifest.org_id) return;
  const idsOf = (agents: OtherBundle['agents']): ReadonlySet<string> => new Set(agents.map(({ agent_id }) => agent_id));
  const own = { ...subject, agentIds: idsOf(subject.agents) };
  const theirs = {
    manifest,
    epochs: other.epochs,
    events: other.eventList ?? [],
    serviceKeys: other.serviceKeys,
    agentIds: other.hasDirectory ? idsOf(other.agents) : new Set<string>(),
  };
  const isTheirs = await isSigned({ manifest, manifest_signature: manifestSignature });
  if (isTheirs) await moments.judgeEpochs(manifest, own.epochs);
  await moments.judgeKeys(own, theirs, isTheirs && other.hasDirectory);
  moments.judgeEvents(hiddenEvent(own, theirs, order), isTheirs && hasEvents);
  moments.judgeEvents(hiddenEvent(theirs, own, order), isTheirs);
  moments.judgeEvents(withheldChange(own, theirs) ?? withheldChange(theirs, own), isTheirs && hasEvents);
}
