import { useSyncExternalStore } from 'react';
import { Seen } from './seen.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
}

const SHOWN_MS = 6000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says something in a corner of the page, and to screen readers. */
export function toast(text: string, kind: Toast['kind'] = 'done'): void {
  const id = ++lastId;
  set([...toasts, { id, text, kind }]);
  setTimeout(() => set(toasts.filter((shown) => shown.id !== id)), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where toasts appear. The live region is always there: a screen reader announces only what is added to one. */
export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, kind }) => (
        <p key={id} className={`toast toast-${kind}`}>
          <Seen text={text} />
        </p>
      ))}
    </div>
  );
}
