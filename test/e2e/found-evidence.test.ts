// docs/evidence-from-before.md in a real browser: what was found on a disk, and what no screen may say of it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import type { Json } from '../../src/protocol/index.ts';
import { NOT_SIGNED } from '../../src/renderer/screens/audit/preview/texts.ts';
import {
  FOUND_ACTION,
  FOUND_PANEL,
  FOUND_STATES,
  NOT_SIGNED_CASE,
  SIGN_NAMES,
} from '../../src/renderer/screens/cases/found/texts.ts';
import { IMPORT_SCREEN, TEXTS, UPLOAD_STATE } from '../../src/renderer/screens/cases/texts.ts';
import type { CollectionManifest } from '../../src/reports/case-file/index.ts';
import { collect } from '../../src/service/cases/collection/collect.ts';
import { checkDigests, openCollection } from '../../src/service/cases/collection/read-collection.ts';
import { action, actionId, bundleOfPayloads, input } from '../support/agent-actions.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes } from '../support/browser.ts';
import { addItem, itemsOf } from '../support/case-items.ts';
import { importCase } from '../support/cases.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { claudeHome, execve, put, SESSION, sessionLines } from '../support/found-home.ts';
import { type Account, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';

/** Where pictures of the screens go, if anywhere. */
const PICTURES = process.env['COUNTERSIGN_PICTURES'];

describe.skipIf(chromiumPath() === undefined)('evidence from before', () => {
  let service: TestService;
  let owner: Account;
  let page: Page;
  const folder = temporaryFolder();

  /** Makes a case file of what lies on a disk, with the command. */
  async function collected(name: string, home: string): Promise<string> {
    const out = join(folder, `${name}.cscase`);
    const { code, stderr } = await run('import-transcripts', home, '-o', out, '--by', 'eve@example.com');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return out;
  }

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, trustStore: join(folder, 'trust.json') });
    owner = await service.signUp();
    const context = await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } });
    await signInPage(context, service, owner);
    ({ page } = await openPage(context));
  });

  const panel = (name: string) => page.getByRole('region', { name, exact: true });

  /** Looks at the screen in both appearances. */
  async function look(name: string): Promise<void> {
    const issues = await seriousIssuesInThemes(page, async (theme) => {
      if (PICTURES === undefined) return;
      mkdirSync(PICTURES, { recursive: true });
      await page.screenshot({ path: join(PICTURES, `${name}-${theme}.png`), fullPage: true });
    });
    expect(issues).toEqual([]);
  }

  it('becomes a case that says at the top that nobody signed it', async () => {
    await page.goto(`${service.url}/#/cases/new`);
    const file = await collected('home', claudeHome(join(folder, 'a')));
    await page.getByLabel(IMPORT_SCREEN.fileLabel).setInputFiles(file);
    await page.getByRole('button', { name: TEXTS.open, exact: true }).click();
    await page.getByText(NOT_SIGNED_CASE.title).first().waitFor();
    await panel(FOUND_PANEL.title).getByText(FOUND_PANEL.noSigns).waitFor();
    await panel(FOUND_PANEL.title).getByRole('row').nth(2).waitFor();
    await look('found-case');
  });

  it('has its actions in the lists of the case, each marked, and where each was found', async () => {
    const caseUrl = page.url();
    await page.goto(`${caseUrl}/search`);
    const rows = page.getByRole('row').filter({ hasText: 'Bash' });
    await rows.first().waitFor();
    expect(await rows.filter({ hasText: 'Not signed' }).count()).toBe(await rows.count());
    await look('found-actions');
    await rows.first().getByRole('link').first().click();
    await page.getByRole('link', { name: NOT_SIGNED.whereFound, exact: true }).first().click();
    await page.getByText(FOUND_ACTION.title).first().waitFor();
    await page
      .getByText(/eve@example\.com/)
      .first()
      .waitFor();
    await look('found-action');
  });

  it('is held against a ledger that has the same session', async () => {
    const lost: Json = action('completed', {
      action_id: actionId('gone'),
      session: { id: SESSION },
      tool: { name: 'Bash', call_id: 'call_nobody_has' },
      input: input({ command: 'rm -r /srv/shop' }),
      outcome: { status: 'ok' },
      whole_call: true,
    });
    const { case_id } = await importCase(owner.client, {
      name: 'ledger.csbundle',
      bytes: Buffer.from(bundleOfPayloads([lost])),
    });
    const altered = sessionLines().toSpliced(4, 1).join('\n');
    await addItem(owner.client, case_id, { name: 'altered.jsonl', bytes: Buffer.from(altered) });
    await itemsOf(owner.client, case_id);
    await page.goto(`${service.url}/#/cases/${case_id}`);
    const calls = panel(FOUND_PANEL.ledger);
    await calls.getByText(FOUND_STATES.only_ledger).first().waitFor();
    await calls.getByText(FOUND_STATES.only_found).first().waitFor();
    await panel(FOUND_PANEL.notes).getByText(SIGN_NAMES.LINK_MISSING).first().waitFor();
    await look('found-beside-ledger');
  });

  /** A home folder with a compressed log, and more that nobody wants. */
  function homeOf(name: string): string {
    const home = claudeHome(join(folder, name));
    const log = execve(Date.UTC(2026, 10, 27, 7, 50), 1, ['ls', '-l']);
    writeFileSync(join(home, 'audit.log.1.gz'), gzipSync(log));
    put(home, join('node_modules', 'left-pad', 'session.jsonl'), sessionLines().join('\n'));
    return home;
  }

  /** What the case on the page was made of, read as the service reads it. */
  async function collectionOf(name: string): Promise<CollectionManifest> {
    const [, caseId = ''] = /cases\/([0-9a-f-]{36})/.exec(page.url()) ?? [];
    const [item] = await itemsOf(owner.client, caseId);
    expect(item?.kind).toBe('collection');
    const answer = await owner.client.call('itemFile', { params: { case_id: caseId, item_no: '1' } });
    const path = join(folder, name);
    writeFileSync(path, answer.bytes);
    const collection = await openCollection(path);
    await checkDigests(collection, new AbortController().signal);
    return collection.manifest;
  }

  /** The same folder as the command collects it. */
  async function byCommand(home: string, name: string): Promise<CollectionManifest['files']> {
    const collecting = { roots: [home], by: null, host: null, at: 0 };
    const { files } = await collect(collecting, join(folder, name), { signal: new AbortController().signal });
    return files.map((file) => ({ ...file, path: relative(dirname(home), file.path) }));
  }

  it('is collected in the window from a folder that somebody chooses, as by the command', async () => {
    const home = homeOf('chosen');
    await page.goto(`${service.url}/#/cases/new`);
    await page.getByLabel(IMPORT_SCREEN.folderLabel).setInputFiles(home);
    await page.getByText(UPLOAD_STATE.collection).waitFor();
    await page.getByRole('button', { name: IMPORT_SCREEN.submit, exact: true }).click();
    await page.getByText(NOT_SIGNED_CASE.title).first().waitFor();
    const { files, collected_by: by, roots, left_out: leftOut } = await collectionOf('chosen.collection');
    expect(files).toEqual(await byCommand(home, 'by-command'));
    expect({ by, roots, leftOut }).toEqual({ by: owner.email, roots: ['ada'], leftOut: { count: 0, named: [] } });
  });

  it('is collected from a folder that is dropped on the page, and says where there is nothing', async () => {
    const home = homeOf('dropped');
    const drag = await page.context().newCDPSession(page);
    const drop = async (path: string): Promise<void> => {
      const data = { items: [], files: [path], dragOperationsMask: 1 };
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const) {
        await drag.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
      }
    };
    const empty = join(folder, 'empty', 'bob');
    put(empty, 'notes.txt', 'nothing of it');
    await drop(empty);
    await page.getByRole('alert').filter({ hasText: 'No transcript or log' }).waitFor();
    await drop(home);
    await page.getByText(UPLOAD_STATE.collection).waitFor();
    await page.getByRole('button', { name: IMPORT_SCREEN.submit, exact: true }).click();
    await page.getByText(NOT_SIGNED_CASE.title).first().waitFor();
    expect((await collectionOf('dropped.collection')).files).toEqual(await byCommand(home, 'by-command-too'));
  });

  it('is collected into a case that is there, and no further once somebody cancels', async () => {
    const home = homeOf('added');
    for (let n = 0; n < 3_000; n++) put(home, join('many', `${n}.json`), '{"a": 1}');
    const label = page.getByLabel(TEXTS.addFolderLabel);
    await label.setInputFiles(home);
    const looking = page.getByRole('region', { name: UPLOAD_STATE.readingFile('ada') });
    await looking.getByText(/of 3,00\d files looked at/).waitFor();
    await looking.getByRole('button', { name: UPLOAD_STATE.cancel, exact: true }).click();
    await looking.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: TEXTS.add, exact: true }).isDisabled()).toBe(true);
    await label.setInputFiles(join(home, '.claude'));
    await page.getByRole('button', { name: TEXTS.add, exact: true }).click();
    await panel(TEXTS.items).getByText('.claude.collection', { exact: true }).waitFor();
  });
});
