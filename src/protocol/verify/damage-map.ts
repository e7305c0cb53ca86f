/** What is known of the records under a run of sequence numbers (protocol V144). */
export type DamageState =
  /** The record's signatures hold, and an intact epoch seals it. */
  | 'proven'
  /** A finding that is a cause names the record. */
  | 'damaged'
  /** Nothing was found against the record itself, but what would prove it is broken or not there. */
  | 'unproven'
  /** No readable record. */
  | 'missing';

/** A run of sequence numbers, both inclusive. In a bundle of one agent, the numbers between its records are others'. */
export interface DamageRun {
  readonly first_seq_no: number;
  readonly last_seq_no: number;
  readonly state: DamageState;
}

export interface DamageMap {
  /** In ascending order, none overlapping another, neighbours in different states. */
  readonly runs: readonly DamageRun[];
  /** How many runs beyond the bound were made one with the last listed one, in the worst of their states. */
  readonly joined: number;
}

/** More runs than these tell nobody anything. */
export const MAX_DAMAGE_RUNS = 10_000;

/** A run as it is drawn. `absent` leaves a hole: nothing is known of the numbers, not even whether they are missing. */
export interface DrawnRun {
  readonly first_seq_no: number;
  readonly last_seq_no: number;
  readonly state: DamageState | 'absent';
}

/** Where runs overlap, the earlier of these wins. */
const TOP_FIRST: readonly DrawnRun['state'][] = ['damaged', 'missing', 'absent', 'unproven', 'proven'];

/** A joined run has the state that must not be overlooked. */
const GRAVEST_FIRST: readonly DamageState[] = ['damaged', 'missing', 'unproven', 'proven'];

function isVisible(run: DrawnRun): run is DamageRun {
  return run.state !== 'absent';
}

/** The runs without overlaps. */
function paint(runs: readonly DrawnRun[]): DamageRun[] {
  const edges = runs
    .flatMap(({ first_seq_no, last_seq_no, state }) => [
      { at: first_seq_no, state, step: 1 },
      { at: last_seq_no + 1, state, step: -1 },
    ])
    .sort((a, b) => a.at - b.at);
  const open = new Map<DrawnRun['state'], number>();
  const painted: DrawnRun[] = [];
  let from = 0;
  for (const { at, state, step } of edges) {
    if (at > from) {
      const top = TOP_FIRST.find((candidate) => (open.get(candidate) ?? 0) > 0);
      if (top !== undefined) painted.push({ first_seq_no: from, last_seq_no: at - 1, state: top });
    }
    from = at;
    open.set(state, (open.get(state) ?? 0) + step);
  }
  return painted.filter(isVisible);
}

/** Makes neighbours of one state one run, also across a gap where `acrossGaps` says that nothing is missing there. */
function compact(runs: readonly DamageRun[], acrossGaps: boolean): DamageRun[] {
  const compacted: DamageRun[] = [];
  for (const run of runs) {
    const last = compacted.at(-1);
    if (last !== undefined && last.state === run.state && (acrossGaps || last.last_seq_no + 1 === run.first_seq_no)) {
      compacted[compacted.length - 1] = { ...last, last_seq_no: run.last_seq_no };
    } else compacted.push(run);
  }
  return compacted;
}

/**
 * Draws the map from what is known of runs of numbers, which may overlap and come in any order.
 * @param acrossGaps whether numbers between two runs are another agent's and not missing
 */
export function drawDamageMap(known: readonly DrawnRun[], acrossGaps: boolean): DamageMap {
  const runs = compact(paint(known), acrossGaps);
  if (runs.length <= MAX_DAMAGE_RUNS) return { runs, joined: 0 };
  const rest = runs.slice(MAX_DAMAGE_RUNS - 1);
  const [first, last] = [rest[0], rest.at(-1)];
  const state = GRAVEST_FIRST.find((candidate) => rest.some((run) => run.state === candidate));
  if (first === undefined || last === undefined || state === undefined) return { runs, joined: 0 };
  const joint = { first_seq_no: first.first_seq_no, last_seq_no: last.last_seq_no, state };
  return { runs: [...runs.slice(0, MAX_DAMAGE_RUNS - 1), joint], joined: rest.length - 1 };
}
