import { useSyncExternalStore } from 'react';

/** The code of an invitation, which the service shows this once. */
export interface IssuedCode {
  readonly invitationId: string;
  readonly email: string;
  readonly code: string;
  /** When it came, in ms since 1970. */
  readonly issuedAt: number;
}

/*
 * Codes are kept apart from what they came to: closing a window over the page, or going on from onboarding, must not lose
 * what cannot be asked for again. They are in memory alone, and gone when the screen of the people is left.
 */
let issued: readonly IssuedCode[] = [];
const listeners = new Set<() => void>();

function set(next: readonly IssuedCode[]): void {
  issued = next;
  for (const listener of listeners) listener();
}

export function keepCodes(codes: readonly Omit<IssuedCode, 'issuedAt'>[]): void {
  const issuedAt = Date.now();
  // A new invitation to the same address ends the older one.
  const isReplaced = (old: IssuedCode): boolean => codes.some(({ email }) => email === old.email);
  set([...codes.map((code) => ({ ...code, issuedAt })), ...issued.filter((old) => !isReplaced(old))]);
}

/** Forgets the code of an invitation, by its id; all of them without one. */
export function forgetCodes(invitationId?: string): void {
  set(invitationId === undefined ? [] : issued.filter((code) => code.invitationId !== invitationId));
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIssuedCodes(): readonly IssuedCode[] {
  return useSyncExternalStore(subscribe, () => issued);
}
