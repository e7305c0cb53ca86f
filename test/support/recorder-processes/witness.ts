import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '../../../src/recorder/seen/feed.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { noteSeen } from '../stand-in-pipeline.ts';

/*
 * A witness in a process of its own: `witness.ts SOCKET COUNT` hands in so many events, each again and again under its own id until it
 * is answered, and prints the operations that they became.
 */
const [socketPath = '', count = '0'] = process.argv.slice(2);

/** @returns null where there was no answer */
function handIn(seen: readonly Seen[]): Promise<Verdict | null> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, method: 'POST', timeout: 5000 }, (response) => {
      text(response).then(
        (body) => resolve(JSON.parse(body) as Verdict),
        () => resolve(null),
      );
    });
    asked.on('error', () => resolve(null));
    asked.on('timeout', () => asked.destroy());
    asked.end(JSON.stringify(seen));
  });
}

const operations: string[] = [];
for (let n = 0; n < Number(count); n++) {
  const seen = [noteSeen(randomUUID())];
  let verdict = await handIn(seen);
  while (verdict === null) {
    await pause(20);
    verdict = await handIn(seen);
  }
  operations.push(...verdict.operation_ids);
  process.stdout.write('.');
}
process.stdout.write(`\n${JSON.stringify(operations)}\n`);
