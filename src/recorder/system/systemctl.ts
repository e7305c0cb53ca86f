import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { RecordError } from '../base/record-error.ts';
import { SYSTEM_ENVIRONMENT } from './account.ts';
import type { SystemPlaces } from './places.ts';

const run = promisify(execFile);

/** Whether systemd runs the system (sd_booted(3)). A folder that replaces `/` never has one that runs. */
export function isRunning({ root }: SystemPlaces): boolean {
  return root === '/' && existsSync('/run/systemd/system');
}

/** @returns what it prints, in one line @throws RecordError SYSTEM_UNSUPPORTED with what systemctl says */
export async function systemctl({ root }: SystemPlaces, ...args: readonly string[]): Promise<string> {
  const place = root === '/' ? [] : ['--root', root];
  try {
    const { stdout } = await run('systemctl', [...place, '--no-ask-password', ...args], { env: SYSTEM_ENVIRONMENT });
    return stdout.trim().replaceAll('\n', ', ');
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw new RecordError('SYSTEM_UNSUPPORTED', `systemctl ${args.join(' ')} failed${said === '' ? '' : `: ${said}`}`, {
      cause: error,
    });
  }
}
