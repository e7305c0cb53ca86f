import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program as a host program runs its hook. @returns its exit code */
export async function run(path: string, input: string): Promise<number | null> {
  const child = spawn(path, { stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}
