import { vi } from 'vitest';
import { main } from '../../src/cli/main.ts';

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command within this process, as the program's own door does, and keeps what it prints. For commands that neither
 * wait for signals nor change the process; one at a time.
 */
export async function run(...argv: readonly string[]): Promise<Output> {
  // The trust store of whoever runs the tests is none of theirs; a test that wants one names it.
  const { COUNTERSIGN_TRUST_STORE: store } = process.env;
  vi.stubEnv('COUNTERSIGN_TRUST_STORE', '');
  const printed = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await main(argv), ...printed };
  } finally {
    // This one alone: a test may have set others.
    vi.stubEnv('COUNTERSIGN_TRUST_STORE', store);
    for (const spy of spies) spy.mockRestore();
  }
}
