/**
 * Asks /v1/health fifty times a second until its standard input ends, then prints how long the answers took, in
 * milliseconds, as a line of JSON. Each is asked when it is due, whether or not those before it are answered, and counted
 * from then: a service that stands still for a second has fifty late answers, not one. Most go by connections that were
 * there before the attack, as those of other programs are; every tenth over a new one.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

const EVERY_MS = 20;

/** More than are ever waited on at once, unless the service stands still for a third of a second. */
const KEPT = 16;

const port = Number(process.argv[2]);
const request = `GET /v1/health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;

const times: Record<'kept' | 'fresh', number[]> = { kept: [], fresh: [] };
/** When those that are not answered yet were due. */
const waiting = new Map<number, 'kept' | 'fresh'>();
let refused = 0;
let broken = 0;
process.stdin.resume().once('end', () => {
  // The answers that are owed are as late already as they are now.
  for (const [due, kind] of waiting) times[kind].push(performance.now() - due);
  process.stdout.write(`${JSON.stringify({ ...times, refused, broken })}\n`, () => process.exit(0));
});

const opened = (): Socket => connect({ port, host: '127.0.0.1', noDelay: true }).on('error', () => undefined);
const free = new Set<Socket>();
for (let count = 0; count < KEPT; count++) {
  const socket = opened();
  await once(socket, 'connect');
  free.add(socket);
  // Closed while it is free: never asked again.
  socket.once('close', () => free.delete(socket));
}

function ask(due: number, kind: 'kept' | 'fresh'): void {
  const [first] = free;
  const socket = (kind === 'kept' ? first : undefined) ?? opened();
  free.delete(socket);
  waiting.set(due, kind);
  const settle = (status: number): void => {
    waiting.delete(due);
    socket.off('data', onAnswer).off('close', onEnd);
    times[kind].push(performance.now() - due);
    if (status === 0) broken++;
    else if (status !== 200) refused++;
    if (status === 0 || kind === 'fresh') socket.destroy();
    else free.add(socket);
  };
  // The answer is a few hundred bytes: it comes in one piece.
  const onAnswer = (answer: Buffer): void => settle(Number(answer.toString('latin1', 9, 12)) || 0);
  const onEnd = (): void => settle(0);
  socket.once('data', onAnswer).once('close', onEnd);
  socket.write(request);
}

let asked = 0;
for (let due = performance.now(); ; due += EVERY_MS) {
  const wait = due - performance.now();
  if (wait > 0) await setTimeout(wait);
  ask(due, asked++ % 10 === 9 ? 'fresh' : 'kept');
}
