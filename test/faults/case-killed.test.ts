// docs/architecture.md, State, and what a crash leaves: the import of a case, ended at any moment.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeBundle, serviceKid } from '../support/bundle-maker.ts';
import { beginCase, codeOf, settled, WorkstationClient } from '../support/cases.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type CommandProcess, PATIENCE_MS, serve } from '../support/processes.ts';
import { until } from '../support/until.ts';

const dataDir = join(temporaryFolder(), 'data');
const folder = join(dataDir, 'cases');
const bytes = Buffer.from(makeBundle({ agents: 2, epochs: [40, 40], payload: { text: 'x'.repeat(5000) } }).text);

/** A browser at the machine where the service was started. */
async function deskOf(service: CommandProcess): Promise<WorkstationClient> {
  const url = await service.listening();
  const link = await until('the link', () => /^Open (\S+) in a browser to begin$/m.exec(service.stdout)?.[1]);
  const body = JSON.stringify({ code: codeOf(link) });
  const entered = await fetch(`${url}/v1/workstation/enter`, { method: 'POST', body });
  return new WorkstationClient(url, entered.headers.getSetCookie()[0]?.split(';')[0] ?? '');
}

it('leaves nothing that looks whole, and the next start imports it again', { timeout: PATIENCE_MS }, async () => {
  const first = serve(dataDir);
  const desk = await deskOf(first);
  const begun = [];
  for (let n = 0; n < 3; n++) {
    begun.push(await beginCase(desk, { name: `case ${n}`, bytes }, { trusted_kids: [serviceKid(0)] }));
  }
  // The first is under way or done, the last has not begun.
  await first.kill('SIGKILL');
  const last = begun[2]?.case_id ?? '';
  expect(existsSync(join(folder, last, 'case.sqlite'))).toBe(false);

  const second = serve(dataDir);
  const again = await deskOf(second);
  for (const { case_id, name } of begun) {
    const found = await settled(again, case_id);
    expect(found).toMatchObject({ name, state: 'ready', verdict: 'verified' });
    expect(await again.ok('caseSummary', { params: { case_id } })).toMatchObject({ records: 80, unreadable: 0 });
    expect(readdirSync(join(folder, case_id)).filter((file) => file.endsWith('.part'))).toEqual([]);
  }
  await second.kill('SIGTERM');
});
