import { useSyncExternalStore } from 'react';
import type { Upload } from './answers.ts';
import type { Folder } from './folder-files.ts';

/** A file that was dropped, or one that the desktop has opened and handed to the service already. */
export type DroppedFile = File | Upload;

let dropped: readonly (DroppedFile | Folder)[] = [];
const listeners = new Set<() => void>();

function set(files: readonly (DroppedFile | Folder)[]): void {
  dropped = files;
  for (const listener of listeners) listener();
}

/** Lays files or a folder down that were dropped onto the page, or opened with the desktop, for the screen that imports them. */
export function setDroppedFiles(files: readonly (DroppedFile | Folder)[]): void {
  set(files);
}

/** Takes what was laid down away: each file is imported once. */
export function takeDroppedFiles(): void {
  if (dropped.length > 0) set([]);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What was laid down and not picked up yet. */
export function useDroppedFiles(): readonly (DroppedFile | Folder)[] {
  return useSyncExternalStore(subscribe, () => dropped);
}
