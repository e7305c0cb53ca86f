import { JobQueue } from '../base/job-queue.ts';
import { ServiceError } from '../base/service-error.ts';
import { keyOf, type Owner } from './scope.ts';

/** Tasks of one owner that are not done: whoever asks for more at a time does not wait for their answers. */
const MAX_WAITING = 16;

/**
 * Tasks that somebody waits for. Those of the home organization and those of guests are done one at a time, of each owner in turn:
 * nobody waits for all that another has asked for, and the home organization for no guest.
 */
export class OwnerTasks {
  // A task that fails is told to whoever waits for it, and nothing to the queue.
  readonly #queue = new JobQueue<'home' | 'guests'>((error) => {
    throw error;
  });
  readonly #waiting = new Map<string, number>();
  readonly #isHome: (owner: Owner) => boolean;

  constructor(isHome: (owner: Owner) => boolean) {
    this.#isHome = isHome;
  }

  /** @throws ServiceError OVERLOADED where the owner waits for too many already; what the task throws */
  async run<T>(owner: Owner, task: () => Promise<T>): Promise<T> {
    const key = keyOf(owner);
    const waiting = this.#waiting.get(key) ?? 0;
    if (waiting >= MAX_WAITING) {
      throw new ServiceError('OVERLOADED', `${MAX_WAITING} files for you are being made: try again`, {}, 5);
    }
    this.#waiting.set(key, waiting + 1);
    try {
      return await new Promise<T>((resolve, reject) => {
        this.#queue.add(this.#isHome(owner) ? 'home' : 'guests', key, () => task().then(resolve, reject));
      });
    } finally {
      const left = (this.#waiting.get(key) ?? 1) - 1;
      if (left > 0) this.#waiting.set(key, left);
      else this.#waiting.delete(key);
    }
  }

  /** Waits until all that was asked for is over, however it ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}
