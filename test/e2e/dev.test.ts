// The development loop: what is changed in a source is in the browser, and in the service, at once.
import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { openBrowser, openPage } from '../support/browser.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { shareOfTime } from '../support/until.ts';

const MAX_MS = 2_000;

describe.skipIf(chromiumPath() === undefined)('npm run dev', () => {
  const checkout = join(temporaryFolder(), 'checkout');
  let link: string;

  /** A port that was free just now: the page must know it before the service listens. */
  const freePort = (): Promise<number> =>
    new Promise((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as AddressInfo;
        server.close(() => resolve(port));
      });
    });

  const edit = (path: string, from: string, to: string): void => {
    const whole = join(checkout, path);
    const text = readFileSync(whole, 'utf8');
    expect(text).toContain(from);
    writeFileSync(whole, text.replace(from, to));
  };

  beforeAll(async () => {
    for (const part of [
      'src',
      'scripts',
      'resources',
      'bin',
      'package.json',
      'tsconfig.base.json',
      'electron.vite.config.ts',
    ]) {
      cpSync(join(ROOT, part), join(checkout, part), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
    const options = ['--data-dir', temporaryFolder(), '--port', String(await freePort()), '--log-level', 'error'];
    const child = spawn(process.execPath, [join(checkout, 'scripts', 'dev.ts'), ...options], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    atEnd(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    link = await new Promise((resolve, reject) => {
      let said = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const found = /Open (\S+) in a browser/.exec(said)?.[1];
        if (found !== undefined) resolve(found);
      });
      child.on('exit', () => reject(new Error(said)));
    });
  });

  it('shows a changed label in the browser within 2 s, without loading the page again', async () => {
    const { page } = await openPage(await (await openBrowser()).newContext());
    await page.goto(new URL('/#/set-up', link).href);
    await page.getByRole('heading', { name: 'Set up this workstation' }).waitFor();
    await page.getByLabel('Your name').fill('typed before');
    const begun = performance.now();
    edit('src/renderer/screens/entry/texts.ts', "'Set up this workstation'", "'Another label'");
    await page.getByRole('heading', { name: 'Another label' }).waitFor();
    expect((performance.now() - begun) * shareOfTime()).toBeLessThan(MAX_MS);
    await expect.poll(() => page.getByLabel('Your name').inputValue()).toBe('typed before');
  });

  it('starts the service again with a changed source', async () => {
    const health = async (): Promise<string> => {
      // While it starts again nobody answers.
      const answer = await fetch(new URL('/v1/health', link)).catch(() => null);
      return answer === null ? '' : answer.text();
    };
    expect(await health()).toContain('"status":"ok"');
    edit('src/service/operator/health/health-routes.ts', "status: 'ok', version", "status: 'changed', version");
    await expect.poll(health).toContain('"status":"changed"');
  });
});
