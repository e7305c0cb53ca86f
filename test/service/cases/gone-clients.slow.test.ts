// Files that are made for one answer are not made any further once their client is gone (docs/security.md).
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUNDLE, ISSUER } from '../../support/case-evidence.ts';
import { importCase } from '../../support/cases.ts';
import { isRead } from '../../support/pipes.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const service = await TestService.start();
const { client } = await service.signUp();

const FILES: readonly (readonly [string, 'GET' | 'POST', string, object | null])[] = [
  ['the PDF report of a case', 'GET', 'report.pdf', null],
  [
    'a report of chosen records',
    'POST',
    'reports',
    { format: 'html', title: 'T', question: 'Q', examiner: 'Ada', entries: [{ seq_no: 1 }] },
  ],
  ['a case file', 'POST', 'file', {}],
];

describe.skipIf(process.platform === 'win32')('whoever asked for it and left ends', () => {
  it.each(FILES)('%s', async (_, method, path, body) => {
    const { case_id } = await importCase(client, { name: 'a.csbundle', bytes: BUNDLE }, { trusted_kids: [ISSUER] });
    // Who reads this file waits for the one who writes.
    const original = join(service.dataDir, 'cases', case_id, 'original');
    renameSync(original, `${original}.kept`);
    execFileSync('mkfifo', [original]);
    const leave = new AbortController();
    const asked = client
      .send({
        method,
        path: `/v1/cases/${case_id}/${path}`,
        gone: leave.signal,
        ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      })
      .then(
        ({ status }) => status,
        ({ name }: Error) => name,
      );
    const pipe = await open(original, 'w');
    leave.abort();
    expect(await asked).toBe('AbortError');
    pipe.write(' ');
    await until('nobody to read it any more', async () => {
      if (!isRead(original)) return true;
      // What looks whether it is still wanted does so with each piece.
      await pipe.write(' ').catch(() => undefined);
      return undefined;
    });
    await pipe.close();
  });
});
