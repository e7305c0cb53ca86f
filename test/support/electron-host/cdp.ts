import { EventEmitter } from 'node:events';

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly sessionId?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

/** A connection with a Chromium by its DevTools protocol; events come as `SESSION METHOD`, those of the browser as `METHOD`. */
export class Cdp extends EventEmitter {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  #lastId = 0;

  private constructor(socket: WebSocket) {
    super();
    this.setMaxListeners(0);
    this.#socket = socket;
    socket.onmessage = ({ data }) => this.#take(JSON.parse(String(data)) as Reply);
    socket.onclose = () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium is gone'));
      this.#waiting.clear();
    };
  }

  static async connect(endpoint: string): Promise<Cdp> {
    const socket = new WebSocket(endpoint);
    await new Promise((resolve, reject) => {
      socket.onopen = resolve;
      socket.onerror = () => reject(new Error('Chromium takes no connection'));
    });
    return new Cdp(socket);
  }

  send<T = Record<string, unknown>>(method: string, params: object = {}, sessionId?: string): Promise<T> {
    const id = ++this.#lastId;
    return new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }));
    });
  }

  close(): void {
    this.#socket.close();
  }

  #take({ id, method, params, sessionId, result, error }: Reply): void {
    if (id === undefined) {
      this.emit(sessionId === undefined ? `${method}` : `${sessionId} ${method}`, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
