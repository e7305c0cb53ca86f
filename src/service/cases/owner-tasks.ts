import { JobQueue } from '../base/job-queue.ts';
import { ServiceError } from '../base/service-error.ts';
import { keyOf, type Owner } from './scope.ts';

/** Tasks of one owner that are not done: whoever asks for more at a time does not wait for their answers. */
const MAX_WAITING = 16;

/** A task that fails is told to whoever waits for it, and nothing to the queue. */
function nothingIsLeft(error: unknown): never {
  throw error;
}

/**
 * Tasks that somebody waits for. Those of the home organization and those of guests are done one at a time, of each owner in turn:
 * nobody waits for all that another has asked for, and the home organization for no guest.
 */
export class OwnerTasks {
  readonly #queue = new JobQueue<'home' | 'guests'>(nothingIsLeft, {
    most: MAX_WAITING,
    refusal: () => new ServiceError('OVERLOADED', `${MAX_WAITING} files for you are being made: try again`, {}, 5),
  });
  readonly #isHome: (owner: Owner) => boolean;

  constructor(isHome: (owner: Owner) => boolean) {
    this.#isHome = isHome;
  }

  /** @throws ServiceError OVERLOADED where the owner waits for too many already; what the task throws */
  run<T>(owner: Owner, task: () => Promise<T>): Promise<T> {
    return this.#queue.run(this.#isHome(owner) ? 'home' : 'guests', keyOf(owner), task);
  }

  /** Waits until all that was asked for is over, however it ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }
}
