import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { atEnd } from './cleanup.ts';
import type { OpenDesktop, TestDesktopOptions } from './desktop.ts';
import { serveLocally } from './local-server.ts';
import { until } from './until.ts';

const PERMISSIONS = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'clipboard-write'];

/** What a page of the desktop can and cannot do; the same under every host of the main process. */
export function describeDesktopSecurity(open: (options: TestDesktopOptions) => Promise<OpenDesktop>): void {
  describe('a page of the desktop', () => {
    let desktop: OpenDesktop;
    let page: Page;
    let origin: string;
    /** Another site on this machine, and what it was asked. */
    let foreign: string;
    const asked: string[] = [];

    beforeAll(async () => {
      const other = await serveLocally(({ url }) => {
        asked.push(url.pathname);
        return { status: 200, body: '<title>elsewhere</title><h1>elsewhere</h1>' };
      });
      atEnd(() => other.close());
      foreign = `http://127.0.0.1:${other.port}`;
      desktop = await open({ args: ['--port=0'] });
      page = await desktop.page();
      await page.getByRole('link', { name: 'Choose a file' }).waitFor();
      origin = new URL(page.url()).origin;
      // What leaves over the gateway is kept instead of opened, and the question before it answered as laid out.
      await desktop.evaluate(({ dialog, shell }) => {
        const outside = { asked: 0, opened: [] as string[], answer: 1 };
        Object.assign(globalThis, { outside });
        shell.openExternal = async (address) => void outside.opened.push(address);
        dialog.showMessageBox = async () => {
          outside.asked++;
          return { response: outside.answer };
        };
      });
    });

    const outside = () =>
      desktop.evaluate(() => {
        const { asked: questions, opened } = (globalThis as unknown as { outside: { asked: number; opened: string[] } })
          .outside;
        return { questions, opened };
      });

    it('is isolated, in a sandbox, without Node', async () => {
      const preferences = await desktop.evaluate(({ BrowserWindow }) => {
        const given = BrowserWindow.getAllWindows()[0]?.webContents.getLastWebPreferences();
        const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag, spellcheck, partition } =
          given ?? {};
        return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag, spellcheck, partition };
      });
      expect(preferences).toEqual({
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        webSecurity: true,
        webviewTag: false,
        spellcheck: false,
        partition: 'persist:countersign',
      });
      const reached = await page.evaluate(() =>
        ['process', 'require', 'module', 'Buffer', 'ipcRenderer', '__notIsolated'].filter((name) => name in window),
      );
      expect(reached).toEqual([]);
    });

    it('gets frozen functions and values from the bridge, and nothing to send with', async () => {
      const bridge = await page.evaluate(() => {
        const { countersign } = window;
        try {
          (countersign as { copyText: unknown }).copyText = null;
        } catch {
          // Frozen: strict code is told so.
        }
        return { names: Object.keys(countersign ?? {}).toSorted(), copyText: typeof countersign?.copyText };
      });
      expect(bridge).toEqual({
        names: [
          'copyText',
          'entered',
          'jobEnded',
          'onFileOpened',
          'onGo',
          'openExternal',
          'platform',
          'revealDownload',
          'versions',
        ],
        copyText: 'function',
      });
    });

    it.each(PERMISSIONS)('is denied %s', async (name) => {
      const state = await page.evaluate(
        async (asking) => (await navigator.permissions.query({ name: asking as PermissionName })).state,
        name,
      );
      expect(state).toBe('denied');
    });

    it('cannot be led to another site', async () => {
      await page.evaluate((address) => {
        location.href = `${address}/navigated`;
      }, foreign);
      await page.evaluate((address) => {
        const form = document.createElement('form');
        form.action = `${address}/posted`;
        form.method = 'post';
        document.body.append(form);
        form.submit();
      }, foreign);
      await page.evaluate(() => fetch('/v1/health'));
      expect(new URL(page.url()).origin).toBe(origin);
      expect(await page.getByRole('link', { name: 'Choose a file' }).count()).toBe(1);
      expect(asked).toEqual([]);
    });

    it('opens no window of another site, and its own with the same confinement', async () => {
      // One that the tests' driver does not see: it lets each new page go, which may be before the host has refused it.
      const alone = await open({ args: ['--port=0'] });
      const run = (code: string) =>
        alone.evaluate(
          ({ BrowserWindow }, script) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(script),
          code,
        );
      await until(
        'the page',
        () => run("document.querySelector('h1') !== null").catch(() => false) as Promise<boolean>,
      );
      await run(`void window.open('${foreign}/opened')`);
      await run(`{
        const link = document.createElement('a');
        link.href = '${foreign}/linked';
        link.target = '_blank';
        document.body.append(link);
        link.click();
      }`);
      await run("void window.open('/docs/')");
      await until('the second window', () =>
        alone.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length === 2),
      );
      const preferences = await alone.evaluate(({ BrowserWindow }) =>
        BrowserWindow.getAllWindows().map(({ webContents }) => {
          const { sandbox, contextIsolation, nodeIntegration, partition } = webContents.getLastWebPreferences();
          return { sandbox, contextIsolation, nodeIntegration, partition };
        }),
      );
      expect(preferences[0]).toEqual(preferences[1]);
      expect(asked).toEqual([]);
    });

    it('reaches nothing but the service, even where it is loaded from elsewhere on purpose', async () => {
      const failed = await desktop.evaluate(async ({ BrowserWindow }, address) => {
        const window = new BrowserWindow({ show: false, webPreferences: { partition: 'persist:countersign' } });
        try {
          await window.loadURL(`${address}/loaded`);
          return false;
        } catch {
          return true;
        } finally {
          window.destroy();
        }
      }, foreign);
      expect(failed).toBe(true);
      expect(asked).toEqual([]);
    });

    it('comes with a policy that lets no foreign or inline code run', async () => {
      const { headers } = await page.evaluate(async () => {
        const answer = await fetch('/');
        return { headers: Object.fromEntries(answer.headers) };
      });
      const policy = headers['content-security-policy'] ?? '';
      expect(policy.split('; ')).toEqual(expect.arrayContaining(["default-src 'none'", "script-src 'self'"]));
      expect(policy).not.toMatch(/unsafe|\*|https?:/);
      const ran = await page.evaluate(() => {
        const script = document.createElement('script');
        script.textContent = 'window.ranInline = true';
        document.body.append(script);
        return 'ranInline' in window;
      });
      expect(ran).toBe(false);
    });

    it('has its own storage, no dictionary, and Chromium asks nobody for anything', async () => {
      const told = await desktop.evaluate(({ app, BrowserWindow, session }) => {
        const pages = session.fromPartition('persist:countersign');
        return {
          own: BrowserWindow.getAllWindows()[0]?.webContents.session === pages,
          spellChecker: pages.isSpellCheckerEnabled(),
          quiet: [
            'disable-background-networking',
            'disable-component-update',
            'disable-domain-reliability',
            'no-pings',
          ].map((name) => app.commandLine.hasSwitch(name)),
          resolver: app.commandLine.getSwitchValue('host-resolver-rules'),
        };
      });
      expect(told).toEqual({
        own: true,
        spellChecker: false,
        quiet: [true, true, true, true],
        resolver: 'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      });
    });

    it('leads out over one gateway only: a list of sites, and a question', async () => {
      const leave = (address: unknown) =>
        page.evaluate((link) => window.countersign?.openExternal(link as string), address);
      const before = await outside();
      for (const address of [
        'https://example.org/',
        'http://www.rfc-editor.org/rfc/rfc8785',
        'https://www.rfc-editor.org.example.org/',
        'https://www.rfc-editor.org@example.org/',
        'https://user@www.rfc-editor.org/',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'mailto:a@example.org',
        `https://www.rfc-editor.org\n.example.org/`,
      ]) {
        expect(await leave(address)).toBe(false);
      }
      expect(await outside()).toEqual(before);
      expect(await leave('https://www.rfc-editor.org/rfc/rfc8785')).toBe(false);
      expect(await outside()).toEqual({ questions: before.questions + 1, opened: [] });
      await desktop.evaluate(() => {
        (globalThis as unknown as { outside: { answer: number } }).outside.answer = 0;
      });
      expect(await leave('https://www.rfc-editor.org/rfc/rfc8785')).toBe(true);
      expect((await outside()).opened).toEqual(['https://www.rfc-editor.org/rfc/rfc8785']);
    });

    it.each([
      ['copyText', [1]],
      ['copyText', []],
      ['copyText', ['x'.repeat(1_000_001)]],
      ['jobEnded', [{ title: 'x', body: 'y', icon: 'file:///etc/passwd' }]],
      ['jobEnded', [{ title: '', body: 'y' }]],
      ['jobEnded', ['x']],
      ['openExternal', [{ toString: 'https://www.rfc-editor.org/' }]],
      ['openExternal', ['x'.repeat(2049)]],
    ])('is refused %s with arguments of another form', async (name, args) => {
      const said = await page.evaluate(
        async ([method, given]) => {
          const bridge = window.countersign as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>;
          return bridge[method as string]?.(...(given as unknown[])).then(
            () => 'taken',
            (error: Error) => error.message,
          );
        },
        [name, args] as const,
      );
      expect(said).toContain('ARGUMENTS_REFUSED');
    });

    it('is answered as the workspace alone: another site with the same preload script is refused every call', async () => {
      const said = await desktop.evaluate(async ({ BrowserWindow }, address) => {
        const { preload } = BrowserWindow.getAllWindows()[0]?.webContents.getLastWebPreferences() ?? {};
        const window = new BrowserWindow({ show: false, webPreferences: { preload: preload ?? '' } });
        await window.loadURL(`${address}/with-preload`);
        const answers = await window.webContents.executeJavaScript(`(async () => {
          const calls = { copyText: ['x'], jobEnded: [{ title: 'x', body: '' }], revealDownload: [], openExternal: ['x'] };
          const answers = [];
          for (const [name, args] of Object.entries(calls)) {
            answers.push(await window.countersign[name](...args).then(() => 'taken', (error) => error.message));
          }
          return answers;
        })()`);
        window.destroy();
        return answers as string[];
      }, foreign);
      expect(said).toHaveLength(4);
      for (const answer of said) expect(answer).toContain('SENDER_REFUSED');
    });
  });
}
