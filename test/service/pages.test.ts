// What browsers are told of the built pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { TestService } from '../support/service.ts';

const rendererDir = temporaryFolder();
mkdirSync(join(rendererDir, 'assets'));
writeFileSync(join(rendererDir, 'index.html'), '<title>Page</title>');
writeFileSync(join(rendererDir, 'assets', 'index-Vlqp8z4A.js'), 'export {};');
const service = await TestService.start({ rendererDir });

const cacheControl = async (path: string): Promise<string | null> =>
  (await fetch(service.url + path)).headers.get('cache-control');

it('keeps what is named after its content, and asks for a page each time', async () => {
  expect(await cacheControl('/assets/index-Vlqp8z4A.js')).toBe('public, max-age=31536000, immutable');
  expect(await cacheControl('/')).toBe('no-cache');
  expect(await cacheControl('/assets/index-gone.js')).toBe('no-store');
});

it.each(['/', '/assets/index-Vlqp8z4A.js', '/assets/index-gone.js', '/docs', '/v1/%zz', '/%'])(
  '%s: lets a page load from the service alone',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await fetch(service.url + path, { method, redirect: 'manual' });
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get('content-security-policy')?.includes("style-src 'self' 'unsafe-inline'")).toBe(
        path === '/docs',
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  },
);
