import { createHash } from 'node:crypto';

/** An explicit-state checker: every state that steps lead to from the first, breadth first, so that the first broken rule has a shortest way to it. */
export interface Model<State> {
  readonly initial: State;
  /** Every step that is possible in a state, by its name, with the state that it leads to. States are data that JSON keeps, and are never changed. */
  steps(state: State): Iterable<readonly [name: string, next: State]>;
  /** The one state that stands for all that differ from it in nothing that matters, such as the names of things. */
  canonical(state: State): State;
  /** The rule that the state breaks; null where it breaks none. */
  broken(state: State): string | null;
}

export interface Explored {
  readonly states: number;
  /** The most steps that any state is away from the first. */
  readonly depth: number;
  /** Whether every state was looked at; false where there were more than `most`, or a rule was broken. */
  readonly isWhole: boolean;
  readonly counterexample: { readonly rule: string; readonly steps: readonly string[] } | null;
}

interface Seen {
  readonly from: string | null;
  readonly by: string;
}

const digest = (state: string): string => createHash('sha256').update(state).digest('base64').slice(0, 22);

/** States are told apart by 16 bytes of their SHA-256. */
export function explore<State>(model: Model<State>, most = Number.POSITIVE_INFINITY): Explored {
  const first = JSON.stringify(model.canonical(model.initial));
  const seen = new Map<string, Seen>([[digest(first), { from: null, by: '' }]]);
  const wayTo = (state: string): string[] => {
    const steps: string[] = [];
    for (let at = seen.get(state); at?.from != null; at = seen.get(at.from)) steps.push(at.by);
    return steps.toReversed();
  };
  let layer = [first];
  let depth = 0;
  for (; layer.length > 0; depth++) {
    const next: string[] = [];
    for (const text of layer) {
      const from = digest(text);
      for (const [by, state] of model.steps(JSON.parse(text) as State)) {
        const reached = JSON.stringify(model.canonical(state));
        const key = digest(reached);
        if (seen.has(key)) continue;
        seen.set(key, { from, by });
        const rule = model.broken(state);
        if (rule !== null) {
          return { states: seen.size, depth: depth + 1, isWhole: false, counterexample: { rule, steps: wayTo(key) } };
        }
        if (seen.size >= most) return { states: seen.size, depth, isWhole: false, counterexample: null };
        next.push(reached);
      }
    }
    layer = next;
  }
  return { states: seen.size, depth, isWhole: true, counterexample: null };
}
