import type { Json } from '../../../protocol/index.ts';
import { isMembers } from '../../../protocol/light.ts';
import { pointerOf } from '../check-payload.ts';

type Members = { readonly [member: string]: Json };

function walk(a: Json, b: Json, path: (string | number)[]): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) {
      const [one, other] = [a[i], b[i]];
      if (one !== undefined && other !== undefined && !walk(one, other, path)) continue;
      path.push(i);
      return true;
    }
    return false;
  }
  if (isMembers(a) && isMembers(b)) {
    for (const name of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
      const [one, other] = [member(a, name), member(b, name)];
      if (one !== undefined && other !== undefined && !walk(one, other, path)) continue;
      path.push(name);
      return true;
    }
    return false;
  }
  return !Object.is(normal(a), normal(b));
}

function member(members: Members, name: string): Json | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** -0 and 0 are one number in canonical form. */
function normal(value: Json): Json {
  return value === 0 ? 0 : value;
}

/**
 * Where two values first differ, members taken in the order of their canonical form: a JSON Pointer into both. Null where
 * they are the same value.
 */
export function firstDifference(a: Json, b: Json): string | null {
  // Found from the inside out: the innermost step comes first.
  const path: (string | number)[] = [];
  return walk(a, b, path) ? pointerOf(path.reverse()) : null;
}
