import { useSyncExternalStore } from 'react';
import { TIMES } from './texts.ts';

/** In which zone the page shows times, and reads those that are typed. */
export type TimeZone = 'utc' | 'local';

const KEY = 'countersign.times';
const CHANGED = 'countersign:times';

export function storedTimeZone(): TimeZone {
  return localStorage.getItem(KEY) === 'local' ? 'local' : 'utc';
}

export function storeTimeZone(zone: TimeZone): void {
  localStorage.setItem(KEY, zone);
  window.dispatchEvent(new Event(CHANGED));
}

function subscribe(tell: () => void): () => void {
  window.addEventListener(CHANGED, tell);
  // Another window of the same browser.
  window.addEventListener('storage', tell);
  return () => {
    window.removeEventListener(CHANGED, tell);
    window.removeEventListener('storage', tell);
  };
}

/** The zone of the page's times, kept in this browser. */
export function useTimeZone(): TimeZone {
  return useSyncExternalStore(subscribe, storedTimeZone);
}

/** The IANA name of a zone, such as `Europe/Oslo`. */
export function zoneName(zone: TimeZone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const pad = (n: number, digits = 2): string => String(n).padStart(digits, '0');

/** How far local time is from UTC at a moment, such as `+01:00`. */
export function offsetText(date: Date): string {
  const minutes = -date.getTimezoneOffset();
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(distance / 60))}:${pad(distance % 60)}`;
}

/** A moment as `2026-01-31 23:59:59.123` in a zone. The date must be one. */
export function momentText(date: Date, zone: TimeZone): string {
  if (zone === 'utc') return date.toISOString().replace('T', ' ').replace('Z', '');
  const day = `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return `${day} ${time}.${pad(date.getMilliseconds(), 3)}`;
}

/** The head of a column of times, which is written for UTC, as it is in a zone. */
export function headInZone(head: string, zone: TimeZone): string {
  return zone === 'utc' ? head : head.replace('(UTC)', TIMES.local);
}
