import type { Json } from '../../protocol/records.ts';
import type { Redaction } from '../redact/redaction.ts';

function parent(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));
}

/** Whether a value has something where a pointer points to. */
function leadsTo(pointer: string, value: Json | undefined): boolean {
  let at = value;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return false;
    at = (at as Record<string, Json>)[name];
  }
  return at !== undefined;
}

/**
 * Redactions of which none points into what was cut away: it points to what that was in instead.
 * @param base pointer of the value
 */
export function withinKept(
  redactions: readonly Redaction[],
  base: string,
  kept: Json | undefined,
): readonly Redaction[] {
  return redactions.map(({ at, type }) => {
    let pointer = at;
    while (pointer.length > base.length && !leadsTo(pointer.slice(base.length), kept)) pointer = parent(pointer);
    return { at: pointer, type };
  });
}
