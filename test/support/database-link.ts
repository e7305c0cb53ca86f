import { connect, createServer, type Server, type Socket } from 'node:net';
import { atEnd } from './cleanup.ts';
import { until } from './until.ts';

interface Line {
  readonly node: Socket;
  readonly database: Socket;
  /** Whether an entry was sent over it that has had no answer. */
  hasSent: boolean;
}

/**
 * The network between a node and a server of the database. Cut, it swallows what either says and closes nothing, as a cable does that
 * somebody pulled; what was underway arrives once it is mended.
 */
export class DatabaseLink {
  readonly #server: Server;
  readonly #lines = new Set<Line>();
  #isCut = false;
  #onLost: (() => void) | null = null;

  private constructor(port: number, host: string) {
    this.#server = createServer((node) => this.#open(node, port, host));
  }

  /** @param port of the server, on this machine unless another is named */
  static async start(port: number, host = '127.0.0.1'): Promise<DatabaseLink> {
    const link = new DatabaseLink(port, host);
    link.#server.listen(0, '127.0.0.1');
    atEnd(() => {
      link.#server.close();
      for (const { node, database } of link.#lines) for (const socket of [node, database]) socket.destroy();
    });
    await until('the link', () => link.#server.listening);
    return link;
  }

  /** Where the node finds the server. */
  get port(): number {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  cut(): void {
    this.#isCut = true;
    for (const { node, database } of this.#lines) for (const socket of [node, database]) socket.pause();
  }

  mend(): void {
    this.#isCut = false;
    for (const line of this.#lines) {
      if (line.node.destroyed || line.database.destroyed) this.#close(line);
      for (const socket of [line.node, line.database]) socket.resume();
    }
  }

  /** Closes the connection over which the next entry goes once the server has said that it is kept, before the node hears of it. */
  loseNextAnswer(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onLost = resolve;
    return promise;
  }

  #open(node: Socket, port: number, host: string): void {
    const database = connect(port, host);
    const line: Line = { node, database, hasSent: false };
    this.#lines.add(line);
    for (const socket of [node, database]) {
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.on('close', () => !this.#isCut && this.#close(line));
    }
    node.on('data', (bytes) => {
      line.hasSent ||= bytes.includes('INSERT INTO countersign_log');
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (line.hasSent && bytes.includes('INSERT 0')) {
        line.hasSent = false;
        if (this.#onLost !== null) {
          this.#close(line);
          this.#onLost();
          this.#onLost = null;
          return;
        }
      }
      node.write(bytes);
    });
    if (this.#isCut) for (const socket of [node, database]) socket.pause();
  }

  #close(line: Line): void {
    this.#lines.delete(line);
    for (const socket of [line.node, line.database]) socket.destroy();
  }
}
