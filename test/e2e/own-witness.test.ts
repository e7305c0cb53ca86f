// A service as the witness of another one's log, in the workspace of both: requests and answers go by lines, files and codes.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { HAND_LINES, SCAN } from '../../src/renderer/components/texts.ts';
import { codesOf } from '../../src/renderer/lib/code-parts.ts';
import {
  ADD_WITNESS,
  ANSWER_REQUEST,
  ASK_BY_FILE,
  OWN_WITNESS,
  WITNESSES_SCREEN,
} from '../../src/renderer/screens/witnesses/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssues } from '../support/browser.ts';
import { withCamera } from '../support/camera.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type Account, registerAgent, submitNext, TestService } from '../support/service.ts';
import { textOf } from '../support/witness.ts';
import { setUp } from '../support/workspace.ts';

const NAME = 'witness.example.org/w1';

describe.skipIf(chromiumPath() === undefined)('a service as a witness', () => {
  let here: TestService;
  let there: TestService;
  let witness: Page;
  let log: Page;
  let ours: Account;
  let theirs: Account;
  let answer = '';

  const shot = async (page: Page, name: string): Promise<void> => {
    const folder = process.env['COUNTERSIGN_SHOTS'];
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function workspace(trustStore?: string): Promise<[TestService, Page, Account]> {
    const service = await TestService.start({
      rendererDir: RENDERER_DIR,
      epochIntervalSeconds: 3600,
      ...(trustStore !== undefined && { trustStore }),
    });
    const { page } = await openPage(await (await openBrowser()).newContext({ viewport: { width: 1280, height: 900 } }));
    return [service, page, await setUp(page, service)];
  }

  beforeAll(async () => {
    [here, witness, ours] = await workspace(join(temporaryFolder(), 'trust.json'));
    [there, log, theirs] = await workspace();
    await submitNext(theirs, await registerAgent(theirs, 'billing'));
    await theirs.client.ok('closeEpoch');
  });

  it('gets a name, and hands out its keys', async () => {
    await witness.goto(`${here.url}/#/witnesses`);
    const panel = witness.getByRole('region', { name: OWN_WITNESS.title });
    await panel.getByText(OWN_WITNESS.none).waitFor();
    await shot(witness, 'own-none');
    await panel.getByLabel(OWN_WITNESS.name).fill(NAME);
    await panel.getByRole('button', { name: OWN_WITNESS.make }).click();
    await panel.getByRole('heading', { name: NAME }).waitFor();
    await panel.getByText(OWN_WITNESS.nothing).waitFor();
    expect(await seriousIssues(witness)).toEqual([]);
    const keys = (await ours.client.ok('ownWitness')).witness?.keys ?? [];
    await log.goto(`${there.url}/#/witnesses`);
    await log.getByRole('button', { name: WITNESSES_SCREEN.addWitness }).first().click();
    await log.getByLabel(ADD_WITNESS.keys).fill(keys.join('\n'));
    await log.getByRole('dialog').getByRole('button', { name: ADD_WITNESS.add }).click();
    await log.locator('main').getByText(WITNESSES_SCREEN.notAsked).waitFor();
  });

  it('refuses a log whose key it does not trust, and cosigns it once it does', async () => {
    const [added] = (await theirs.client.ok('listWitnesses')).witnesses;
    const params = { witness_id: added?.witness_id ?? '' };
    const request = await textOf(theirs.client.call('witnessRequest', { params }));
    const keys = await textOf(theirs.client.call('serviceKeysFile'));
    const dialog = witness.getByRole('dialog');
    const ask = async (): Promise<void> => {
      await dialog.getByLabel(ANSWER_REQUEST.request, { exact: true }).fill(request);
      const file = { name: 'service.keys', mimeType: '', buffer: Buffer.from(keys) };
      await dialog.getByLabel(ANSWER_REQUEST.keysFile).setInputFiles(file);
      await shot(witness, 'own-ask');
      await dialog.getByRole('button', { name: ANSWER_REQUEST.cosign }).click();
    };
    await witness.getByRole('button', { name: OWN_WITNESS.answer }).click();
    await ask();
    await dialog.getByText(ANSWER_REQUEST.refused(404)).waitFor();
    await shot(witness, 'own-refused');
    expect(await seriousIssues(witness)).toEqual([]);
    await ours.client.ok('addTrust', { body: { kid: there.kid, organizations: [{ org_id: theirs.orgId }] } });
    await dialog.getByRole('button', { name: ANSWER_REQUEST.another }).click();
    await ask();
    await dialog.getByText(ANSWER_REQUEST.cosignedLog(`countersign.v1/${theirs.orgId}`, 1)).waitFor();
    const begun = witness.waitForEvent('download');
    await dialog.getByRole('button', { name: ANSWER_REQUEST.save }).click();
    answer = readFileSync(await (await begun).path(), 'utf8');
    await dialog.getByText(HAND_LINES.showQr).click();
    const parts = dialog.getByRole('img', { name: ANSWER_REQUEST.qr });
    expect(await parts.count()).toBe(codesOf(answer).length);
    await shot(witness, 'own-answer');
    expect(await seriousIssues(witness)).toEqual([]);
    await dialog.getByRole('button', { name: ANSWER_REQUEST.close, exact: true }).click();
    await witness.getByRole('row', { name: new RegExp(theirs.orgId) }).waitFor();
    await shot(witness, 'own-cosigned');
  });

  it('is read across an air gap by the camera, part by part', async () => {
    const codes = codesOf(answer);
    expect(codes.length).toBeGreaterThan(2);
    const context = await (await openBrowser()).newContext({ storageState: await log.context().storageState() });
    // Not in their order, as somebody scrolls.
    const hold = await withCamera(context, [...codes.slice(1), ...codes.slice(0, 1)]);
    const { page, complaints } = await openPage(context);
    await page.goto(`${there.url}/#/witnesses`);
    await page.getByRole('button', { name: WITNESSES_SCREEN.askByFile }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: SCAN.scan }).click();
    await dialog.getByText(SCAN.read(1, codes.length)).waitFor();
    await shot(page, 'scanning');
    expect(await seriousIssues(page)).toEqual([]);
    for (let code = 1; code < codes.length; code++) {
      await hold(page, code);
      if (code + 1 < codes.length) await dialog.getByText(SCAN.read(code + 1, codes.length)).waitFor();
    }
    await dialog.getByRole('button', { name: SCAN.scan }).waitFor();
    expect(await dialog.getByLabel(ASK_BY_FILE.answerLines).inputValue()).toBe(answer);
    await dialog.getByRole('button', { name: ASK_BY_FILE.importAnswer }).click();
    await page.locator('main').getByText(WITNESSES_SCREEN.upToDate).waitFor();
    expect(complaints).toEqual([]);
  });

  it('takes the parts that a hand scanner typed, and says which are missing, or that one is wrong', async () => {
    const codes = codesOf(answer);
    await log.goto(`${there.url}/#/witnesses`);
    await log.reload();
    await log.getByRole('button', { name: WITNESSES_SCREEN.askByFile }).click();
    const dialog = log.getByRole('dialog');
    const lines = dialog.getByLabel(ASK_BY_FILE.answerLines);
    await lines.fill(codes.slice(1).join('\n'));
    await dialog.getByText(SCAN.missing(codes.length - 1, codes.length)).waitFor();
    expect(await dialog.getByRole('button', { name: ASK_BY_FILE.importAnswer }).isDisabled()).toBe(true);
    await lines.fill(codes.join('\n').replace(/....$/, 'AAAA'));
    await dialog.getByText(SCAN.wrong).waitFor();
    await lines.fill(codes.toReversed().join('\r\n'));
    await dialog.getByRole('button', { name: ASK_BY_FILE.importAnswer }).click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('says that there is no camera, where there is none', async () => {
    await log.getByRole('button', { name: WITNESSES_SCREEN.askByFile }).click();
    const dialog = log.getByRole('dialog');
    await dialog.getByRole('button', { name: SCAN.scan }).click();
    await dialog.getByRole('alert').waitFor();
    await shot(log, 'no-camera');
    await dialog.getByRole('button', { name: SCAN.close, exact: true }).last().click();
    await dialog.getByRole('button', { name: SCAN.scan }).waitFor();
  });
});
