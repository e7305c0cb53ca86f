import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS, serve } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { registerAgent, TestService } from '../support/service.ts';

describe('the heads beside a ledger', () => {
  it('do not refuse a service that was killed at any moment', { timeout: 2 * PATIENCE_MS }, async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const first = await TestService.start({ dataDir, epochMaxLeaves: 3 });
    const owner = await first.signUp();
    const signer = await registerAgent(owner);
    await first.stop();
    for (let round = 0; round < 4; round++) {
      const killed = serve(dataDir, '--epoch-max-leaves', '3', '--log-level', 'silent');
      const client = new Client(await killed.listening(), owner.client.token);
      for (let n = 0; n < 4 + round; n++) await client.ok('submitOperation', { body: signer.next() });
      await killed.kill('SIGKILL');
    }
    expect(await refusedStart({ dataDir })).toBeUndefined();
    const { heads } = JSON.parse(readFileSync(join(dataDir, 'heads.json'), 'utf8'));
    expect(heads).toMatchObject([{ record: { seq_no: 4 + 5 + 6 + 7 } }]);
  });
});
