import type { ExactJson } from '../../protocol/light.ts';
import type { FailedStatus, Outcome, RefusedStatus, Tool, Touched } from './action-types.ts';
import type { Action, CallMembers, CallStage } from './moments.ts';
import { plainJson } from './plain-json.ts';

/** What is known of an action when it begins. */
export interface ActionOptions {
  /** The tool, or its name alone. */
  readonly tool: string | Tool;
  /** What it is given; anything that is not JSON is turned into it. */
  readonly input?: unknown;
  readonly touched?: readonly Touched[];
  /** What the record names as its subject, for good: it cannot be withheld or erased. The tool where it is left out. */
  readonly subject?: string;
  /** Dotted name; follows from the type of the tool where it is left out. */
  readonly operationType?: string;
  /** `operation_id` of further records that led to this one; the action that this one runs within is named anyway. */
  readonly cause?: readonly string[];
}

/** What a session does for the actions in it. */
export interface ActionHost {
  record(stage: CallStage, members: CallMembers): Promise<void>;
  ended(action: OpenAction): void;
}

/** How an error reads in a record. */
export function errorOf(error: unknown): NonNullable<Outcome['error']> {
  if (error instanceof Error) return { type: error.name || 'Error', message: error.message };
  return { message: String(plainJson(error)) };
}

/** What an error says of how the action ended: the names that the web platform gives to what was stopped. */
export function statusOf(error: unknown): FailedStatus {
  const name = error instanceof Error ? error.name : '';
  if (name === 'AbortError') return 'cancelled';
  return name === 'TimeoutError' ? 'timeout' : 'error';
}

/** An action that has begun: it is to be ended once, by whichever of its methods says how. */
export class OpenAction {
  readonly #host: ActionHost;
  readonly #action: Action;
  readonly #touched: Touched[];
  readonly #beganAt = performance.now();
  #ended = false;
  /** UUID that joins the records of the action. */
  readonly actionId: string;
  /** Of the record that it began with. */
  readonly operationId: string;

  constructor(host: ActionHost, action: Action, touched: readonly Touched[], operationId: string) {
    this.#host = host;
    this.#touched = [...touched];
    this.#action = action;
    this.actionId = action.actionId;
    this.operationId = operationId;
  }

  get isOpen(): boolean {
    return !this.#ended;
  }

  /** Adds a resource that turned out to be used; it is in the record of the end. */
  touch(...resources: readonly Touched[]): void {
    this.#touched.push(...resources);
  }

  /** @throws AgentError where it cannot be recorded and the session's policy is `throw` */
  async completed(output?: unknown, { exitCode }: { readonly exitCode?: number } = {}): Promise<void> {
    const shown = output === undefined ? {} : { output: plainJson(output) };
    await this.#end('completed', { status: 'ok', ...(exitCode === undefined ? {} : { exit_code: exitCode }) }, shown);
  }

  /** @param status where the error does not say it by its name */
  async failed(error: unknown, status: FailedStatus = statusOf(error)): Promise<void> {
    await this.#end('failed', { status, error: errorOf(error) });
  }

  /** It was not carried out. */
  async refused(status: RefusedStatus = 'denied', message?: string): Promise<void> {
    await this.#end('refused', { status, ...(message ? { error: { message } } : {}) });
  }

  /** Nobody saw how it ended. */
  async unknown(message: string): Promise<void> {
    await this.#end('failed', { status: 'unknown', error: { message } });
  }

  async #end(stage: CallStage, outcome: Outcome, shown: { readonly output?: ExactJson } = {}): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    this.#host.ended(this);
    const durationMs = Math.round(performance.now() - this.#beganAt);
    await this.#host.record(stage, { action: this.#action, touched: this.#touched, outcome, durationMs, ...shown });
  }
}
