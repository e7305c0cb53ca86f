import { type RefObject, useEffect, useState } from 'react';

/**
 * A list has a place in its scrolled space for this many rows. Browsers cap the height of an element, some at 17 million
 * pixels: of a longer list the rows shift through the places, see `shiftAfter`.
 */
export const MAX_SLOTS = 600_000;

export interface Scrolling {
  readonly rows: number;
  /** Places that there are, at most as many as rows. */
  readonly slots: number;
  /** Height of a row, and of what is visible of the list, in pixels. */
  readonly rowHeight: number;
  readonly view: number;
  /** Where it was scrolled to, and where it is now, in pixels. */
  readonly from: number;
  readonly to: number;
}

/**
 * Which row is in the first place after the list was scrolled. Steps of the wheel and of keys go row by row. Whoever
 * drags the scroll bar, or goes to an end, gets where that is in the whole list.
 */
export function shiftAfter(shift: number, { rows, slots, rowHeight, view, from, to }: Scrolling): number {
  const most = rows - slots;
  if (most <= 0 || to <= 0) return 0;
  const end = slots * rowHeight - view;
  if (to >= end - 1) return most;
  if (Math.abs(to - from) <= 2 * view) return Math.min(shift, most);
  return Math.round((most * to) / end);
}

/** Which row is in the first place, so that a row is among the places; as it was where it is already. */
export function offsetFor(row: number, shift: number, rows: number, slots: number): number {
  if (row >= shift && row < shift + slots) return shift;
  return row - Math.min(slots - 1, Math.round((row * slots) / rows));
}

/** The places of a list and which row is in the first of them, as it is scrolled. */
export function useSlots(scroll: RefObject<HTMLElement | null>, rows: number, rowHeight: number) {
  const slots = Math.min(rows, MAX_SLOTS);
  const [shift, setShift] = useState(0);
  useEffect(() => {
    const list = scroll.current;
    if (list === null || rows <= slots) return;
    let from = list.scrollTop;
    const onScroll = (): void => {
      const to = list.scrollTop;
      const moved = { rows, slots, rowHeight, view: list.clientHeight, from, to };
      from = to;
      setShift((before) => shiftAfter(before, moved));
    };
    list.addEventListener('scroll', onScroll, { passive: true });
    return () => list.removeEventListener('scroll', onScroll);
  }, [scroll, rows, slots, rowHeight]);
  return { slots, shift: Math.min(shift, rows - slots), setShift };
}
