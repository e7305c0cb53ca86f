import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { importCase } from './cases.ts';
import type { Client } from './client.ts';
import type { TestService } from './service.ts';

/**
 * Holds the jobs of the case room back while something is looked at: the file of another case becomes a pipe that nobody writes
 * to, and its verification, which the jobs asked for from then on wait for, does not get further than opening it.
 */
export async function whileJobsWait(
  service: TestService,
  client: Client,
  bytes: Uint8Array,
  look: () => Promise<void>,
): Promise<void> {
  const { case_id } = await importCase(client, { name: 'slow.csbundle', bytes: Buffer.from(bytes) });
  const original = join(service.dataDir, 'cases', case_id, 'original');
  renameSync(original, `${original}.kept`);
  execFileSync('mkfifo', [original]);
  await client.ok('verifyCase', { params: { case_id }, body: {} });
  try {
    await look();
  } finally {
    const pipe = await open(original, 'w');
    renameSync(`${original}.kept`, original);
    await pipe.writeFile(bytes);
    await pipe.close();
  }
}
