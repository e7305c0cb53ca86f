// A stop while a thread of the case room works.
import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { startSettings } from '../../../src/service/operator/run-time-settings.ts';
import { openCaseRoom } from '../../../src/service/start/case-room.ts';
import { openEvidenceJobs, openJobs } from '../../../src/service/start/evidence-jobs.ts';
import { openData } from '../../../src/service/start/open-data.ts';
import { openLedger } from '../../../src/service/start/open-ledger.ts';
import { Teardown } from '../../../src/service/start/teardown.ts';
import { BUNDLE, ISSUER } from '../../support/case-evidence.ts';
import { enterWorkstation, importCase } from '../../support/cases.ts';
import { atEnd } from '../../support/cleanup.ts';
import { isRead } from '../../support/pipes.ts';
import { TestService } from '../../support/service.ts';

const asker = { workstation: true, caller: null, waits: () => new AbortController().signal } as const;

/** The case room of a service that does not listen, with a case whose file is a pipe: whoever reads it waits for the one who writes. */
async function openRoom() {
  const service = await TestService.start();
  const file = { name: 'first.csbundle', bytes: BUNDLE };
  const { case_id } = await importCase(await enterWorkstation(service), file, { trusted_kids: [ISSUER] });
  await service.stop();
  const teardown = new Teardown();
  atEnd(() => teardown.run());
  const { settings } = startSettings({ dataDir: service.dataDir, logLevel: 'silent', trustStore: '' }, {});
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const context = { settings, teardown, log: pino({ level: 'silent' }), now: Date.now, onError, version: '0.0.0' };
  const data = await openData(context, {});
  const core = await openLedger(context, data);
  const jobs = openJobs(context, data);
  const { exports } = openEvidenceJobs(context, data, jobs, core);
  const room = openCaseRoom(context, data, jobs, exports, core.ledger);
  room.cases.resume();
  const folder = join(service.dataDir, 'cases');
  const original = join(folder, case_id, 'original');
  renameSync(original, `${original}.kept`);
  execFileSync('mkfifo', [original]);
  return { jobs, room, teardown, errors, case_id, original, uploads: join(folder, 'uploads') };
}

it.skipIf(process.platform === 'win32')(
  'waits for the thread that writes a case file, before the folder that it writes into is removed',
  async () => {
    const { jobs, room, teardown, errors, case_id, original, uploads } = await openRoom();
    const saved = room.sealedCases.save(asker, case_id, null, null).catch(({ name }: Error) => name);
    // Opened as soon as the thread reads at the other end.
    const pipe = await open(original, 'w');
    const readAfterwards = jobs.close().then(() => isRead(original));
    await pipe.write('{');
    await pipe.close();
    expect(await readAfterwards).toBe(false);
    expect(await saved).toBe('RequestStopped');
    expect(existsSync(uploads)).toBe(true);
    await teardown.run();
    expect(existsSync(uploads)).toBe(false);
    expect(errors).toEqual([]);
  },
);
