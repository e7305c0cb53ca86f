// The session with curl and openssl in docs/curl-session.md, as it stands there: tools that share no code with the service.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS } from '../support/processes.ts';
import { TestService } from '../support/service.ts';

/** The page's shell session, and what it says that this prints. */
function session(): { script: string; output: string } {
  const text = readFileSync(join(ROOT, 'docs', 'curl-session.md'), 'utf8');
  const script = /^```sh not-run\n(.*?)^```$/ms.exec(text)?.[1];
  const output = /^It prints:\n\n((?: {4}.*\n)+)/m.exec(text)?.[1];
  if (script === undefined || output === undefined) throw new Error('no session in docs/curl-session.md');
  return { script, output: output.replace(/^ {4}/gm, '') };
}

test('a new team by curl alone', { timeout: PATIENCE_MS }, async () => {
  const { script, output } = session();
  const service = await TestService.start();
  const child = spawn('sh', ['-eu', '-c', script], {
    cwd: ROOT,
    env: {
      ...process.env,
      BASE: service.url,
      TMPDIR: temporaryFolder(),
      // The Node that runs this, and npx without a look at the registry.
      PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}`,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  expect(printed.stdout, printed.stderr).toBe(output);
  expect(code, printed.stderr).toBe(0);
});
