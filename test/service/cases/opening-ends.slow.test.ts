// docs/interface.md, Opening a case file: it ends with the client that asked for it, and leaves nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nodeCrypto, RequestStopped } from '../../../src/node/index.ts';
import { openCaseFile } from '../../../src/service/cases/sealed/open-case-file.ts';
import { BUNDLE, ISSUER } from '../../support/case-evidence.ts';
import { saveCase } from '../../support/case-items.ts';
import { importCase, uploadOf } from '../../support/cases.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const { client } = await service.signUp();
const { case_id } = await importCase(client, { name: 'a.csbundle', bytes: BUNDLE }, { trusted_kids: [ISSUER] });
for (const name of ['b', 'c', 'd']) await client.ok('renameCase', { params: { case_id }, body: { name } });
const file = await saveCase(client, case_id, null);
const cases = join(service.dataDir, 'cases');

describe('a case file', () => {
  it('is opened to no further step than the one at which nobody waited any more', async () => {
    const path = join(temporaryFolder(), 'a.cscase');
    writeFileSync(path, file);
    const by = { examiner: { by: null, at: Date.now(), caseId: case_id }, fileSha256: `sha256:${'0'.repeat(64)}` };
    const openedUntil = async (step: number): Promise<boolean> => {
      const folder = join(temporaryFolder(), 'case');
      let asked = 0;
      const signal = {
        throwIfAborted: () => {
          asked += 1;
          if (asked === step) throw new RequestStopped();
        },
      };
      const opening = openCaseFile(path, folder, by, { crypto: nodeCrypto, signal });
      const isOpened = await opening.then(
        () => true,
        (error: unknown) => {
          expect(error).toBeInstanceOf(RequestStopped);
          return false;
        },
      );
      expect(existsSync(folder)).toBe(isOpened);
      return isOpened;
    };
    let steps = 1;
    while (!(await openedUntil(steps))) steps += 1;
    // For its bundle and its log, and for each of the three lines of that, which is read twice.
    expect(steps).toBeGreaterThan(7);
  });

  it.skipIf(process.platform === 'win32')('is not opened once its client is gone, nor is its upload kept', async () => {
    // Another file of this owner is made first: it waits for who writes to a pipe.
    const original = join(cases, case_id, 'original');
    renameSync(original, `${original}.kept`);
    execFileSync('mkfifo', [original]);
    const first = client.call('saveCase', { params: { case_id }, body: {} });
    const pipe = await open(original, 'w');
    const { upload_id } = await uploadOf(client, { name: 'a.cscase', bytes: file });
    const leave = new AbortController();
    const asked = client
      .send({
        method: 'POST',
        path: '/v1/cases/open',
        gone: leave.signal,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ upload_id }),
      })
      .then(
        ({ status }) => status,
        ({ name }: Error) => name,
      );
    const upload = join(cases, 'uploads', upload_id);
    // What another request cannot even find belongs to the opening.
    const found = async () => (await client.call('createCase', { body: { upload_id } })).status;
    await until('the opening', async () => (await found()) === 404);
    leave.abort();
    expect(await asked).toBe('AbortError');
    await until('the end of the opening', async () => !existsSync(upload));
    await pipe.close();
    await first;
    renameSync(`${original}.kept`, original);
    expect((await client.ok('listCases')).data.map((one) => one.case_id)).toEqual([case_id]);
    expect(readdirSync(cases).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
});
