import type { AroundCommit } from '../../src/service/store/writer.ts';

/** Steps of the ledger that can be made to fail, in the order in which a submission and then the sealing come to them. */
export type FailingStep =
  | 'findKey'
  | 'lookUp'
  | 'tail'
  | 'openLeaves'
  | 'logTree'
  | 'sign'
  | 'commit'
  | 'indexCommitted'
  | 'append'
  | 'onCommit'
  | 'adminHeadHash'
  | 'signEpoch'
  | 'appendEpoch';
/** Whether a step fails before it did anything, or when all of it was done. */
export type Failure = 'before' | 'after';

/** The error of a step that was made to fail. */
export class StepFailed extends Error {}

/** Which calls of which steps are to fail. */
export class FailurePlan {
  readonly #planned = new Map<FailingStep, Failure[]>();

  /** Makes the next call of a step fail, and with several failures the next ones. */
  set(step: FailingStep, failures: readonly Failure[]): void {
    this.#planned.set(step, [...failures]);
  }

  /** Steps that have not failed yet as often as they should. */
  get open(): FailingStep[] {
    return [...this.#planned].filter(([, failures]) => failures.length > 0).map(([step]) => step);
  }

  take(step: FailingStep): Failure | undefined {
    return this.#planned.get(step)?.shift();
  }

  run<T>(step: FailingStep, act: () => T): T {
    const failure = this.take(step);
    if (failure === 'before') throw new StepFailed(`${step}: before`);
    const result = act();
    if (failure === undefined) return result;
    const fail = (): never => {
      throw new StepFailed(`${step}: after`);
    };
    return result instanceof Promise ? (result.then(fail) as T) : fail();
  }
}

/** The same object, of whose methods some are steps that can fail. */
export function failing<T extends object>(
  target: T,
  steps: { readonly [Name in keyof T]?: FailingStep },
  plan: FailurePlan,
): T {
  return new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const step = (steps as Record<PropertyKey, FailingStep | undefined>)[name];
      const act = (...args: unknown[]): unknown => Reflect.apply(value, target, args);
      return step === undefined ? act : (...args: unknown[]) => plan.run(step, () => act(...args));
    },
  });
}

/**
 * Commits of a writer that can fail where they change something: before the commit, so that SQLite takes all of it back, or
 * after it, when it is kept and the caller hears of a failure.
 */
export function failingCommits(plan: FailurePlan): AroundCommit {
  return (sqlite, commit) => {
    const changes = (): number => sqlite.prepare('SELECT total_changes()').pluck().get() as number;
    const before = changes();
    let failure: Failure | undefined;
    const result = sqlite.transaction(() => {
      const done = commit();
      if (changes() > before) failure = plan.take('commit');
      if (failure === 'before') throw new StepFailed('commit: before');
      return done;
    })();
    if (failure === 'after') throw new StepFailed('commit: after');
    return result;
  };
}
