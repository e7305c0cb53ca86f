// The page of the interface is OpenAPI Explorer, a custom element that reads the service's own description of itself.
import 'openapi-explorer';
import { applyAppearance, storedAppearance } from '../app/appearance.ts';

/** Colours of the element that it computes others from: it takes them as rgb alone, and tokens have one for each theme. */
const COMPUTED_WITH = {
  '--blue': '--accent',
  '--green': '--good',
  '--red': '--bad',
  '--orange': '--warn',
  '--yellow': '--warn',
  '--purple': '--accent',
  '--gray': '--ink-muted',
};

function setColours(explorer: HTMLElement): void {
  const probe = document.body.appendChild(document.createElement('span'));
  for (const [name, token] of Object.entries(COMPUTED_WITH)) {
    probe.style.color = `var(${token})`;
    explorer.style.setProperty(name, getComputedStyle(probe).color);
  }
  probe.remove();
}

applyAppearance(storedAppearance());
const explorer = document.querySelector<HTMLElement>('openapi-explorer');
if (explorer === null) throw new Error('docs/index.html has no openapi-explorer');
setColours(explorer);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => setColours(explorer));
