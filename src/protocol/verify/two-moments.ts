import type { Sha256 } from '../digest.ts';
import type { Epoch } from '../statements/epoch.ts';
import type { Manifest } from '../statements/manifest.ts';
import type { ServiceKey } from '../statements/service-key.ts';
import { instantText, parseTime } from '../time.ts';
import type { LedgerOrder } from './ledger-order.ts';
import { heldEvents } from './noted-event.ts';
import type { Conflict, Side } from './side.ts';
import { isProven, type Judging, tell } from './two-ledgers.ts';

/** Events of one file that were logged before the other was made, and stand behind the end of the log that it states. */
function hiddenEvent({ manifest }: Side, showing: Side, { hash, order }: Judging): Conflict | null {
  const { count } = manifest.admin_log;
  const events = heldEvents(showing.events, showing.manifest, hash);
  if (events.length < showing.events.length) return null;
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
function* misplacedEpochs(manifest: Manifest, epochs: Side['epochs'], order: LedgerOrder): Generator<Epoch> {
  const made = order.made(manifest);
  const at = (epochNo: number, time: string): number => order.at('epoch_no', epochNo, parseTime(time));
  for (const { epoch } of epochs) {
    const { org_id, epoch_no, start_time, end_time } = epoch;
    if (org_id !== manifest.org_id) continue;
    const isBehind = epoch_no > manifest.log_head.epoch_no;
    if (isBehind ? at(epoch_no, start_time) < made : at(epoch_no, end_time) > made) yield epoch;
  }
}

/** Service keys of one file that say they had taken over from a key of the other before that was made, and are not in it. */
function hiddenKeys({ manifest, serviceKeys }: Side, shown: Side, order: LedgerOrder): ServiceKey[] {
  const made = order.made(manifest);
  const kids = new Set(serviceKeys.map(({ kid }) => kid));
  const isHidden = ({ kid, prev_kid, created_at }: ServiceKey): boolean =>
    !kids.has(kid) && prev_kid !== null && kids.has(prev_kid) && created_at + order.total < made;
  return shown.serviceKeys.filter(isHidden);
}

/** An event that one file withholds although it is about an agent of it or names the organization, as the other shows. */
function withheldChange({ events, agents, covers }: Side, shown: Side, digest: Sha256): Conflict | null {
  const withheld = new Set(events.filter(({ whole }) => whole === null).map(({ hash }) => hash));
  const agentIds = new Set(covers.directory ? agents.map(({ agent_id }) => agent_id) : []);
  const found = heldEvents(shown.events, shown.manifest, digest).find(
    ({ hash, whole }) =>
      withheld.has(hash) &&
      whole !== null &&
      (whole.naming !== null || (whole.change !== null && agentIds.has(whole.change.agentId))),
  );
  if (found?.whole == null) return null;
  return {
    where: { event_id: found.whole.eventId },
    message:
      'One file withholds an administrative event that, as the other shows, is about an agent of it or names the organization.',
  };
}

/** Epochs of one file against the signed manifest of another. The first signed one that is misplaced says enough. */
export async function judgeEpochMoments(manifest: Manifest, epochs: Side['epochs'], judging: Judging): Promise<void> {
  for (const epoch of misplacedEpochs(manifest, epochs, judging.order)) {
    const { epoch_id, epoch_no, start_time, end_time } = epoch;
    const isHidden = epoch_no > manifest.log_head.epoch_no;
    const conflict = {
      where: { epoch_id, epoch_no },
      expected: `at the ${isHidden ? 'earliest' : 'latest'} ${manifest.created_at}`,
      actual: isHidden ? start_time : end_time,
      message: isHidden
        ? 'An epoch began before the other of two bundles was made, whose ledger ends before it.'
        : 'An epoch ended after the other of two bundles was made, whose ledger is said to have had it.',
    };
    const isSigned = await judging.isSigned({ epoch });
    tell(conflict, isSigned, judging);
    if (isSigned) return;
  }
}

/** Whoever hides a rotation hides the key that signed the other file: the key before it speaks for its successor. */
async function judgeKeys(hiding: Side, showing: Side, judging: Judging): Promise<boolean> {
  if (!hiding.signed || !hiding.covers.directory) return false;
  for (const key of hiddenKeys(hiding, showing, judging.order)) {
    if (!(await judging.isSigned({ service_key: key }))) continue;
    const message = 'A service key had taken over before one of two bundles was made, and is not in it.';
    tell({ where: { kid: key.kid }, message }, true, judging);
    return true;
  }
  return false;
}

/**
 * Whether two bundles, each of which shows one moment of the ledger, say the same of it (protocol V115 to V117):
 * nothing behind the heads that a manifest states is older than the bundle and nothing up to them younger, no key had taken over that it lacks, and what is
 * withheld may be withheld.
 */
export async function judgeMoments(a: Side, b: Side, judging: Judging): Promise<void> {
  if (!(await judgeKeys(a, b, judging))) await judgeKeys(b, a, judging);
  const isShown = ({ signed, covers }: Side): boolean => signed && covers.events;
  tell(hiddenEvent(a, b, judging), a.signed && isShown(b), judging);
  tell(hiddenEvent(b, a, judging), b.signed && isShown(a), judging);
  const change = withheldChange(a, b, judging.hash) ?? withheldChange(b, a, judging.hash);
  tell(change, isProven(a, b, 'events'), judging);
}
