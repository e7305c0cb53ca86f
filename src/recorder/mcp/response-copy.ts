import type { IncomingMessage } from 'node:http';
import { type Received, Receiving } from '../seen/received.ts';
import { BodyCopy, MOST_DECODED } from './body-copy.ts';
import { mediaType } from './http-headers.ts';
import { LONGEST_PARSED } from './recording.ts';
import { EventReader, type ServerEvent } from './sse.ts';

/** What comes of reading a response. */
export interface ResponseTarget {
  message(message: Received): void;
  /** An event of another type than `message`. */
  event(event: ServerEvent): void;
  /** Kept once more may come. */
  room(): Promise<void>;
  tooLong(body: { sha256: string; size: number }): void;
  unreadable(): void;
}

/** Reads messages out of a copy of a response: one body, or a stream of events. */
export class ResponseCopy {
  readonly #target: ResponseTarget;
  readonly #copy: BodyCopy;
  readonly #body: Receiving | null;
  readonly #events: EventReader | null;

  /** @returns null for a response that has no messages, or none of ours to read: challenges of OAuth have theirs in other statuses */
  static of(response: IncomingMessage, target: ResponseTarget): ResponseCopy | null {
    const type = mediaType(response.headers['content-type']);
    if (type !== 'application/json' && type !== 'text/event-stream') return null;
    const { statusCode = 0 } = response;
    if (statusCode === 401 || statusCode === 403 || statusCode === 407) return null;
    return new ResponseCopy(response.headers['content-encoding'], type === 'text/event-stream', target);
  }

  private constructor(encoding: string | undefined, isStream: boolean, target: ResponseTarget) {
    this.#target = target;
    this.#body = isStream ? null : new Receiving(LONGEST_PARSED);
    this.#events = isStream ? new EventReader(LONGEST_PARSED) : null;
    const limit = isStream ? Number.POSITIVE_INFINITY : MOST_DECODED;
    this.#copy = new BodyCopy(
      encoding,
      limit,
      this.#body ?? {
        data: (bytes) => this.#read(bytes),
        room: () => target.room(),
      },
    );
  }

  show(chunk: Buffer): Promise<void> {
    return this.#copy.show(chunk);
  }

  async end(): Promise<void> {
    await this.#copy.end();
    const { broken, size } = this.#copy;
    if (this.#events !== null) {
      if (broken) this.#target.unreadable();
    } else if (broken) this.#target.tooLong({ sha256: this.#copy.sha256(), size });
    else if (size > 0 && this.#body !== null) this.#target.message(this.#body.end());
  }

  stop(): void {
    this.#copy.stop();
  }

  #read(bytes: Buffer): void {
    for (const event of this.#events?.push(bytes) ?? []) {
      if (event.type === 'message') this.#target.message(event.data);
      else this.#target.event(event);
    }
  }
}
