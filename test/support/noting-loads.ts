import { readFileSync } from 'node:fs';

const NOTING = `
import { registerHooks } from 'node:module';
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
const loaded = [];
registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
if (isMainThread) {
  process.on('exit', () => writeFileSync(process.env.LOADED, JSON.stringify([...loaded, ...process.moduleLoadList])));
}
`;

/** The option of Node with which a process writes to the file that its environment names as LOADED what it has loaded by its end. */
export const NOTING_LOADS = `--import=data:text/javascript,${encodeURIComponent(NOTING)}`;

/** What a process has written there: modules by their address, and Node's own. */
export function notedLoads(file: string): string[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}
