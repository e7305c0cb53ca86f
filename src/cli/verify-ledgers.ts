import { StartError, verifyDataDir } from '../service/light.ts';
import type { Outcome } from './outcome.ts';
import type { Terminal } from './terminal.ts';

/** Verifies every ledger in a data folder. @throws the signal's reason */
export async function verifyLedgers(
  dataDir: string,
  trustedKids: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<Outcome[]> {
  try {
    const reports = await verifyDataDir(dataDir, trustedKids, {
      signal,
      onProgress: ({ checked, total }) => terminal.progress('verifying', checked, total, 'records'),
    });
    if (reports.length === 0) return [{ name: dataDir, error: `${dataDir}: holds no organization` }];
    return reports.map((report) => ({ name: dataDir, report }));
  } catch (error) {
    if (error instanceof StartError) return [{ name: dataDir, error: error.message }];
    throw error;
  }
}
