import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recorderCommand } from '../../../src/recorder/listen/recorder-command.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { NOTING_LOADS, notedLoads } from '../../support/noting-loads.ts';
import { installAgent } from '../../support/recorder.ts';
import { TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** Starts a recorder of an agent that does nothing, and stops it. @returns what it had loaded */
async function loadedAtIdle(compiled: string): Promise<string[]> {
  const service = await TestService.start();
  const { home } = await installAgent(await service.signUp(), service.kid);
  const file = join(temporaryFolder(), 'loaded');
  const [program = '', ...args] = recorderCommand().start;
  const environment = {
    ...process.env,
    NODE_OPTIONS: '',
    NODE_COMPILE_CACHE: compiled,
    COUNTERSIGN_RECORDER: home.folder,
    LOADED: file,
  };
  const child = spawn(program, [NOTING_LOADS, ...args, '--quiet'], { stdio: 'inherit', env: environment });
  await until('the recorder to listen', () => existsSync(home.pid));
  // The same process: also the first start of all, which replaces itself, keeps its id.
  expect(readFileSync(home.pid, 'utf8').split('\n')[0]).toBe(String(child.pid));
  child.kill('SIGTERM');
  await until('the recorder to end', () => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
  return notedLoads(file);
}

// What it may not load at idle is most of what it would have in memory.
it('loads little where it has nothing to do, also when it starts for the first time', async () => {
  const loaded = await loadedAtIdle(join(temporaryFolder(), 'compiled'));
  expect(loaded.some((name) => name.endsWith('/src/recorder/engine/recorder.ts'))).toBe(true);
  const large =
    /\/(?:zod|sodium-native|@secretlint|@bufbuild|smol-toml|jsonc-parser)\/|\/src\/(?:service|contract\/index|verify|protocol\/index)|undici|amaro/;
  expect(loaded.filter((name) => large.test(name))).toEqual([]);
});
