// The page of the interface at /docs, in a real browser.
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDesktop } from '../../scripts/support/build.ts';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { ROUTES, type Route } from '../../src/contract/index.ts';
import { TestService } from '../support/service.ts';

const executablePath = chromiumPath();

describe.skipIf(executablePath === undefined)('/docs', async () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];
  const failed: string[] = [];

  beforeAll(async () => {
    const build = await buildDesktop();
    if (!build.ok) throw new Error(build.output);
    service = await TestService.start({ rendererDir: join(ROOT, 'out', 'renderer') });
    browser = await chromium.launch({
      ...(executablePath === undefined ? {} : { executablePath }),
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--no-first-run',
        '--disable-gpu',
        // Chromium refuses to sandbox as root; nothing but our own pages is loaded here.
        ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ],
    });
    page = await (await browser.newContext()).newPage();
    page.on('request', (request) => requested.push(request.url()));
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    // What the policy of the page forbids is an error on the console.
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${service.url}/docs`);
    // The list is drawn once the description has come.
    await page.getByText('Make an organization with its first user as owner').first().waitFor({ timeout: 20_000 });
  });

  afterAll(async () => {
    await browser?.close();
  });

  it('lists every operation', async () => {
    const text = await page.evaluate(() => {
      const texts: string[] = [];
      const walk = (root: Document | ShadowRoot): void => {
        for (const element of root.querySelectorAll('*')) {
          if (element.shadowRoot !== null) walk(element.shadowRoot);
        }
        texts.push(root instanceof Document ? root.body.innerText : (root.textContent ?? ''));
      };
      walk(document);
      return texts.join('\n');
    });
    for (const { summary } of Object.values<Route>(ROUTES)) expect(text).toContain(summary);
  });

  it('shows an operation with what it takes', async () => {
    // The operations of a tag unfold.
    await page.locator('#link-tag--Agents').click();
    await page.getByText('Register an agent with its keys').first().click();
    await page.getByText('responsible_entity').filter({ visible: true }).first().waitFor({ timeout: 20_000 });
  });

  it('asks no other host for anything', () => {
    expect(requested.length).toBeGreaterThan(3);
    expect(requested).toContain(`${service.url}/v1/openapi.json`);
    const hosts = requested.filter((url) => !/^(data|blob):/.test(url)).map((url) => new URL(url).origin);
    expect(new Set(hosts)).toEqual(new Set([service.url]));
  });

  it('has everything it asks for, and breaks no rule of its policy', () => {
    expect(failed).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
