import { useSyncExternalStore } from 'react';

let dropped: readonly File[] = [];
const listeners = new Set<() => void>();

function set(files: readonly File[]): void {
  dropped = files;
  for (const listener of listeners) listener();
}

/** Lays files down that were dropped onto the page, for the screen that imports them. */
export function layDown(files: readonly File[]): void {
  set(files);
}

/** Takes what was laid down away: each file is imported once. */
export function pickUp(): void {
  if (dropped.length > 0) set([]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Files that were dropped and not picked up yet. */
export function useDroppedFiles(): readonly File[] {
  return useSyncExternalStore(subscribe, () => dropped);
}
