import { type ChildProcess, spawn } from 'node:child_process';

/** What Claude Code says before it runs a command. */
export const HOOK = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_use_id: 't',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
});

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export interface RunOptions {
  /** The shell that runs the script, by its path, under the name sh. */
  readonly shell?: string;
  readonly input?: string | Buffer;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** Runs a script as a program runs its hook. */
export async function runHook(
  path: string,
  { shell, input = HOOK, args = [], environment = {} }: RunOptions = {},
): Promise<Ran> {
  const began = performance.now();
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const child: ChildProcess =
    shell === undefined
      ? spawn(path, args, { env, stdio: 'pipe' })
      : spawn(shell, [path, ...args], { env, argv0: 'sh', stdio: 'pipe' });
  const printed = { stdout: '', stderr: '' };
  child.stdout?.on('data', (text) => {
    printed.stdout += text;
  });
  child.stderr?.on('data', (text) => {
    printed.stderr += text;
  });
  // A script that ends without reading all of it is no failure of this side.
  child.stdin?.on('error', () => undefined).end(input);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, ...printed, ms: performance.now() - began };
}
