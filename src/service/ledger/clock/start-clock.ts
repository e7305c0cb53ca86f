import { createHash } from 'node:crypto';
import { instantText } from '../../../protocol/index.ts';
import { StartError } from '../../store/base/service-error.ts';
import { type ClockDoubt, ClockWatch, doubtText, type KnownTime } from '../../store/clock-watch.ts';
import type { LedgerClock } from '../../store/ledger-clock.ts';
import type { Store, WritableStore } from '../../store/open.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { Writer } from '../../store/writer.ts';
import { OPERATOR, recordAdminEvent } from '../admin-log/admin-events.ts';
import { MACHINE_CLOCK, readKnownTime } from './known-time-file.ts';

/** By less than this the ledger may be ahead of the machine's clock without anybody being told, in milliseconds. */
const AHEAD_MS = 60_000;

/** What is wrong with the time of a service: the machine's clock, or what the ledger signed under an earlier reading of it. */
export type ClockState =
  | { readonly state: 'right' }
  | { readonly state: 'in_doubt'; readonly doubt: ClockDoubt }
  | { readonly state: 'ledger_ahead'; readonly id: string; readonly latest: number; readonly reads: number };

/** @param now what the machine's clock says, in milliseconds since the Unix epoch */
export function clockState(clock: LedgerClock, now: number): ClockState {
  const doubt = clock.watch?.look() ?? null;
  if (doubt !== null) return { state: 'in_doubt', doubt };
  const { latest } = clock;
  return latest - now <= AHEAD_MS
    ? { state: 'right' }
    : { state: 'ledger_ahead', id: idOf(latest), latest, reads: now };
}

function idOf(latest: number): string {
  return createHash('sha256').update(`ahead ${latest}`).digest('hex').slice(0, 16);
}

/** The state as a sentence for the person at the terminal; null where all is right. */
export function describeClock(state: ClockState): string | null {
  if (state.state === 'right') return null;
  if (state.state === 'in_doubt') {
    const { doubt } = state;
    return (
      `${doubtText(doubt)}: nothing is signed until it is set right. If it is right, confirm it on the dashboard, or start once ` +
      `with --accept-clock ${doubt.id}: that is recorded`
    );
  }
  return (
    `the ledger has signed times up to ${instantText(state.latest)}, and the machine's clock reads ${instantText(state.reads)}: records that would ` +
    'come too late by the ledger are held back. If the clock is right now, correct the ledger on the dashboard, or start ' +
    `once with --correct-clock ${state.id}: that is recorded, and verifiers show it`
  );
}

/**
 * Watches the machine's clock from the start on, before anything is signed.
 * @throws StartError CLOCK_IN_DOUBT where this start would have to sign what the operator accepts besides
 */
export function watchClock(
  store: Store,
  path: string,
  settings: Settings,
  told: (() => KnownTime | null) | undefined,
): ClockWatch {
  const watch = new ClockWatch(MACHINE_CLOCK, readKnownTime(path, store.clock.latest), told);
  store.clock.watch = watch;
  const state = clockState(store.clock, MACHINE_CLOCK.now());
  const isOpen = state.state === 'in_doubt' && !watch.isNamed(settings.acceptClock);
  if (isOpen && settings.acceptRollback !== null) throw new StartError('CLOCK_IN_DOUBT', describeClock(state) ?? '');
  return watch;
}

/**
 * Confirms the clock at the word of whoever runs the service, where the settings name the doubt.
 * @param home the home organization, in whose log it is recorded; null where there is none yet
 */
export async function acceptClock(
  writer: Writer,
  watch: ClockWatch,
  { acceptClock: id }: Settings,
  home: string | null,
): Promise<void> {
  const doubt = watch.look();
  if (doubt === null || !watch.isNamed(id)) return;
  await writer.run(() => confirmClock(writer, watch, doubt.id, { home, actor: OPERATOR, reason: null }));
}

/** Within the writer: what is recorded is signed under the confirmed clock, and a crash between the two asks again. @returns whether this doubt was there */
export async function confirmClock(
  writer: Writer,
  watch: ClockWatch,
  id: string,
  { home, actor, reason }: { readonly home: string | null; readonly actor: string; readonly reason: string | null },
): Promise<boolean> {
  const doubt = watch.confirm(id);
  if (doubt === null) return false;
  if (home === null) return true;
  const { cause, expected, reads } = doubt;
  const details = { cause, expected, reads, ...(reason === null ? {} : { reason }) };
  const act = {
    orgId: home,
    actor,
    action: 'ledger.clock_accepted',
    targetType: 'ledger',
    targetId: id,
    details,
  } as const;
  await writer.commit((tx: WritableStore) => recordAdminEvent(tx, act, MACHINE_CLOCK.now()));
  return true;
}
