import type { BundleSource, DocumentKind } from './document.ts';
import { BundleScanner, type ScannedValue } from './scanner.ts';

/** What the reader meets, in the order of the document. */
export type BundleEvent =
  | { readonly kind: 'array'; readonly member: string; readonly line: number }
  | ({ readonly kind: 'value' } & ScannedValue);

/** Why a document cannot have something where the reader meets it; null where it can. */
export function misplaced(event: BundleEvent, { what, members, arrays }: DocumentKind): string | null {
  const { member } = event;
  if (!members.includes(member)) return `a ${what} has no member "${member.slice(0, 40)}"`;
  const isArray = event.kind === 'array' || event.element;
  return isArray === arrays.includes(member) ? null : `the member "${member}" is not of the right type`;
}

/** How much is scanned before the events so far are handed on, in bytes: keeps a huge chunk from becoming a huge list. */
const SLICE_BYTES = 256 * 1024;

/**
 * Reads a bundle as a stream of its pieces, a list for every slice of the file, holding one slice at a time.
 * @param onBytes is told how many bytes were taken so far
 * @throws ScanError after the events that stand before the place where the document is broken
 */
export async function* readBundle(
  source: BundleSource,
  onBytes?: (total: number) => void,
): AsyncGenerator<readonly BundleEvent[]> {
  let events: BundleEvent[] = [];
  const scanner = new BundleScanner({
    begin: (member, line) => void events.push({ kind: 'array', member, line }),
    value: (value) => void events.push({ kind: 'value', ...value }),
  });
  let total = 0;
  for await (const chunk of source()) {
    for (let from = 0; from < chunk.length; from += SLICE_BYTES) {
      const slice = chunk.subarray(from, from + SLICE_BYTES);
      let broken: unknown;
      try {
        scanner.push(slice);
      } catch (error) {
        broken = error;
      }
      total += slice.length;
      onBytes?.(total);
      if (events.length > 0) yield events;
      events = [];
      if (broken !== undefined) throw broken;
    }
  }
  scanner.finish();
}
