import { Worker } from 'node:worker_threads';
import type { CaseClaims, CaseFileKind } from '../../contract/index.ts';
import { workerUrl } from '../../runtime/index.ts';
import type { ClaimsMessage, ClaimsRequest } from './claims-worker.ts';

/** It holds a quarter of a megabyte of a file at a time. */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 };

interface Waiting {
  readonly resolve: (claims: CaseClaims | null) => void;
  readonly reject: (error: unknown) => void;
}

/** Asks a thread what files claim; started when first needed, and again where it died. */
export class ClaimsThread {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #asked = 0;

  /** @returns what the file says of itself; null where it says nothing */
  read(path: string, kind: CaseFileKind): Promise<CaseClaims | null> {
    const worker = this.#started();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      const request: ClaimsRequest = { id, path, kind };
      worker.postMessage(request);
    });
  }

  #started(): Worker {
    if (this.#worker !== null) return this.#worker;
    const worker = new Worker(workerUrl(import.meta.url, 'claims-worker'), { resourceLimits: LIMITS });
    worker.on('message', (message: ClaimsMessage) => {
      const waiting = this.#waiting.get(message.id);
      this.#waiting.delete(message.id);
      if (this.#waiting.size === 0) worker.unref();
      if ('claims' in message) waiting?.resolve(message.claims);
      else waiting?.reject(message.error);
    });
    const ended = (error: unknown): void => {
      if (this.#worker === worker) this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('the thread that looks at uploads ended')));
    this.#worker = worker;
    return worker;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
