/** What test/states/ledger.ts moves: the data folder, the processes on it, and what the world was given. */

export interface Row {
  readonly id: number;
  readonly time: number;
  /** How many rotations the key has behind it that signed the receipt. */
  readonly key: number;
  readonly isErased: boolean;
}

export interface Epoch {
  /** Ids of what it seals: its root. */
  readonly ids: readonly number[];
  readonly time: number;
}

/** A bundle: the ledger as it was when the manifest was stamped. */
export interface Bundle {
  readonly ids: readonly number[];
  readonly epochs: number;
  /** Whether the payload of record 1 is in it. */
  readonly showsFirst: boolean;
}

/** The data folder without heads.json: what a crash leaves. */
export interface Disk {
  readonly rows: readonly Row[];
  readonly epochs: readonly Epoch[];
  /** The latest time that the ledger has signed since its clock was last corrected. */
  readonly latest: number;
  readonly corrections: number;
  /** How many rotations the ledger has, and which keys the two key files hold. */
  readonly key: number;
  readonly keyFile: number;
  readonly nextKeyFile: number | null;
  /** Whether record 1 is held. */
  readonly isHeld: boolean;
  readonly export: 'none' | 'processing' | Bundle;
}

/** Where the chains ended, as heads.json says. */
export interface Heads {
  readonly ids: readonly number[];
  readonly epochs: number;
}

export type Task =
  | {
      readonly kind: 'submit';
      readonly made: readonly (Row & { readonly seq: number })[];
      readonly repeated: readonly number[];
      readonly at: 'signed' | 'committed' | 'on disk';
    }
  | {
      readonly kind: 'seal';
      readonly epochNo: number;
      readonly epoch: Epoch;
      readonly then: 'nothing' | 'export' | 'correction';
    }
  | { readonly kind: 'stamp'; readonly time: number }
  | { readonly kind: 'correction' }
  | { readonly kind: 'rotate'; readonly at: 'next file' | 'committed' };

/** What the thread of the exports has made. */
export interface Making extends Bundle {
  readonly isOutdated: boolean;
  /** Whether somebody looked at that already; only where the end of an export is no turn of the writer. */
  readonly isLookedAt: boolean;
}

/** A service process; null in its place where it does not run. */
export interface Running {
  /** Where the ledger ends, as memory has it; null until it is read. */
  readonly tail: { readonly seq: number; readonly epoch: number } | null;
  /** The latest time that was signed, as memory has it. */
  readonly latest: number;
  readonly key: number;
  /** What the writer is at. */
  readonly task: Task | null;
  readonly making: Making | null;
  /** Heads that were read and not written yet. */
  readonly heads: Heads | null;
  /** A sweep has looked at record 1, and was it due: the transaction that erases comes next. */
  readonly hasExamined: boolean;
}

export interface Receipt {
  readonly id: number;
  readonly seq: number;
}

export interface LedgerState {
  readonly disk: Disk;
  /** Ids of records that were committed and that the disk does not have. */
  readonly unflushed: readonly number[];
  readonly heads: Heads | null;
  readonly processes: readonly (Running | null)[];
  /** The command line's backup: the copy of the database, before the key file is copied. */
  readonly copying: Disk | null;
  readonly backup: Disk | null;
  /** What agents hold, and bundles that somebody has downloaded. What the log says was lost is not in them any more. */
  readonly receipts: readonly Receipt[];
  readonly bundles: readonly Bundle[];
  /** Records that were sent and have no answer, by id. */
  readonly unanswered: readonly number[];
  readonly nextId: number;
  readonly wall: number;
  readonly crashes: number;
  readonly powerCuts: number;
  readonly jumps: number;
  readonly setBacks: number;
  /** Whether an older ledger was put in place and nobody accepted it yet. */
  readonly isSetBack: boolean;
  readonly endedCleanly: boolean;
  /** What a step itself found broken. */
  readonly broken: string | null;
}

export const NEW_DISK: Disk = {
  rows: [],
  epochs: [],
  latest: 0,
  corrections: 0,
  key: 0,
  keyFile: 0,
  nextKeyFile: null,
  isHeld: false,
  export: 'none',
};

export const sealedOf = ({ epochs }: Pick<Disk, 'epochs'>): number =>
  epochs.reduce((sum, { ids }) => sum + ids.length, 0);
export const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);
export const isPrefix = (of: readonly number[], all: readonly number[]): boolean =>
  of.length <= all.length && of.every((id, n) => all[n] === id);
export const headsOf = ({ rows, epochs }: Disk): Heads => ({ ids: idsOf(rows), epochs: epochs.length });
export const hasHeads = ({ rows, epochs }: Disk, heads: Heads): boolean =>
  isPrefix(heads.ids, idsOf(rows)) && heads.epochs <= epochs.length;
export const holdsReceipt = ({ rows }: Disk, { id, seq }: Receipt): boolean => rows[seq - 1]?.id === id;
export const holdsBundle = ({ rows, epochs }: Disk, bundle: Bundle): boolean =>
  isPrefix(bundle.ids, idsOf(rows)) && bundle.epochs <= epochs.length;

/** Records by the order in which they are met, and processes by what they are: which is which makes no difference. */
export function renamed(state: LedgerState): LedgerState {
  const names = new Map<number, number>();
  const nameOf = (id: number): number => {
    const name = names.get(id) ?? names.size + 1;
    names.set(id, name);
    return name;
  };
  const all = (ids: readonly number[]): number[] => ids.map(nameOf);
  const named = <T extends { readonly id: number }>(one: T): T => ({ ...one, id: nameOf(one.id) });
  const bundle = <T extends Bundle>(one: T): T => ({ ...one, ids: all(one.ids) });
  const disk = (one: Disk): Disk => ({
    ...one,
    rows: one.rows.map(named),
    epochs: one.epochs.map((epoch) => ({ ...epoch, ids: all(epoch.ids) })),
    export: typeof one.export === 'string' ? one.export : bundle(one.export),
  });
  const heads = (one: Heads | null): Heads | null => one && { ...one, ids: all(one.ids) };
  const task = (one: Task | null): Task | null => {
    if (one?.kind === 'submit') return { ...one, made: one.made.map(named), repeated: all(one.repeated) };
    return one?.kind === 'seal' ? { ...one, epoch: { ...one.epoch, ids: all(one.epoch.ids) } } : one;
  };
  const running = (one: Running | null): Running | null =>
    one && { ...one, task: task(one.task), making: one.making && bundle(one.making), heads: heads(one.heads) };
  const now = disk(state.disk);
  const inOrder = state.processes.toSorted((a, b) => Number(a === null) - Number(b === null));
  return {
    ...state,
    disk: now,
    unflushed: all(state.unflushed),
    heads: heads(state.heads),
    processes: inOrder.map(running),
    copying: state.copying && disk(state.copying),
    backup: state.backup && disk(state.backup),
    receipts: state.receipts.map(named).toSorted((a, b) => a.seq - b.seq || a.id - b.id),
    bundles: state.bundles.map(bundle),
    unanswered: all(state.unanswered).toSorted((a, b) => a - b),
    nextId: state.nextId,
  };
}
