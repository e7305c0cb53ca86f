import type { SignCode } from '../light.ts';

/** A sign that a file was altered after its program wrote it. Not a proof: a fault of a program or a disk leaves some of them too. */
export interface AlterationSign {
  readonly code: SignCode;
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A JSON object of a line. */
export type Entry = Readonly<Record<string, unknown>>;

/** Looks at the entries of one transcript, in their order. Memory is bounded. */
export interface AlterationChecks {
  take(entry: Entry, line: number): readonly AlterationSign[];
}

/** A member of a member …; undefined where there is none. */
export function at(entry: unknown, ...names: readonly string[]): unknown {
  let value = entry;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    value = Object.hasOwn(value, name) ? (value as Entry)[name] : undefined;
  }
  return value;
}

export function textAt(entry: unknown, ...names: readonly string[]): string | null {
  const value = at(entry, ...names);
  return typeof value === 'string' && value !== '' ? value : null;
}

export function numberAt(entry: unknown, ...names: readonly string[]): number | null {
  const value = at(entry, ...names);
  return typeof value === 'number' ? value : null;
}
