/**
 * Asks /v1/health fifty times a second until its standard input ends, then prints how long the answers took, in
 * milliseconds, as a line of JSON. Each is counted from when it was due: a service that stands still for a second has fifty
 * late answers, not one.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const EVERY_MS = 20;
const port = Number(process.argv[2]);
const request = `GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

const times: number[] = [];
let refused = 0;
let broken = 0;
let due = performance.now();
process.stdin.resume().once('end', () => {
  // The answer that is owed, and those after it, are as late already as they are now.
  for (let late = due; late < performance.now(); late += EVERY_MS) times.push(performance.now() - late);
  process.stdout.write(`${JSON.stringify({ times, refused, broken })}\n`, () => process.exit(0));
});

let socket: Socket | null = null;
/** One question and the status of its answer; 0 where the connection broke, and the next question takes another. */
function ask(): Promise<number> {
  return new Promise((resolve) => {
    socket ??= connect({ port, host: '127.0.0.1', noDelay: true });
    const used = socket;
    const settle = (status: number): void => {
      used.removeAllListeners();
      used.on('error', () => undefined);
      if (status === 0) {
        used.destroy();
        socket = null;
      }
      resolve(status);
    };
    // The answer is a few hundred bytes: it comes in one piece.
    used.once('data', (answer: Buffer) => settle(Number(answer.toString('latin1', 9, 12)) || 0));
    used.once('error', () => settle(0));
    used.once('close', () => settle(0));
    used.write(request);
  });
}

for (;;) {
  due += EVERY_MS;
  const wait = due - performance.now();
  if (wait > 0) await setTimeout(wait);
  const status = await ask();
  times.push(performance.now() - due);
  if (status === 0) broken++;
  else if (status !== 200) refused++;
}
