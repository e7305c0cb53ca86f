// docs/archive.md, "By itself": the service ships what it has sealed, and says what came of it.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import type { AnswerOf } from '../../../src/api/index.ts';
import { FolderStore } from '../../../src/service/archive/folder-store.ts';
import { archiveHost, shipped } from '../../support/archive.ts';
import { temporaryFolder } from '../../support/folders.ts';
import type { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** What health says of the archive, once it says this. */
async function archivePart(service: TestService, detail: RegExp) {
  const client = service.client();
  return until(`the archive to be ${detail}`, async () => {
    const { body } = await client.call('deepHealth', {});
    const part = (body as AnswerOf<'deepHealth'>).checks.archive;
    return detail.test(part.detail) ? part : undefined;
  });
}

it('ships by itself at its start, as the command does, and says up to where', async () => {
  const folder = temporaryFolder();
  const host = await archiveHost({ archiveTo: folder, archiveEvery: 'hour' });
  const { service } = host;
  expect(await archivePart(service, /epochs up to 0/)).toMatchObject({ status: 'ok' });
  await host.seal(3);
  await service.restart();
  expect(await archivePart(service, /^it has epochs up to 1, as of/)).toMatchObject({ status: 'ok' });
  expect(await new FolderStore(folder).list()).toHaveLength(1);
  // The command finds nothing that is left to do, and nothing else is there.
  await until('the archive to be free', () =>
    shipped(service.dataDir, new FolderStore(folder)).then(
      (runs) => runs.length === 0,
      () => false,
    ),
  );
});

it('says what is wrong while the archive is away, and ships once it is there', async () => {
  const folder = join(temporaryFolder(), 'later');
  const host = await archiveHost({ archiveTo: folder, archiveEvery: 'hour' });
  await host.seal(2);
  await host.service.restart();
  expect(await archivePart(host.service, /ARCHIVE_UNAVAILABLE; nothing is known yet/)).toMatchObject({ status: 'bad' });
  mkdirSync(folder);
  // A change of settings has it look at once.
  const owner = host.service.client(host.account.client.token);
  await owner.ok('changeSettings', { body: { settings: { 'backup-keep': 3 } } });
  expect(await archivePart(host.service, /^it has epochs up to 1/)).toMatchObject({ status: 'ok' });
});

it('says what in the archive contradicts the ledger, and ships nothing', async () => {
  const folder = temporaryFolder();
  const host = await archiveHost();
  await host.seal(2);
  const [run] = await shipped(host.service.dataDir, new FolderStore(folder));
  const [first = ''] = [run?.path].filter((path) => path !== undefined);
  writeFileSync(join(folder, first.replace('/1-1.', '/2-2.')), 'no run');
  await host.service.restart({ archiveTo: folder });
  expect(await archivePart(host.service, /runs that wait: 0 \(unreadable\)/)).toMatchObject({ status: 'bad' });
});

it('stops with the service while a bucket answers nothing', async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket.on('error', () => {})));
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = silent.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDTEST');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'not-a-secret');
  try {
    const host = await archiveHost({ archiveTo: 's3://archive', archiveEndpoint: `http://127.0.0.1:${port}` });
    await until('a request', () => sockets.length > 0);
    await host.service.stop();
    expect(sockets).toHaveLength(1);
  } finally {
    vi.unstubAllEnvs();
    for (const socket of sockets) socket.destroy();
    silent.close();
  }
});
