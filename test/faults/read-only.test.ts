import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PATIENCE_MS, serve } from '../support/processes.ts';
import { refusedStart } from '../support/refused-start.ts';
import { registerAgent, TestService } from '../support/service.ts';
import { canMount, SmallDisk } from '../support/small-disk.ts';

describe.skipIf(!canMount())('a data folder that cannot be written (needs a separate tmpfs, so root)', () => {
  it('refuses the start with a sentence, new or not', { timeout: PATIENCE_MS }, async () => {
    const disk = new SmallDisk(4);
    const used = join(disk.folder, 'used');
    const service = await TestService.start({ dataDir: used });
    await registerAgent(await service.signUp(), 'agent');
    await service.stop();
    disk.setReadOnly();
    const unusable = { code: 'DATA_DIR_UNUSABLE', message: expect.stringContaining(used) };
    expect(await refusedStart({ dataDir: used })).toMatchObject(unusable);
    expect(await refusedStart({ dataDir: join(disk.folder, 'new') })).toMatchObject({ code: 'DATA_DIR_UNUSABLE' });
    const { code, stderr } = await serve(used).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/^countersign serve: [^\n]*read-only[^\n]*\n$/);
  });
});
