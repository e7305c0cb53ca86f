import { ServiceError } from '../errors.ts';

/** Requests with a body that may be in progress at once. */
const MAX_REQUESTS = 1024;

/** Bytes of bodies that may be in progress at once; parsed they take several times as much memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How long to stay away, in seconds: what is in progress takes less. */
const RETRY_AFTER = 1;

/**
 * Bounds what is in progress: past it a request is refused before its body is read, and the service keeps its pace and its
 * memory whatever arrives. A request that is alone is never refused, however large its limit lets it be.
 */
export class Admission {
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  #requests = 0;
  #bytes = 0;

  constructor({ maxRequests = MAX_REQUESTS, maxBytes = MAX_BYTES } = {}) {
    this.#maxRequests = maxRequests;
    this.#maxBytes = maxBytes;
  }

  /**
   * Lets a request in.
   * @param bytes of its body, as announced, or as many as it may have
   * @returns to be called once it is answered
   * @throws ServiceError OVERLOADED
   */
  enter(bytes: number): () => void {
    const fits = this.#requests < this.#maxRequests && this.#bytes + bytes <= this.#maxBytes;
    if (this.#requests > 0 && !fits) {
      throw new ServiceError('OVERLOADED', 'the service has as much to do as it takes on: try again', {}, RETRY_AFTER);
    }
    this.#requests++;
    this.#bytes += bytes;
    return () => {
      this.#requests--;
      this.#bytes -= bytes;
    };
  }
}
