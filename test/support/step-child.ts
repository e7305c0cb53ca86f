/**
 * A service in a process of its own that ends itself as a power cut would, at a named step of what it writes: `node step-child.ts DATA_DIR
 * [ROLLBACK]`. Which step its parent says by a message; the end of a job waits, before its turn of the writer, until the parent lets it go.
 */
import type Database from 'better-sqlite3';
import { startService } from '../../src/service/index.ts';
import { type AroundCommit, Writer } from '../../src/service/store/writer.ts';
import { LEAST_COST } from './password-cost.ts';
import type { KillStep, ToChild } from './stepped-ledger.ts';

const [dataDir = '', rollback = ''] = process.argv.slice(2);
let killAt: KillStep | null = null;
let release = Promise.withResolvers<void>();

let areHeld = true;

process.on('message', (message: ToChild) => {
  if (message === 'let all go') areHeld = false;
  if (typeof message === 'string') {
    release.resolve();
    release = Promise.withResolvers();
  } else killAt = message;
});
// Its parent is gone.
process.once('disconnect', () => process.exit(1));

const TABLES = { records: 'operations', epoch: 'epochs', rotation: 'service_keys' } as const;

const aroundCommit: AroundCommit = (sqlite, transaction) => {
  const at = killAt;
  if (at === null) return transaction();
  const count = (): unknown => countOf(sqlite, TABLES[at.step]);
  const before = count();
  let isStep = false;
  const result = sqlite.transaction(() => {
    const done = transaction();
    isStep = count() !== before;
    if (isStep && at.when === 'before') process.kill(process.pid, 'SIGKILL');
    return done;
  })();
  if (isStep) process.kill(process.pid, 'SIGKILL');
  return result;
};

function countOf(sqlite: Database.Database, table: string): unknown {
  return sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
}

const { run } = Writer.prototype;
Writer.prototype.run = async function heldAtTheEnd<T>(this: Writer, task: () => T | Promise<T>): Promise<T> {
  if (areHeld && /#end \(.*jobs\.ts/.test(new Error().stack ?? '')) {
    const { promise } = release;
    process.send?.('end of a job');
    await promise;
  }
  return run.call(this, task) as Promise<T>;
};

const service = await startService(
  {
    dataDir,
    port: 0,
    rateLimit: null,
    logLevel: 'silent',
    trustStore: '',
    epochMaxLeaves: 2,
    ...(rollback === '' ? {} : { acceptRollback: rollback }),
  },
  { aroundCommit, passwordCost: LEAST_COST },
).catch((error: unknown) => {
  process.send?.({ refused: String(error) });
  process.exit(2);
});
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
process.send?.({ url: service.url });
