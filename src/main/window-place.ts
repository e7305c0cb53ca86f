import type { Place } from './state-file.ts';

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const SMALLEST = { width: 720, height: 480 } as const;
const USUAL = { width: 1280, height: 860 } as const;
/** How much of a window must be on a screen for somebody to get hold of it, in pixels. */
const GRIP = 96;

/** Where a window opens: where it was, if some screen still shows that; else in the middle, at its usual size. */
export function placeOf(remembered: Place | null, screens: readonly Area[]): Partial<Area> {
  if (remembered === null || !screens.some((screen) => shows(screen, remembered))) return USUAL;
  const { x, y, width, height } = remembered;
  return { x, y, width: Math.max(width, SMALLEST.width), height: Math.max(height, SMALLEST.height) };
}

/** Whether the upper edge, by which a window is moved, can be reached on a screen. */
function shows(screen: Area, { x, y, width }: Area): boolean {
  const visible = Math.min(x + width, screen.x + screen.width) - Math.max(x, screen.x);
  return visible >= GRIP && y >= screen.y && y <= screen.y + screen.height - GRIP;
}
