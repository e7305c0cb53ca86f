import { expect, it } from 'vitest';
import { readTime } from '../../src/renderer/components/read-time.ts';

it('reads times as people type them, in UTC unless they say otherwise', () => {
  expect(readTime('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
  expect(readTime(' 2026-01-31 12:05 ')).toBe('2026-01-31T12:05:00.000Z');
  expect(readTime('2026-01-31T12:05:06.789Z')).toBe('2026-01-31T12:05:06.789Z');
  expect(readTime('2026-01-31T12:05+02:00')).toBe('2026-01-31T10:05:00.000Z');
  for (const wrong of ['', 'noon', '2026-13-01', '31.1.2026 99:00']) expect(readTime(wrong)).toBeNull();
});
