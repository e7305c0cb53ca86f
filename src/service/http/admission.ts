import { ServiceError } from '../store/base/service-error.ts';

/** Requests with a body that may be in progress at once. */
const MAX_REQUESTS = 1024;

/** Bytes of bodies that may be in progress at once; parsed they take several times as much memory. */
const MAX_BYTES = 32 * 1024 * 1024;

/** How long to stay away, in seconds: what is in progress takes less. */
const RETRY_AFTER = 1;

/** A request that wants to be let in. */
export interface Entering {
  /** Of its body, as announced, or as many as it may have. */
  readonly bytes: number;
  /** Whom it counts for: an organization. */
  readonly owner: string;
  /** Ends it, while its body is still arriving. */
  readonly giveUp: () => void;
}

/** One that was let in. */
export interface Entered {
  /** To be called once its body is there: from then on it is not given up any more. */
  arrived(): void;
  /** To be called once it is answered. */
  leave(): void;
}

interface Inside extends Entering {
  isArriving: boolean;
}

export interface AdmissionOptions {
  readonly maxRequests?: number;
  readonly maxBytes?: number;
  /** Makes room by giving up what has been arriving the longest, whosever it is: for those of whom nobody knows who they are. */
  readonly givesUpOldest?: boolean;
}

/**
 * Bounds what is in progress: past it a request is refused before its body is read, and the service keeps its pace and its
 * memory whatever arrives. A request that is alone is never refused, however large its limit lets it be. Whoever holds the
 * room with bodies that do not arrive gives way to others who hold less.
 */
export class Admission {
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  readonly #givesUpOldest: boolean;
  /** In the order in which they came. */
  readonly #inside = new Set<Inside>();
  #bytes = 0;

  constructor({ maxRequests = MAX_REQUESTS, maxBytes = MAX_BYTES, givesUpOldest = false }: AdmissionOptions = {}) {
    this.#maxRequests = maxRequests;
    this.#maxBytes = maxBytes;
    this.#givesUpOldest = givesUpOldest;
  }

  /** Lets a request in. @throws ServiceError OVERLOADED */
  enter(entering: Entering): Entered {
    while (this.#inside.size > 0 && !this.#fits(entering)) {
      const yielding = this.#yieldingTo(entering);
      if (yielding === undefined) {
        throw new ServiceError('OVERLOADED', 'the service is overloaded: try again', {}, RETRY_AFTER);
      }
      this.#leave(yielding);
      yielding.giveUp();
    }
    const inside: Inside = { ...entering, isArriving: true };
    this.#inside.add(inside);
    this.#bytes += inside.bytes;
    return {
      arrived: () => {
        inside.isArriving = false;
      },
      leave: () => this.#leave(inside),
    };
  }

  #fits({ bytes }: Entering): boolean {
    return this.#inside.size < this.#maxRequests && this.#bytes + bytes <= this.#maxBytes;
  }

  #leave(inside: Inside): void {
    if (this.#inside.delete(inside)) this.#bytes -= inside.bytes;
  }

  /** Which of those whose body is still arriving has to go. */
  #yieldingTo({ owner, bytes }: Entering): Inside | undefined {
    const arriving = [...this.#inside].filter(({ isArriving }) => isArriving);
    if (this.#givesUpOldest) return arriving[0];
    const held = new Map<string, number>();
    for (const one of this.#inside) held.set(one.owner, (held.get(one.owner) ?? 0) + one.bytes);
    const own = (held.get(owner) ?? 0) + bytes;
    const [first] = arriving
      .filter((one) => one.owner !== owner && (held.get(one.owner) ?? 0) > own)
      .sort((a, b) => (held.get(b.owner) ?? 0) - (held.get(a.owner) ?? 0));
    return first;
  }
}
