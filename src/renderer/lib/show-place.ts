/** Moves view and keyboard focus to a part of the screen. */
export function showPlace(place: HTMLElement | null): void {
  place?.focus({ preventScroll: true });
  place?.scrollIntoView({ block: 'start' });
}
