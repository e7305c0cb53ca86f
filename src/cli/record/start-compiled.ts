import module from 'node:module';
import { loadForEvents } from '../../recorder/light.ts';

/** Set for the second start: where nothing can be kept, there is no third one. */
const STARTED_AGAIN = 'COUNTERSIGN_COMPILED';

/**
 * What Node translates TypeScript with takes some 25 MB and is never given back. Where it was needed, because this version runs for the
 * first time, the rest is loaded as well, all of it is kept compiled, and the process replaces itself by one that needs no translation.
 * Its id stays the same. To be called before anything is opened; does not return where it replaces the process.
 */
export async function startCompiled(): Promise<void> {
  const { execve, execPath, execArgv, argv, env } = process;
  if (execve === undefined || env[STARTED_AGAIN] !== undefined || module.getCompileCacheDir() === undefined) return;
  if (!hasTranslated()) return;
  await loadForEvents();
  module.flushCompileCache();
  execve.call(process, execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...env, [STARTED_AGAIN]: '1' });
}

/** Whether Node's translator of TypeScript is in memory. */
function hasTranslated(): boolean {
  const loaded: unknown = Reflect.get(process, 'moduleLoadList');
  return Array.isArray(loaded) && loaded.some((name) => String(name).includes('amaro'));
}
