// From the window to the first recorded call of a program that people run: choose it, paste one line, use it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { recorderHome } from '../../src/recorder/base/home.ts';
import { INSTALL_LINE } from '../../src/renderer/screens/agents/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { run } from '../support/run-script.ts';
import { TestService } from '../support/service.ts';
import { pasteIntoShell } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { setUp } from '../support/workspace.ts';

const FIXTURES = join(ROOT, 'test/recorder/fixtures/gemini/0.61.0/parallel-calls');

/** What the program gave its hooks around its first call. */
const HOOKS = readdirSync(FIXTURES)
  .filter((name) => /BeforeTool|AfterTool/.test(name))
  .sort();

/** Ends the recorder that the first hook started, and waits until it has left. */
function endRecorder(pidFile: string): void {
  atEnd(async () => {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
    process.kill(pid, 'SIGTERM');
    await until('the recorder has ended', () => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    });
  });
}

describe.skipIf(chromiumPath() === undefined)('recording a program', () => {
  it('takes one line and one agreement from an open window to the first verified call', async () => {
    const service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(service.url).origin });
    const { page, complaints } = await openPage(context);
    const owner = await setUp(page, service);
    await page.goto(`${service.url}/#/agents`);
    await page.getByRole('button', { name: 'Record a program', exact: true }).first().click();
    await page.getByLabel('Gemini CLI').check();
    await page.getByRole('button', { name: INSTALL_LINE.createCommand, exact: true }).click();
    await page.getByText('Waiting for Gemini CLI to be registered').waitFor();
    await page.getByRole('button', { name: INSTALL_LINE.copy, exact: true }).click();
    await page.getByText('Command copied.').waitFor();
    expect(await seriousIssues(page)).toEqual([]);
    const line = await page.evaluate(() => navigator.clipboard.readText());
    expect(line).toMatch(/^npx countersign record install gemini --service http:\S+ --token csn_api_\S+$/);

    const home = temporaryFolder();
    const installed = await pasteIntoShell(`unset XDG_DATA_HOME; export HOME='${home}'; ${line} --yes`, ROOT);
    expect(installed.code, installed.output).toBe(0);
    // The token in the line was worth one agent, and is worth nothing now.
    const token = line.split(' ').at(-1) ?? '';
    expect((await service.client(token).call('listAgents')).status).toBe(401);

    const folder = recorderHome({ HOME: home });
    endRecorder(folder.pid);
    for (const name of HOOKS) {
      expect(await run(join(folder.hooks, 'gemini'), readFileSync(join(FIXTURES, name), 'utf8')), name).toBe(0);
    }
    await page.getByRole('heading', { name: /^Received and countersigned$|^All \d+ checks passed$/ }).waitFor();
    const { agents } = await owner.client.ok('listAgents');
    expect(agents.map(({ integration_type }) => integration_type)).toContain('gemini');
    expect(complaints).toEqual([]);
  });
});
