import { connect, type Socket } from 'node:net';

/** One connection's answer to one request. */
export interface Answered {
  readonly status: number;
  readonly body: Buffer;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** A keep-alive connection that sends requests made beforehand: so little work that the service is what is measured. */
class Connection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve: (answer: Answered) => void; reject: (error: Error) => void } | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    const fail = (error: Error): void => this.#settle?.reject(error);
    socket.on('error', fail);
    socket.on('close', () => fail(new Error('the connection was closed')));
  }

  static open(port: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      socket.once('error', reject);
      socket.once('connect', () => resolve(new Connection(socket)));
    });
  }

  send(request: Buffer): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(request);
    });
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headEnd = this.#received.indexOf(HEAD_END);
    if (headEnd === -1) return;
    const head = this.#received.toString('latin1', 0, headEnd);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return;
    const body = this.#received.subarray(headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    this.#settle?.resolve({ status: Number(head.slice(9, 12)), body });
  }

  close(): void {
    this.#settle = null;
    this.#socket.destroy();
  }
}

/** A request as bytes, head and body. */
export function requestBytes(method: string, path: string, port: number, token: string, body: string): Buffer {
  const bytes = Buffer.from(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${bytes.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How long each answer took, in milliseconds, shortest first. */
  readonly times: readonly number[];
  /** Processor time of the sender itself, in seconds. */
  readonly senderCpu: number;
}

/**
 * Sends every queue of requests over its own connection, one after the other, all queues at once.
 * @param check throws where an answer is not what it must be
 */
export async function runLoad(
  port: number,
  queues: readonly Iterable<Buffer>[],
  check: (answer: Answered) => void,
): Promise<LoadResult> {
  const connections = await Promise.all(queues.map(() => Connection.open(port)));
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const began = performance.now();
  await Promise.all(
    queues.map(async (queue, index) => {
      const connection = connections[index] as Connection;
      for (const request of queue) {
        const sent = performance.now();
        const answer = await connection.send(request);
        times.push(performance.now() - sent);
        check(answer);
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  for (const connection of connections) connection.close();
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const percentiles = { p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  return { requests: times.length, seconds, ...percentiles, times, senderCpu: (user + system) / 1e6 };
}
