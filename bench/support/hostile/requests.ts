import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';

/** What an attack knows: the port, and the account of a guest organization, which any program on the machine may make. */
export interface Target {
  readonly port: number;
  readonly token: string;
  readonly orgId: string;
  /** When the attack ends, on the clock of performance.now(). */
  readonly endsAt: number;
  /** Counts an answer by its status; 0 for a connection that broke. */
  readonly count: (status: number) => void;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | null;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** After which the client is gone; 15 s by default. */
  readonly goneAfterMs?: number;
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 });

/** Sends a request and takes the answer, whatever it is. @returns its status, 0 where there was none, and its text */
export function send(
  target: Target,
  { method = 'POST', path, token = target.token, body, headers = {}, goneAfterMs = 15_000 }: Sent,
) {
  return new Promise<{ readonly status: number; readonly text: string }>((resolve) => {
    const fail = (): void => {
      target.count(0);
      resolve({ status: 0, text: '' });
    };
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port: target.port,
        method,
        path,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          'content-type': 'application/json',
          ...headers,
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          text += piece;
        });
        answer.on('error', fail);
        answer.on('end', () => {
          target.count(answer.statusCode ?? 0);
          resolve({ status: answer.statusCode ?? 0, text });
        });
      },
    );
    sent.on('error', fail);
    setTimeout(() => sent.destroy(), goneAfterMs).unref();
    sent.end(body);
  });
}

/** Does something over and over, this many at a time, until the attack ends or the count is reached. */
export async function repeat(
  { endsAt }: Target,
  { parallel, most = Number.POSITIVE_INFINITY }: { readonly parallel: number; readonly most?: number },
  act: (number: number) => Promise<unknown>,
): Promise<void> {
  let number = 0;
  const lane = async (): Promise<void> => {
    while (performance.now() < endsAt && number < most) await act(number++);
  };
  await Promise.all(Array.from({ length: parallel }, lane));
}

/** Opens connections, says on each what it is told, and holds them until the attack ends. */
export async function hold(target: Target, connections: number, say: (socket: Socket) => void): Promise<void> {
  const sockets: Socket[] = [];
  for (let opened = 0; opened < connections && performance.now() < target.endsAt; opened++) {
    const socket = connect({ port: target.port, host: '127.0.0.1' });
    sockets.push(socket);
    // What the service does about such a connection is its affair.
    socket.on('error', () => target.count(0));
    socket.on('data', (answer: Buffer) => target.count(Number(answer.toString('latin1', 9, 12)) || 0));
    socket.once('connect', () => say(socket));
    if (opened % 50 === 49) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, target.endsAt - performance.now())));
  for (const socket of sockets) socket.destroy();
}
