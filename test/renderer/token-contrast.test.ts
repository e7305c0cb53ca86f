// The colours of the design system against each other, in both themes and in high contrast (WCAG 2.2, 1.4.3 and 1.4.11). What
// axe measures on every screen, this says of every pair that may meet.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';

const TEXT = 4.5;
const PARTS = 3;

const sheet = readFileSync(join(ROOT, 'src/renderer/styles/tokens.css'), 'utf8');
const rules = (selector: string): Map<string, readonly [string, string]> => {
  const at = sheet.indexOf(`${selector} {`);
  const body = sheet.slice(at, sheet.indexOf('\n}', at));
  return new Map(
    [...body.matchAll(/^ {2}--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));/gm)].map(
      ([, name = '', light, dark, both = '']) => [name, [light ?? both, dark ?? both]],
    ),
  );
};
const usual = rules(':root');
const high = new Map([...usual, ...rules('[data-contrast="more"]')]);
const SCHEMES = [
  { name: 'light', tokens: usual, theme: 0 },
  { name: 'dark', tokens: usual, theme: 1 },
  { name: 'light, high contrast', tokens: high, theme: 0 },
  { name: 'dark, high contrast', tokens: high, theme: 1 },
] as const;

/** Relative luminance (WCAG 2.2). */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const SURFACES = ['surface', 'surface-raised', 'surface-sunken', 'surface-selected', 'surface-hover'];
const STATES = ['good', 'bad', 'warn'] as const;
const INKS = ['ink', 'ink-muted', 'accent', ...STATES, 'coherent', 'incoherent', 'questionable'];
const AGENTS = Array.from({ length: 8 }, (_, n) => `agent-${n + 1}`);

const PAIRS: readonly (readonly [string, string, number])[] = [
  ...INKS.flatMap((ink) => SURFACES.map((surface) => [ink, surface, TEXT] as const)),
  ...STATES.flatMap((state) =>
    ['ink', 'ink-muted', 'accent', state].map((ink) => [ink, `${state}-surface`, TEXT] as const),
  ),
  ...['primary', 'danger'].flatMap((name) =>
    [name, `${name}-hover`].map((under) => [`${name}-ink`, under, TEXT] as const),
  ),
  ['ink', 'found-surface', TEXT],
  // Shapes, and the edges of what can be used.
  ...AGENTS.flatMap((agent) => SURFACES.map((surface) => [agent, surface, PARTS] as const)),
  ...STATES.map((state) => [`${state}-line`, `${state}-surface`, PARTS] as const),
  ...['surface', 'surface-raised'].map((surface) => ['line-strong', surface, PARTS] as const),
];

describe.each(SCHEMES)('the tokens, $name', ({ tokens, theme }) => {
  it('can be read on every surface that they stand on', () => {
    const of = (name: string): string => {
      const colour = tokens.get(name)?.[theme];
      if (colour === undefined) throw new Error(`no token --${name}`);
      return colour;
    };
    const weak = PAIRS.map(([ink, surface, least]) => ({ ink, surface, least, is: contrast(of(ink), of(surface)) }))
      .filter(({ is, least }) => is < least)
      .map(({ ink, surface, is }) => `${ink} on ${surface}: ${is.toFixed(2)}`);
    expect(weak).toEqual([]);
  });
});
