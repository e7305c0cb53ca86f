import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/support/paths.ts';

/** What a pasted text printed, on both streams, and the exit code of its last command. */
export interface Pasted {
  readonly code: number | null;
  readonly output: string;
}

/** Makes a folder look like the project folder, so that programs in it find the agent library and npx finds Node. */
export function likeProjectFolder(folder: string): void {
  for (const name of ['src', 'node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(folder, name));
}

/** Pastes a text into a POSIX shell that stands in a folder. */
export async function pasteIntoShell(text: string, folder: string): Promise<Pasted> {
  const child = spawn('sh', ['-s'], {
    cwd: folder,
    env: {
      ...process.env,
      // The Node that runs this, and npx without a look at the registry.
      PATH: `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}`,
      npm_config_offline: 'true',
      npm_config_update_notifier: 'false',
      // The service is on this machine.
      NO_PROXY: '127.0.0.1',
      no_proxy: '127.0.0.1',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part;
    });
  }
  child.stdin.end(text);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, output };
}
