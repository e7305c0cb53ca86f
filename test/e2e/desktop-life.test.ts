// The desktop from start to end, the built main process under the small host (test/support/electron-host/README.md).
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { makeBundle } from '../support/bundle-maker.ts';
import { atEnd } from '../support/cleanup.ts';
import { HostedDesktop } from '../support/desktop.ts';
import { temporaryFolder } from '../support/folders.ts';
import { firstOwner, registerAgent, submitNext } from '../support/service.ts';
import { until } from '../support/until.ts';

const FREE = ['--port=0'];

/** Opens a file as the system does, and waits until the page says what it claims. */
async function openFile(desktop: HostedDesktop, page: Page, path: string): Promise<void> {
  await desktop.evaluate(
    ({ app }, file) => void app.emit('open-file', { preventDefault: () => undefined }, file),
    path,
  );
  await until('the claims', () => {
    // A dialog says why the file was not taken.
    expect(desktop.dialogs).toEqual([]);
    return page.getByText('What the file claims').isVisible();
  });
}

describe.skipIf(chromiumPath() === undefined)('the desktop', () => {
  const userData = temporaryFolder();
  let desktop: HostedDesktop;
  let page: Page;
  const log = (): string => readFileSync(join(userData, 'logs', 'countersign.log'), 'utf8');

  beforeAll(async () => {
    desktop = new HostedDesktop({ userData, args: FREE });
    page = await desktop.page();
  });

  it("opens the service's page, which knows where it is", async () => {
    await page.getByRole('link', { name: 'Choose a file' }).waitFor();
    expect(await page.evaluate(() => window.countersign?.platform)).toBe(process.platform);
    await until('the window', () =>
      desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.isVisible()),
    );
  });

  it('is one: a second start shows the window of the first, hands over its link, and ends', async () => {
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize());
    const second = new HostedDesktop({ userData, args: [...FREE, 'countersign://verify'] });
    expect(await second.ended).toMatchObject({ code: 0, stderr: '' });
    await page.waitForURL(/#\/verify$/);
    const [window] = await desktop.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows().map((one) => ({ minimized: one.isMinimized(), focused: one.isFocused() })),
    );
    expect(window).toEqual({ minimized: false, focused: true });
  });

  it('goes to screens by its menu, and to none that a link makes up', async () => {
    await desktop.evaluate(({ Menu }) =>
      Menu.getApplicationMenu()?.getMenuItemById('go/search')?.click?.(null, null, null),
    );
    await page.waitForURL(/#\/search$/);
    const seen: string[] = [];
    page.on('framenavigated', (frame) => seen.push(new URL(frame.url()).hash));
    for (const link of [
      'countersign://../../etc',
      'countersign://search?x=<script>',
      'countersign://',
      'https://a.example/',
    ]) {
      await desktop.evaluate(
        ({ app }, url) => void app.emit('open-url', { preventDefault: () => undefined }, url),
        link,
      );
    }
    await desktop.evaluate(
      ({ app }) => void app.emit('open-url', { preventDefault: () => undefined }, 'countersign://epochs'),
    );
    await page.waitForURL(/#\/epochs$/);
    expect(seen).toEqual(['#/epochs']);
  });

  it('copies for the page, which may not do it itself', async () => {
    await page.evaluate(() => window.countersign?.copyText('sha256:00'));
    expect(await desktop.evaluate(({ host }) => host.left.copied)).toEqual(['sha256:00']);
  });

  it('tells of a job that ended only where nobody looks', async () => {
    const tell = (title: string) =>
      page.evaluate((text) => window.countersign?.jobEnded({ title: text, body: '' }), title);
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.focus());
    await tell('seen');
    await desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.blur());
    await tell('unseen');
    expect(await desktop.evaluate(({ Notification }) => Notification.shown.map(({ title }) => title))).toEqual([
      'unseen',
    ]);
  });

  it('hands an opened file to the service and shows what it claims, and makes a case of it without an account', async () => {
    const bundle = join(userData, 'evidence.csbundle');
    writeFileSync(bundle, makeBundle().text);
    await openFile(desktop, page, bundle);
    await page.getByText('evidence.csbundle').first().waitFor();
    await page.getByRole('button', { name: 'Verify and open as a case', exact: true }).click();
    await page.getByRole('heading', { name: /^Verdict/ }).waitFor();
    expect(await desktop.evaluate(({ app }) => app.recentDocuments)).toEqual([bundle]);
  });

  it('says where a file cannot be opened, and hands nothing over', async () => {
    await desktop.evaluate(
      ({ app }, path) => void app.emit('open-file', { preventDefault: () => undefined }, path),
      '/nowhere.csbundle',
    );
    await until('the dialog', () =>
      desktop.dialogs.some(({ options }) => options.message?.includes('/nowhere.csbundle')),
    );
    expect(await desktop.evaluate(({ app }) => app.recentDocuments.length)).toBe(1);
  });

  it('saves where the person says, whatever the page calls it, and shows it in its folder', async () => {
    const target = join(userData, 'chosen.json');
    await desktop.evaluate(
      ({ host }, filePath) => void host.dialogs.answers.push({ canceled: false, filePath }),
      target,
    );
    await page.evaluate(() => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(new Blob(['{}']));
      link.download = 'evidence.json';
      link.click();
    });
    await until('the file', () => existsSync(target) && log().includes('a file was saved'));
    expect(await page.evaluate(() => window.countersign?.revealDownload())).toBe(true);
    expect(await desktop.evaluate(({ host }) => host.left.revealed)).toEqual([target]);
  });

  it('loads a page again whose process crashed, and asks after too many of them', async () => {
    const crash = () => desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.crash());
    for (let n = 1; n <= 3; n++) {
      await crash();
      await until(`crash ${n} in the log`, () => log().split('the page crashed').length === n + 1);
      await until('the page', () =>
        desktop.evaluate(
          ({ BrowserWindow }) =>
            !BrowserWindow.getAllWindows()[0]?.webContents.isCrashed() &&
            BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript("document.querySelector('h1') !== null"),
        ),
      );
    }
    await crash();
    await until('the question', () =>
      desktop.dialogs.some(({ options }) => options.message?.includes('keeps crashing')),
    );
    await until('the window to close', () =>
      desktop.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length === 0),
    );
  });

  it('has ended with its window, in order', async () => {
    expect((await desktop.ended).code).toBe(0);
    expect(log()).toContain('"msg":"stopped"');
  });

  it('keeps running for agents without a window where it may, seals what they sent when the system ends it, and comes back where it was', async () => {
    const place = { x: 40, y: 50, width: 900, height: 700 };
    writeFileSync(
      join(userData, 'desktop.json'),
      JSON.stringify({ keepRunning: true, place: { ...place, maximized: false } }),
    );
    const again = new HostedDesktop({ userData, args: FREE });
    const address = new URL((await again.page()).url()).origin;
    expect(await again.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getBounds())).toEqual(place);
    expect(await again.evaluate(({ Tray }) => Tray.all.length)).toBe(1);
    await again.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    const owner = await firstOwner(address, join(again.userData, 'service'));
    await submitNext(owner, await registerAgent(owner));
    await again.evaluate(({ Tray }) => Tray.all[0]?.menu?.getMenuItemById('tray-open')?.click?.(null, null, null));
    await until('a window', () => again.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length === 1));
    again.kill('SIGTERM');
    expect((await again.ended).code).toBe(0);
    const ledger = new Database(join(userData, 'service', 'ledger.sqlite'), { readonly: true });
    expect(ledger.prepare('SELECT count(*) FROM epochs').pluck().get()).toBe(1);
    ledger.close();
  });

  it('shows what a link asks for, at its start and in a new window, and takes files there', async () => {
    const userData = temporaryFolder();
    writeFileSync(join(userData, 'desktop.json'), JSON.stringify({ keepRunning: true }));
    const bundle = join(userData, 'evidence.csbundle');
    writeFileSync(bundle, makeBundle().text);
    const asked = new HostedDesktop({ userData, args: [...FREE, 'countersign://verify'] });
    const first = await asked.page();
    await first.waitForURL(/#\/verify$/);
    await openFile(asked, first, bundle);
    await asked.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.close());
    await until('no window', () => asked.pages().every((one) => one.url() === 'about:blank'));
    await asked.evaluate(
      ({ app }) => void app.emit('open-url', { preventDefault: () => undefined }, 'countersign://forks'),
    );
    const second = await asked.page();
    await second.waitForURL(/#\/forks$/);
    await openFile(asked, second, bundle);
  });

  it('asks what to do where the port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    atEnd(() => taken.close());
    await until('the port', () => taken.listening);
    const { port } = taken.address() as { port: number };
    const own = temporaryFolder();
    const start = (answer: number) =>
      new HostedDesktop({
        userData: own,
        args: [`--port=${port}`],
        environment: { ELECTRON_HOST_ANSWERS: JSON.stringify([{ response: answer }]) },
      });
    const left = start(2);
    expect((await left.ended).code).toBe(0);
    const moved = start(0);
    expect(new URL((await moved.page()).url()).port).not.toBe(String(port));
    expect(moved.dialogs[0]?.options.message).toContain(`Port ${port} is taken`);
    expect((await moved.quit()).code).toBe(0);
  });

  it('says what is wrong where the service does not start, and ends', async () => {
    const own = temporaryFolder();
    writeFileSync(join(own, 'service'), 'a file in the way');
    const failed = new HostedDesktop({ userData: own, args: FREE });
    expect((await failed.ended).code).toBe(1);
    expect(failed.dialogs[0]).toMatchObject({ dialog: 'error' });
  });
});

describe.skipIf(chromiumPath() === undefined)('the host of the desktop', () => {
  it.each([
    ['is killed', (desktop: HostedDesktop) => desktop.kill('SIGKILL')],
    ['has lost who started it', (desktop: HostedDesktop) => desktop.letGo()],
  ] as const)('leaves no browser where it %s', async (_, end) => {
    const desktop = new HostedDesktop({ args: FREE });
    const browser = (await desktop.page()).context().browser();
    expect(browser?.isConnected()).toBe(true);
    end(desktop);
    await until('the end of the browser', () => browser?.isConnected() === false);
    await desktop.ended;
  });
});
