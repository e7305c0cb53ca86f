/** What an operating system or a cloud wrote down about one act, as far as it says it. */
export interface LogEvent {
  readonly kind: 'process' | 'file' | 'message' | 'api';
  /** Milliseconds since 1970, by the clock of whoever wrote the log. */
  readonly at: number;
  /** How the log calls the event: an audit serial, a record number, an event id. */
  readonly id: string;
  readonly host: string | null;
  readonly user: string | null;
  readonly pid: number | null;
  readonly parentPid: number | null;
  /** The executable's path; of a call of a cloud its service and name, such as `ec2.amazonaws.com StartInstances`. */
  readonly program: string | null;
  /** What it was started with, the program's name first; of a call of a cloud its request parameters as JSON. */
  readonly args: readonly string[];
  /** Where `args` is one text that the system did not split into words. */
  readonly isOneText: boolean;
  /** The file that was opened, or the folder that a process was started in. */
  readonly path: string | null;
  readonly succeeded: boolean | null;
  /** Lines of the log, from 1: where the event begins and ends. */
  readonly line: number;
  readonly endLine: number;
}

/** A part of a log: an event, or what could not be read. */
export type LogItem =
  | { readonly kind: 'event'; readonly event: LogEvent }
  | { readonly kind: 'unread'; readonly line: number; readonly reason: string };

/** Reads one kind of log. Pure: texts come in, events go out; memory is bounded whatever the log has in it. */
export interface LogReader {
  readonly kind: LogKind;
  /** What people call it. */
  readonly title: string;
  /** Where its form is documented. */
  readonly source: string;
  /** Whether a file is such a log, by its beginning: some 64 KiB at most. */
  readonly recognises: (head: string) => boolean;
  /** @param texts the log in pieces of any length, decoded */
  readonly read: (texts: AsyncIterable<string>) => AsyncGenerator<LogItem>;
}

const LOG_KINDS = ['auditd', 'macos', 'windows', 'cloudtrail'] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** The most characters of one line or one JSON object that are kept: what is longer is said and not read. */
export const MAX_PIECE = 4 * 1024 * 1024;
/** The most words of a command that are kept, and characters of one. */
export const MAX_ARGS = 1_024;
export const MAX_ARG = 65_536;

export function isMember(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text that is there. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_ARG) : null;
}

/** A number of a process, as a number, in decimal or in hexadecimal digits. */
export function pidOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^(?:0x[0-9a-f]+|\d+)$/i.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
