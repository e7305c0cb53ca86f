/**
 * Which program a session is used by, as far as its User-Agent header says: a family and no version. Whoever makes the
 * request writes the header, so this helps people to tell their own sessions apart and proves nothing.
 */
export function browserFamily(userAgent: string): string {
  if (userAgent === '') return 'Unknown program';
  const known: readonly (readonly [RegExp, string])[] = [
    [/\bElectron\//, 'Countersign window'],
    [/\bEdg(e|A|iOS)?\//, 'Edge'],
    [/\b(OPR|Opera)\//, 'Opera'],
    [/\b(Firefox|FxiOS)\//, 'Firefox'],
    [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
    [/\bSafari\//, 'Safari'],
    [/^curl\//, 'curl'],
    [/^python/i, 'Python'],
    [/^node/i, 'Node'],
  ];
  return known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'another program';
}
