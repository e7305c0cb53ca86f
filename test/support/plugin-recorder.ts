import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, vi } from 'vitest';
import { ROOT } from '../../scripts/support/paths.ts';
import { atEnd } from './cleanup.ts';
import { temporaryFolder } from './folders.ts';
import { meaningOf, read } from './hooks.ts';
import { serveLocally } from './local-server.ts';

const ALLOWED = { allowed: true, reason: null, operation_ids: [] };

/**
 * A recorder as far as a plugin can tell, for all that is loaded from now on: it reads what comes in, and stops what names `frozen`.
 * @returns what it was told, a line for each
 */
export async function pluginRecorder(feed: 'openclaw' | 'pi'): Promise<readonly string[]> {
  const folder = temporaryFolder();
  const meanings: string[] = [];
  const server = await serveLocally(({ url, text }) => {
    if (url.pathname === '/v1/alive') return { status: 200 };
    expect(url.pathname).toBe(`/v1/hook/${feed}`);
    const reading = read(feed, JSON.parse(text));
    meanings.push(...reading.seen.map((seen) => `${seen.session?.id} ${meaningOf(seen)}`));
    return reading.answer(text.includes('frozen') ? { ...ALLOWED, allowed: false, reason: 'Frozen.' } : ALLOWED);
  });
  atEnd(() => server.close());
  writeFileSync(join(folder, 'recorder.json'), JSON.stringify({ url: `http://127.0.0.1:${server.port}` }));
  writeFileSync(join(folder, 'token'), 'a token');
  vi.stubEnv('COUNTERSIGN_RECORDER', folder);
  atEnd(() => vi.unstubAllEnvs());
  return meanings;
}

/** What the plugin's module exports. */
export async function pluginModule(feed: 'openclaw' | 'pi'): Promise<{ readonly default: unknown }> {
  return import(pathToFileURL(join(ROOT, 'resources', 'recorder', `${feed}-plugin.js`)).href);
}
