import type { Touch } from '../../api/answers.ts';

/** An action that touched an entity, with what it is to be compared with. */
export interface TouchLine {
  readonly touch: Touch;
  /** The change before this one; null for the first, and for what changed nothing. */
  readonly previous: Touch | null;
  /** Whether it found the entity in another state than the last recorded change left it in. */
  readonly isBroken: boolean;
}

function isChange({ access, before, after }: Touch): boolean {
  return access === 'write' || access === 'delete' || before !== null || after !== null;
}

/** The actions of an entity as they are listed, each against the change before it. */
export function touchLines(touches: readonly Touch[], order: 'newest' | 'oldest'): TouchLine[] {
  const inTime = order === 'oldest' ? touches : touches.toReversed();
  let change: Touch | null = null;
  // What is known of its state: nothing before the first change, nor after one that says nothing of it.
  let state: string | null = null;
  const lines = inTime.map((touch): TouchLine => {
    const { before, after } = touch;
    const isBroken = state !== null && before !== null && before !== state;
    const previous = isChange(touch) ? change : null;
    if (isChange(touch)) {
      change = touch;
      state = after;
    }
    return { touch, previous, isBroken };
  });
  return order === 'oldest' ? lines : lines.toReversed();
}
