import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCallbackUrl } from '../../src/service/people/identity/oauth/callback-url.ts';
import { ServiceError } from '../../src/service/store/base/service-error.ts';
import { runs } from '../support/extent.ts';

const BASE = 'http://127.0.0.1:8787';

describe('where a sign-in may end', () => {
  test.each([
    ['/', `${BASE}/`],
    ['/a/../b?c=d#e', `${BASE}/b?c=d#e`],
    [`${BASE}/x`, `${BASE}/x`],
    ['HTTP://127.0.0.1:8787', `${BASE}/`],
    ['/api/auth/session', `${BASE}/api/auth/session`],
    ['/.//evil.example', `${BASE}//evil.example`],
    ['/?next=https://evil.example', `${BASE}/?next=https://evil.example`],
  ])('%j is an address of the service', (text, address) => {
    expect(readCallbackUrl(text, BASE)).toBe(address);
  });

  test.each([
    'https://evil.example/',
    'https://127.0.0.1:8787/',
    'http://127.0.0.1:8788/',
    'http://localhost:8787/',
    'http://127.0.0.1:8787.evil.example/',
    'http://127.0.0.1:8787@evil.example/',
    'http://ada:pw@127.0.0.1:8787/',
    '//evil.example',
    '/\\evil.example',
    '/a\r\nSet-Cookie: a=b',
    '/a\tb',
    '/a b',
    '/\t/evil.example',
    '/\n\\evil.example',
    '\\\\evil.example',
    ' //evil.example',
    'http:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'relative',
    '',
    'http://',
    '/api/auth/callback/google?state=s&code=c',
    '/API/Auth/x/../Callback/github?state=s&code=c',
    `${BASE}/api/auth/%2e%2e/auth/callback/google`,
    `${BASE}//api/auth/callback/google`,
    '/api/auth//callback/google?state=s&code=c',
    '/api//auth/callback//google',
    '/api/auth/%63allback/google',
    '/api/auth/%2563allback/google',
    '/api%2fauth%2fcallback%2fgoogle',
    '/api/auth/x%2f..%2fcallback/google',
    '/api/auth/callback',
    '/api/auth/callback%',
  ])('%j is refused', (text) => {
    expect(() => readCallbackUrl(text, BASE)).toThrow(ServiceError);
  });

  test('whatever the text, it is an address of the service or refused', () => {
    const odd = fc.constantFrom('/', '//', '\\', '\t', '@', ':', '.', '%2f', 'http:', 'https://', 'evil.example', BASE);
    const texts = fc.tuple(odd, odd, odd, fc.string()).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        try {
          expect(readCallbackUrl(text, BASE).startsWith(`${BASE}/`)).toBe(true);
        } catch (error) {
          if (!(error instanceof ServiceError)) throw error;
        }
      }),
      runs(2000),
    );
  });
});
