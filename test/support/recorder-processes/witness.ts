import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Verdict } from '../../../src/recorder/seen/feed.ts';
import type { Seen } from '../../../src/recorder/seen/seen.ts';
import { noteSeen } from '../stand-in-pipeline.ts';

/*
 * A witness in a process of its own: `witness.ts SOCKET COUNT NAME` hands in so many events, some of them together, again and again until they
 * are answered, and prints the operations that they became. One of the same name that is started again hands in the same events.
 */
const [socketPath = '', count = '0', name = ''] = process.argv.slice(2);
const MOST_TOGETHER = 8;

function idOf(n: number): string {
  const hex = createHash('sha256').update(`${name} ${n}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
}

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
for (let n = 0, together = 1; n < Number(count); n += together, together = (together % MOST_TOGETHER) + 1) {
  const seen: Seen[] = [];
  for (let at = n; at < Math.min(n + together, Number(count)); at++) seen.push(noteSeen(idOf(at)));
  let verdict = await handIn(seen);
  while (verdict === null) {
    await pause(20);
    verdict = await handIn(seen);
  }
  operations.push(...verdict.operation_ids);
  process.stdout.write('.'.repeat(seen.length));
}
process.stdout.write(`\n${JSON.stringify(operations)}\n`);
