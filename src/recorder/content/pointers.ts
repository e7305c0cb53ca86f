import { type Json, nameOfStep } from '../../protocol/light.ts';
import type { Redaction } from '../redact/redaction.ts';

/** As much of a pointer as leads to something in a value. */
function leading(pointer: string, value: Json | undefined): string {
  let at = value;
  let led = '';
  for (const step of pointer.split('/').slice(1)) {
    const name = nameOfStep(step);
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) break;
    at = (at as Record<string, Json>)[name];
    led += `/${step}`;
  }
  return led;
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
  return redactions.map(({ at, type }) => ({ at: base + leading(at.slice(base.length), kept), type }));
}
