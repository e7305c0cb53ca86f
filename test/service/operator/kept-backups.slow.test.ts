import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { KeptBackups } from '../../../src/service/operator/backup/kept-backups.ts';
import { MANIFEST_FILE } from '../../../src/service/operator/backup/manifest.ts';
import { temporaryFolder } from '../../support/folders.ts';

/** A folder with a backup made at each of these times, under names that end with these digits. */
function backupsMadeAt(times: Readonly<Record<string, string>>): KeptBackups {
  const folder = temporaryFolder();
  for (const [digits, createdAt] of Object.entries(times)) {
    const second = createdAt.replace(/[-:]|\.\d+/g, '');
    const path = join(folder, `${second}-person-${digits}`);
    mkdirSync(path);
    const [members, key] = [{ version: '0.1.0', schema_version: 1, files: [], heads: [] }, { service_kid: 'k' }];
    const manifest = { type: 'countersign.backup.v1', created_at: createdAt, ...members, ...key, public_key: 'p' };
    writeFileSync(join(path, MANIFEST_FILE), JSON.stringify({ ...manifest, signature: null }));
  }
  return new KeptBackups(() => folder);
}

it('lists backups by when they were made, also several of one second', () => {
  const kept = backupsMadeAt({
    aaaaaaaa: '2026-11-24T12:00:00.750Z',
    bbbbbbbb: '2026-11-24T12:00:00.500Z',
    cccccccc: '2026-11-24T12:00:00.250Z',
    '00000000': '2026-11-24T12:00:01.000Z',
  });
  expect(kept.list().map(({ backup_id: id }) => id.slice(-8))).toEqual([
    '00000000',
    'aaaaaaaa',
    'bbbbbbbb',
    'cccccccc',
  ]);
});
