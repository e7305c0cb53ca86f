import { describe, expect, test } from 'vitest';
import { isWithin } from '../../src/main/origin.ts';

const SERVICE = 'http://127.0.0.1:8787';

describe("a window stays on the service's origin", () => {
  test.each(['http://127.0.0.1:8787/', 'http://127.0.0.1:8787/v1/health?deep=1#top'])('%s is within', (address) => {
    expect(isWithin(SERVICE, address)).toBe(true);
  });

  test.each([
    'http://127.0.0.1:8787.example.org/',
    'http://127.0.0.1:8787@example.org/',
    'http://127.0.0.1:87870/',
    'https://127.0.0.1:8787/',
    'http://localhost:8787/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'about:blank',
    'not an address',
    '',
  ])('%j is outside', (address) => {
    expect(isWithin(SERVICE, address)).toBe(false);
  });
});
