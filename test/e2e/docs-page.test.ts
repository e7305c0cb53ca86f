// The page of the interface at /docs, in a real browser.
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROUTES, type Route } from '../../src/api/index.ts';
import { openBrowser, RENDERER_DIR } from '../support/browser.ts';
import { TestService } from '../support/service.ts';

describe.skipIf(chromiumPath() === undefined)('/docs', async () => {
  let service: TestService;
  let page: Page;
  const requested: string[] = [];
  const complaints: string[] = [];
  const failed: string[] = [];

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR });
    const browser = await openBrowser();
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
    await page.getByText('Make an organization with its first user as owner').first().waitFor();
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
    await page.getByText('responsible_entity').filter({ visible: true }).first().waitFor();
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
