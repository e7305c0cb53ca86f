/** The size of text that the page is drawn for, in pixels: what browsers have for 1rem unless somebody changes it. */
const DRAWN_FOR = 16;

/** How much larger than that text is now. */
export function textScale(): number {
  return Number(document.documentElement.style.getPropertyValue('--text-scale') || 1);
}

/**
 * Has the whole page grow with the size of text that is set in the browser or system, and follow it when it changes.
 * Lines, fields and rows grow with their text, so that none is cut off.
 */
export function followTextSize(): void {
  const rem = document.createElement('div');
  rem.className = 'one-rem';
  rem.setAttribute('aria-hidden', 'true');
  // Next to the body, which is what grows.
  document.documentElement.append(rem);
  new ResizeObserver(([entry]) => {
    const size = entry?.contentRect.width ?? DRAWN_FOR;
    document.documentElement.style.setProperty('--text-scale', String(size / DRAWN_FOR));
    window.dispatchEvent(new Event('countersign:appearance'));
  }).observe(rem);
}
