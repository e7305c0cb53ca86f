import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { isZone, offsetAt, offsetText as writtenOffset } from '../../actions/light.ts';

/** An IANA time zone, such as `Europe/Oslo`: the page shows times in it, and reads those in it that are typed. */
export type TimeZone = string;

export const UTC: TimeZone = 'UTC';

const CHOSEN = 'countersign.zone';
const USED = 'countersign.zones';
const CHANGED = 'countersign:zone';
/** Zones that are offered again. */
const MAX_USED = 5;

/** The zone that an address brought along: it counts before the one chosen in this browser, which it leaves as it is. */
let ofAddress: TimeZone | null = null;

/** The zone of this machine. */
export function machineZone(): TimeZone {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A zone as it is written, whatever the case in which somebody did; null where there is none of that name. */
export function readZone(text: string): TimeZone | null {
  const name = text.trim();
  if (name === '' || !isZone(name)) return null;
  const known = [UTC, machineZone(), ...Intl.supportedValuesOf('timeZone')];
  return known.find((zone) => zone.toLowerCase() === name.toLowerCase()) ?? name;
}

function storedZone(): TimeZone | null {
  return readZone(localStorage.getItem(CHOSEN) ?? '');
}

/** The zone that an address is to have, so that who is sent it sees the same times; null where nobody chose one. */
export function chosenZone(): TimeZone | null {
  return ofAddress ?? storedZone();
}

/** The zone of the page's times: that of the address, else the one chosen in this browser, else UTC. */
export function shownZone(): TimeZone {
  return chosenZone() ?? UTC;
}

function tell(): void {
  window.dispatchEvent(new Event(CHANGED));
}

/** Takes the zone over that an address names, where another is shown. */
export function takeZoneOfAddress(zone: TimeZone): void {
  if (zone === shownZone()) return;
  ofAddress = zone;
  tell();
}

const usedZones = z.array(z.string()).catch([]);

/** Zones that are offered before all others: UTC, the machine's, and those that somebody chose here. */
export function offeredZones(): readonly TimeZone[] {
  let used: readonly string[];
  try {
    used = usedZones.parse(JSON.parse(localStorage.getItem(USED) ?? '[]'));
  } catch (error) {
    // Somebody else's text under our key names no zones.
    if (!(error instanceof SyntaxError)) throw error;
    used = [];
  }
  return [...new Set([UTC, machineZone(), shownZone(), ...used.filter(isZone)])];
}

/** Shows times in a zone from now on, in all windows of this browser. */
export function chooseZone(zone: TimeZone): void {
  const known = [UTC, machineZone()];
  const used = [zone, ...offeredZones()].filter((one, at, all) => !known.includes(one) && all.indexOf(one) === at);
  localStorage.setItem(USED, JSON.stringify(used.slice(0, MAX_USED)));
  localStorage.setItem(CHOSEN, zone);
  ofAddress = null;
  tell();
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener(CHANGED, onChange);
  // Another window of the same browser.
  window.addEventListener('storage', onChange);
  return () => {
    window.removeEventListener(CHANGED, onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** The zone of the page's times. */
export function useTimeZone(): TimeZone {
  return useSyncExternalStore(subscribe, shownZone);
}

/** How far clocks of a zone are ahead of UTC at a moment, such as `+01:00`. */
export function offsetText(moment: number, zone: TimeZone): string {
  return writtenOffset(offsetAt(zone, moment));
}

/** The head of a column of times, which is written for UTC, as it is in a zone: elsewhere each time has its offset. */
export function headInZone(head: string, zone: TimeZone): string {
  return zone === UTC ? head : head.replace(' (UTC)', '');
}
