/**
 * Ships from a data folder in a process of its own, which ends itself as a power cut would: `node archive-child.ts DATA_DIR ARCHIVE POINT [KEY@ORG_ID]…`. POINT is a
 * step of the store, or a number of bytes, of which so many are written to the file.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [dataDir = '', at = '', point = '', ...archiveKeys] = process.argv.slice(2);
const end = (): void => void process.kill(process.pid, 'SIGKILL');

const { writeSync } = fs;
let left = /^\d+$/.test(point) ? Number(point) : Number.POSITIVE_INFINITY;
fs.writeSync = ((file: number, data: Uint8Array, offset: number | null = 0) => {
  const count = data.length - (offset ?? 0);
  if (count > left) {
    writeSync(file, data, offset, left);
    end();
  }
  left -= count;
  return writeSync(file, data, offset);
}) as typeof fs.writeSync;
syncBuiltinESMExports();

const { openRunStore } = await import('../../src/service/archive/open-run-store.ts');
const { shipRuns } = await import('../../src/service/archive/ship.ts');
await shipRuns({
  dataDir,
  store: await openRunStore({
    at,
    spool: dataDir,
    onStep: (step) => {
      if (step === point) end();
    },
  }),
  withNewest: true,
  passphraseFile: null,
  archiveKeys,
  now: Date.now,
  onRun: () => {},
  signal: new AbortController().signal,
});
