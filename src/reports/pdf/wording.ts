import { type CheckStatus, formatTime, type Verdict } from '../../protocol/index.ts';
import type { Mark } from './layout/marks.ts';

export const VERDICT_WORDS: Readonly<Record<Verdict, string>> = {
  verified: 'Verified',
  failed: 'Failed',
  incomplete: 'Incomplete',
};

export const VERDICT_MARKS: Readonly<Record<Verdict, Mark>> = {
  verified: 'pass',
  failed: 'fail',
  incomplete: 'not_checked',
};

export const STATUS_WORDS: Readonly<Record<CheckStatus, string>> = {
  pass: 'Passed',
  fail: 'Failed',
  not_checked: 'Not checked',
  not_applicable: 'Nothing to check',
};

/** A count with its thousands apart. */
export function many(count: number): string {
  return count.toLocaleString('en-US');
}

/** A count with its noun: "1 record", "2,000 records". */
export function counted(count: number, noun: string): string {
  return `${many(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** How many rows of a table, and how many findings, a report shows that is a summary. */
export const SUMMARY_ROWS = 15;

/** What a summary says of rows that it leaves out; null where there is none. */
export function leftOut(count: number, noun: string, where = 'the attached bundle holds'): string | null {
  return count === 0 ? null : `Not shown: ${counted(count, noun)} more; ${where} all of them.`;
}

export function sizeInWords(bytes: number): string {
  if (bytes < 1024) return counted(bytes, 'byte');
  const [unit, value] = bytes < 1024 * 1024 ? ['KiB', bytes / 1024] : ['MiB', bytes / 1024 / 1024];
  return `${value.toFixed(1)} ${unit} (${counted(bytes, 'byte')})`;
}

/** A time that a statement gives in milliseconds since the epoch. It may be any integer. */
export function instant(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  // Beyond the year 9999 there is no form of RFC 3339.
  if (milliseconds < 0 || milliseconds > 253_402_300_799_999) return `${milliseconds} ms since 1970`;
  return formatTime(milliseconds);
}

/** A sentence as one: with a capital and a full stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
