import type { Operation } from '../record-signer.ts';
import type { Capture } from './contents.ts';
import type { Moment, Sink } from './moments.ts';
import { operationOf } from './operations.ts';

/** Moments become operations that the agent signs itself and has countersigned. */
export class AgentSink implements Sink {
  readonly agent: string;
  readonly local = false;
  readonly #submit: (operation: Operation) => Promise<unknown>;
  readonly #capture: Capture;

  constructor(agent: string, submit: (operation: Operation) => Promise<unknown>, capture: Capture) {
    this.agent = agent;
    this.#submit = submit;
    this.#capture = capture;
  }

  async take(moment: Moment): Promise<void> {
    await this.#submit(operationOf(moment, this.#capture));
  }
}
