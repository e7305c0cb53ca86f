/**
 * One ledger in its data folder, step by step as the service writes it: submissions that share a commit, seals, rotation, exports, erasure under
 * holds, heads.json, the command line's backup and restore, correction of the clock. Between any two steps a process may be killed, another one
 * started on the folder, and the machine's clock set. A commit of SQLite is atomic; two rows of one number, and two epochs, it refuses. It is durable too, but
 * for that of records, which is on disk a step later: the power may be cut before.
 *
 * Left out: several organizations (a chain each, under the same writer), agents' chains and what is refused by its content, payloads beyond that of record
 * 1, the doubt about the clock before it is signed (here whatever it says is signed), full disks and torn files, a folder that somebody alters, restoring
 * while the old folder is used on, and an older ledger that is put in place right after a crash: heads.json is some seconds behind then
 * (`setBackAfterCrash` shows it). What a restore by the command takes back, it says in the log; what the log says was lost is not counted as lost here.
 */
import type { Model } from './explore.ts';
import {
  type Bundle,
  type Disk,
  type Epoch,
  hasHeads,
  headsOf,
  holdsBundle,
  holdsReceipt,
  idsOf,
  type LedgerState,
  NEW_DISK,
  type Running,
  renamed,
  sealedOf,
  type Task,
} from './ledger-state.ts';

/** Which rules are kept. Each that is taken away has to lead to a counterexample. */
export interface LedgerRules {
  /** A receipt leaves the service once its record is committed. */
  readonly answersAfterCommit: boolean;
  /** And once the disk has it. */
  readonly answersOnceOnDisk: boolean;
  /** So does whatever else tells of it. */
  readonly tellsOnceOnDisk: boolean;
  /** A start has the disk keep what was committed before. */
  readonly startsOnDisk: boolean;
  /** An epoch is committed after the records that it seals. */
  readonly sealsAfterCommit: boolean;
  /** heads.json says only what is committed. */
  readonly headsOfCommitted: boolean;
  /** A clean stop writes heads.json before it leaves the folder, and not some time after the last answer. */
  readonly headsAtStop: boolean;
  /** heads.json stays when an older ledger is put in place. */
  readonly keepsHeads: boolean;
  /** The command that restores says so in the log. */
  readonly recordsRestore: boolean;
  /** The end of an export is a turn of the writer, in which it sees whether something was erased meanwhile. */
  readonly endsExportInTurn: boolean;
  /** Holds are asked within the transaction that erases. */
  readonly asksHoldsInCommit: boolean;
  /** What was sent before is looked for within the batch too. */
  readonly findsRepeatsInBatch: boolean;
  /** The latest time is read from the ledger at a start. */
  readonly readsLatestTime: boolean;
  /** Of two key files the one counts that the ledger names. */
  readonly ledgerNamesKey: boolean;
  /** One process has the folder. */
  readonly locksFolder: boolean;
}

export const ALL_LEDGER_RULES: LedgerRules = {
  answersAfterCommit: true,
  answersOnceOnDisk: true,
  tellsOnceOnDisk: true,
  startsOnDisk: true,
  sealsAfterCommit: true,
  headsOfCommitted: true,
  headsAtStop: true,
  keepsHeads: true,
  recordsRestore: true,
  endsExportInTurn: true,
  asksHoldsInCommit: true,
  findsRepeatsInBatch: true,
  readsLatestTime: true,
  ledgerNamesKey: true,
  locksFolder: true,
};

export interface LedgerBounds {
  /** How many records agents make; any may be sent again. */
  readonly records: number;
  /** How many records an epoch has at most. */
  readonly epochLeaves: number;
  readonly crashes: number;
  readonly powerCuts: number;
  /** How often the machine's clock is set, to 0, 1 or 2. */
  readonly jumps: number;
  readonly rotations: number;
  readonly exports: boolean;
  /** Whether record 1 is held, released and erased. */
  readonly erasures: boolean;
  readonly backups: boolean;
  /** How often a backup is restored, or put in place by hand. */
  readonly setBacks: number;
  readonly setBackAfterCrash: boolean;
}

type Step = readonly [string, LedgerState];

const LETTERS = 'AB';

export function ledgerModel(rules: LedgerRules, bounds: LedgerBounds): Model<LedgerState> {
  const withProcess = (state: LedgerState, n: number, running: Running | null): LedgerState => ({
    ...state,
    processes: state.processes.map((one, at) => (at === n ? running : one)),
  });
  const fails = (state: LedgerState, rule: string): LedgerState => ({ ...state, broken: state.broken ?? rule });
  /** A change of the ledger with the time that it was stamped with. */
  function committed(state: LedgerState, time: number, change: Partial<Disk>): LedgerState {
    const disk = { ...state.disk, ...change, latest: Math.max(time, state.disk.latest) };
    // The disk has it then, and all that was committed before.
    const next = { ...state, disk, unflushed: [] };
    return time < state.disk.latest ? fails(next, 'a time is before one that was signed earlier') : next;
  }
  const stampOf = ({ wall }: LedgerState, { latest }: Running): number => Math.max(wall, latest);
  const tailOf = ({ disk }: LedgerState, { tail }: Running) =>
    tail ?? { seq: disk.rows.length, epoch: disk.epochs.length };

  /** What a batch may hold: new records, or what was sent before, also twice. One that fills an epoch is cut there, and so is two batches. */
  function batches({ disk, nextId, unanswered, receipts }: LedgerState): (readonly [string, readonly number[]])[] {
    const room = bounds.epochLeaves - disk.rows.length + sealedOf(disk);
    const left = Math.min(room, bounds.records - nextId + 1);
    const known = [...unanswered, ...receipts.slice(0, 1).map(({ id }) => id)];
    return [
      ...(left > 0 ? ([['a record', [nextId]]] as const) : []),
      ...(left > 0 ? ([['a record twice', [nextId, nextId]]] as const) : []),
      ...(left > 1 ? ([['two records', [nextId, nextId + 1]]] as const) : []),
      ...known.map((id) => ['a record again', [id]] as const),
    ];
  }

  function signed(state: LedgerState, n: number, running: Running, ids: readonly number[]): LedgerState {
    const tail = tailOf(state, running);
    const time = stampOf(state, running);
    const isKnown = (id: number): boolean => state.disk.rows.some((row) => row.id === id);
    const fresh = ids.filter((id, at) => !isKnown(id) && (!rules.findsRepeatsInBatch || ids.indexOf(id) === at));
    const made = fresh.map((id, at) => ({ id, time, key: running.key, isErased: false, seq: tail.seq + 1 + at }));
    const task: Task = { kind: 'submit', made, repeated: ids.filter(isKnown), at: 'signed' };
    const unanswered = [...new Set([...state.unanswered, ...ids])];
    const nextId = Math.max(state.nextId, ...ids.map((id) => id + 1));
    return withProcess({ ...state, unanswered, nextId }, n, { ...running, tail, latest: time, task });
  }

  function answered(state: LedgerState, ids: readonly number[], made: readonly { id: number; seq: number }[]) {
    const given = ids.map((id) => ({
      id,
      seq: made.find((one) => one.id === id)?.seq ?? state.disk.rows.findIndex((row) => row.id === id) + 1,
    }));
    const isNew = ({ id, seq }: { id: number; seq: number }): boolean =>
      !state.receipts.some((one) => one.id === id && one.seq === seq);
    return {
      ...state,
      receipts: [...state.receipts, ...given.filter(isNew)],
      unanswered: state.unanswered.filter((id) => !ids.includes(id)),
    };
  }

  function* ofSubmission(
    state: LedgerState,
    n: number,
    running: Running,
    task: Task & { kind: 'submit' },
  ): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const { disk } = state;
    const { made, repeated } = task;
    const tail = tailOf(state, running);
    const all = [...new Set([...idsOf(made), ...repeated])];
    if (task.at === 'signed') {
      if (!rules.answersAfterCommit && made.length > 0 && all.some((id) => state.unanswered.includes(id))) {
        yield [`${name} answers before the commit`, answered(state, all, made)];
      }
      if (!rules.sealsAfterCommit && made.length > 0 && tail.epoch === disk.epochs.length) {
        const ids = idsOf([...disk.rows, ...made]).slice(sealedOf(disk));
        const epoch: Epoch = { ids, time: running.latest };
        const next = committed(state, running.latest, { epochs: [...disk.epochs, epoch] });
        yield [
          `${name} commits the epoch before its records`,
          withProcess(next, n, { ...running, tail: { ...tail, epoch: tail.epoch + 1 } }),
        ];
      }
      const isTaken = made.some(({ seq }) => seq <= disk.rows.length);
      if (isTaken) {
        yield [
          `${name} is refused by the table of records`,
          withProcess(state, n, { ...running, task: null, tail: null }),
        ];
        return;
      }
      const rows = [...disk.rows, ...made.map(({ seq: _, ...row }) => row)];
      const done = made.length === 0 ? state : committed(state, running.latest, { rows });
      const wrongKey = made.some(({ key }) => key !== disk.key);
      const sound = wrongKey ? fails(done, 'a record is signed by a key that was replaced') : done;
      const next = { ...sound, unflushed: [...state.unflushed, ...idsOf(made)] };
      const seq = tail.seq + made.length;
      yield [
        `${name} commits`,
        withProcess(next, n, { ...running, tail: { ...tail, seq }, task: { ...task, at: 'committed' } }),
      ];
      return;
    }
    if (task.at === 'committed') {
      const told = { ...answered(state, all, made), unanswered: state.unanswered };
      if (!rules.tellsOnceOnDisk && made.length > 0) yield [`${name} tells a reader of it`, told];
      const kept = withProcess(state, n, { ...running, task: { ...task, at: 'on disk' } });
      yield [`${name} has it on disk`, { ...kept, unflushed: [] }];
      if (rules.answersOnceOnDisk) return;
    }
    const open = tail.seq - sealedOf(disk);
    if (open >= bounds.epochLeaves && tail.epoch === disk.epochs.length) {
      const time = stampOf(state, running);
      const epoch: Epoch = { ids: idsOf(disk.rows).slice(sealedOf(disk), tail.seq), time };
      const next = committed(state, time, { epochs: [...disk.epochs, epoch] });
      yield [
        `${name} commits the full epoch`,
        withProcess(next, n, { ...running, latest: time, tail: { ...tail, epoch: tail.epoch + 1 } }),
      ];
      return;
    }
    yield [`${name} answers`, answered(withProcess(state, n, { ...running, task: null }), all, made)];
  }

  function* ofTask(state: LedgerState, n: number, running: Running, task: Task): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const { disk } = state;
    if (task.kind === 'submit') yield* ofSubmission(state, n, running, task);
    else if (task.kind === 'seal') {
      if (task.epochNo <= disk.epochs.length) {
        yield [
          `${name} is refused by the table of epochs`,
          withProcess(state, n, { ...running, task: null, tail: null }),
        ];
        return;
      }
      const next = committed(state, task.epoch.time, { epochs: [...disk.epochs, task.epoch] });
      const stamp: Task = { kind: 'stamp', time: stampOf(state, running) };
      const then = { nothing: null, export: stamp, correction: { kind: 'correction' } as const }[task.then];
      const tail = { ...tailOf(state, running), epoch: task.epochNo };
      yield [`${name} commits the epoch`, withProcess(next, n, { ...running, tail, task: then })];
    } else if (task.kind === 'correction') {
      const corrected = { ...disk, latest: state.wall, corrections: disk.corrections + 1 };
      yield [
        `${name} corrects the clock`,
        withProcess({ ...state, disk: corrected }, n, { ...running, latest: state.wall, task: null }),
      ];
    } else if (task.kind === 'stamp') {
      const next = committed(state, task.time, {});
      const showsFirst = disk.rows[0] !== undefined && !disk.rows[0].isErased;
      const making = { ...headsOf(disk), showsFirst, isOutdated: false, isLookedAt: false };
      yield [
        `${name} stamps the manifest`,
        withProcess(next, n, { ...running, latest: task.time, task: null, making }),
      ];
    } else if (task.at === 'next file') {
      const time = stampOf(state, running);
      const next = committed(state, time, { key: running.key + 1 });
      const committedTask: Task = { kind: 'rotate', at: 'committed' };
      yield [
        `${name} commits the rotation`,
        withProcess(next, n, { ...running, latest: time, key: running.key + 1, task: committedTask }),
      ];
    } else {
      const files = { ...disk, keyFile: disk.nextKeyFile ?? disk.keyFile, nextKeyFile: null };
      yield [
        `${name} puts the new key file in place`,
        withProcess({ ...state, disk: files }, n, { ...running, task: null }),
      ];
    }
  }

  /** What a service begins where its writer is free. */
  function* begun(state: LedgerState, n: number, running: Running): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const { disk } = state;
    const tail = tailOf(state, running);
    for (const [what, ids] of batches(state)) yield [`${name} signs ${what}`, signed(state, n, running, ids)];
    const ids = idsOf(disk.rows).slice(sealedOf(disk), tail.seq);
    const time = stampOf(state, running);
    const sealing = (then: 'nothing' | 'export' | 'correction'): LedgerState => {
      const task: Task = { kind: 'seal', epochNo: tail.epoch + 1, epoch: { ids, time }, then };
      return withProcess(state, n, { ...running, tail, latest: time, task });
    };
    if (ids.length > 0) yield [`${name} signs an epoch`, sealing('nothing')];
    if (disk.key < bounds.rotations) {
      const files = { ...state, disk: { ...disk, nextKeyFile: running.key + 1 } };
      yield [
        `${name} writes the next key file`,
        withProcess(files, n, { ...running, task: { kind: 'rotate', at: 'next file' } }),
      ];
    }
    if (bounds.exports) {
      if (disk.export === 'none' && disk.rows.length > 0) {
        yield [`${name} takes an export on`, committed(state, running.latest, { export: 'processing' })];
      }
      if (disk.export === 'processing' && running.making === null) {
        const stamp: Task = { kind: 'stamp', time };
        yield [
          `${name} begins the export`,
          ids.length > 0 ? sealing('export') : withProcess(state, n, { ...running, latest: time, task: stamp }),
        ];
      }
      if (running.making !== null) yield* endOfExport(state, n, running);
    }
    if (bounds.erasures && disk.rows[0] !== undefined) {
      const isHeld = !disk.isHeld;
      yield [
        `${name} ${isHeld ? 'places' : 'releases'} the hold`,
        committed(withProcess(state, n, { ...running, latest: time }), time, { isHeld }),
      ];
      yield* erasure(state, n, running, time);
    }
    if (disk.latest > state.wall && disk.corrections < bounds.jumps) {
      const next =
        ids.length > 0 ? sealing('correction') : withProcess(state, n, { ...running, task: { kind: 'correction' } });
      yield [`${name} begins to correct the clock`, next];
    }
    if (ids.length === 0) {
      const left = { ...withProcess(state, n, null), endedCleanly: true };
      yield [`${name} stops`, rules.headsAtStop ? writeHeads(left, headsOf(disk)) : left];
    }
  }

  function* endOfExport(state: LedgerState, n: number, running: Running): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const { making } = running;
    if (making === null) return;
    const { isOutdated, isLookedAt, ...bundle } = making;
    if (isOutdated && !isLookedAt) {
      yield [`${name} makes the export again`, withProcess(state, n, { ...running, making: null })];
    } else if (rules.endsExportInTurn || isLookedAt) {
      const next = committed(state, running.latest, { export: bundle });
      yield [`${name} completes the export`, withProcess(next, n, { ...running, making: null })];
    } else {
      yield [
        `${name} sees that nothing was erased`,
        withProcess(state, n, { ...running, making: { ...making, isLookedAt: true } }),
      ];
    }
  }

  function* erasure(state: LedgerState, n: number, running: Running, time: number): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const { disk } = state;
    const [first, ...others] = disk.rows;
    if (first === undefined || first.isErased) return;
    if (!running.hasExamined) {
      if (!disk.isHeld) yield [`${name} finds record 1 due`, withProcess(state, n, { ...running, hasExamined: true })];
      return;
    }
    const after = { ...running, hasExamined: false, latest: time };
    if (disk.isHeld && rules.asksHoldsInCommit) {
      yield [`${name} leaves record 1, which is held`, withProcess(state, n, { ...running, hasExamined: false })];
      return;
    }
    const making = running.making && { ...running.making, isOutdated: true };
    const erased = committed(state, time, {
      rows: [{ ...first, isErased: true }, ...others],
      export: typeof disk.export === 'object' && disk.export.showsFirst ? 'none' : disk.export,
    });
    const next = disk.isHeld ? fails(erased, 'a held record was erased') : erased;
    yield [`${name} erases record 1`, withProcess(next, n, { ...after, making })];
  }

  function writeHeads(state: LedgerState, heads: LedgerState['heads']): LedgerState {
    const before = state.heads;
    const isBack = before !== null && heads !== null && before.ids.length > heads.ids.length;
    const next = { ...state, heads };
    return isBack ? fails(next, 'heads.json went back') : next;
  }

  function* ofProcess(state: LedgerState, n: number): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const running = state.processes[n] ?? null;
    if (running === null) return yield* starts(state, n);
    if (running.task === null) yield* begun(state, n, running);
    else yield* ofTask(state, n, running, running.task);
    const { disk } = state;
    const made = running.task?.kind === 'submit' && running.task.at === 'signed' ? running.task.made : [];
    const toWrite = rules.headsOfCommitted
      ? headsOf(disk)
      : { ...headsOf(disk), ids: idsOf([...disk.rows, ...made.filter(({ seq }) => seq > disk.rows.length)]) };
    const isFree = running.task === null || !rules.headsOfCommitted;
    if (running.heads === null && isFree && JSON.stringify(toWrite) !== JSON.stringify(state.heads)) {
      yield [`${name} reads the heads`, withProcess(state, n, { ...running, heads: toWrite })];
    }
    if (running.heads !== null) {
      yield [
        `${name} writes heads.json`,
        writeHeads(withProcess(state, n, { ...running, heads: null }), running.heads),
      ];
    }
    if (state.crashes > 0) {
      const crashes = state.crashes - 1;
      yield [`${name} is killed`, { ...withProcess(state, n, null), crashes, endedCleanly: false }];
    }
  }

  function* starts(state: LedgerState, n: number): Generator<Step> {
    const name = LETTERS[n] ?? '';
    const others = state.processes.filter((one, at) => at !== n && one !== null).length;
    if (others > 0 && rules.locksFolder) return;
    if (state.heads !== null && !hasHeads(state.disk, state.heads)) {
      if (!state.isSetBack) yield [`${name} refuses to start`, fails(state, 'what a crash left refuses a start')];
      else
        yield [
          `${name} starts with the older ledger, which is recorded`,
          started(excused({ ...state, heads: null }), n),
        ];
      return;
    }
    yield [`${name} starts`, started(state, n)];
  }

  function started(state: LedgerState, n: number): LedgerState {
    const { disk } = state;
    const keyFile = rules.ledgerNamesKey && disk.nextKeyFile === disk.key ? disk.key : disk.keyFile;
    const latest = rules.readsLatestTime ? disk.latest : 0;
    const isAlone = state.processes.every((one) => one === null);
    const files = isAlone ? { keyFile, nextKeyFile: null } : {};
    const running: Running = {
      tail: null,
      latest,
      key: keyFile,
      task: null,
      making: null,
      heads: null,
      hasExamined: false,
    };
    const unflushed = rules.startsOnDisk ? [] : state.unflushed;
    return withProcess({ ...state, disk: { ...disk, ...files }, unflushed, isSetBack: false }, n, running);
  }

  /** Takes out of what the world holds what the log says was lost. */
  const excused = (state: LedgerState): LedgerState => ({
    ...state,
    receipts: state.receipts.filter((one) => holdsReceipt(state.disk, one)),
    bundles: state.bundles.filter((one) => holdsBundle(state.disk, one)),
  });

  function* around(state: LedgerState): Generator<Step> {
    const { disk, copying, backup } = state;
    if (state.jumps > 0) {
      for (const wall of [0, 1, 2]) {
        if (wall !== state.wall) yield [`the clock is set to ${wall}`, { ...state, wall, jumps: state.jumps - 1 }];
      }
    }
    if (typeof disk.export === 'object' && state.bundles.length === 0) {
      yield ['the bundle is downloaded', { ...state, bundles: [disk.export] }];
    }
    if (bounds.backups && backup === null && copying === null && disk.rows.length > 0) {
      yield ['the backup copies the ledger', { ...state, copying: disk }];
    }
    if (copying !== null) {
      const hasKey = [disk.keyFile, disk.nextKeyFile].includes(copying.key);
      // Where the key was rotated meanwhile, it says so and leaves nothing.
      const done = hasKey ? { ...copying, keyFile: copying.key, nextKeyFile: null } : backup;
      yield [
        hasKey ? 'the backup copies the key' : 'the backup is given up',
        { ...state, copying: null, backup: done },
      ];
    }
    if (state.powerCuts > 0) {
      yield [
        'the power is cut',
        {
          ...state,
          disk: { ...disk, rows: disk.rows.filter(({ id }) => !state.unflushed.includes(id)) },
          unflushed: [],
          processes: state.processes.map(() => null),
          copying: null,
          powerCuts: state.powerCuts - 1,
          endedCleanly: false,
        },
      ];
    }
    const isFree = state.processes.every((one) => one === null);
    if (backup === null || copying !== null || !isFree || state.setBacks === 0) return;
    const older: LedgerState = { ...state, disk: backup, setBacks: state.setBacks - 1 };
    const restored = { ...older, heads: null };
    yield ['the backup is restored', rules.recordsRestore ? excused(restored) : restored];
    if (state.endedCleanly || bounds.setBackAfterCrash) {
      const byHand = { ...older, isSetBack: true, heads: rules.keepsHeads ? state.heads : null };
      yield ['an older ledger is put in place', byHand];
    }
  }

  return {
    initial: {
      disk: NEW_DISK,
      unflushed: [],
      heads: null,
      processes: [null, null],
      copying: null,
      backup: null,
      receipts: [],
      bundles: [],
      unanswered: [],
      nextId: 1,
      wall: 0,
      crashes: bounds.crashes,
      powerCuts: bounds.powerCuts,
      jumps: bounds.jumps,
      setBacks: bounds.setBacks,
      isSetBack: false,
      endedCleanly: true,
      broken: null,
    },
    *steps(state) {
      for (const n of state.processes.keys()) yield* ofProcess(state, n);
      yield* around(state);
    },
    canonical: renamed,
    broken,
  };
}

/** What must hold of a folder with a service that runs on it, whatever came before. */
function broken(state: LedgerState): string | null {
  if (state.broken !== null) return state.broken;
  const { disk, processes, receipts, bundles } = state;
  const ids = idsOf(disk.rows);
  if (new Set(ids).size < ids.length) return 'a record was accepted twice';
  const shown: Bundle | null = typeof disk.export === 'object' ? disk.export : null;
  if (shown?.showsFirst === true && disk.rows[0]?.isErased === true) return 'an export holds what was erased';
  // Nobody is told anything while no service runs, and in the middle of a turn of the writer nobody looks.
  if (processes.every((one) => one === null) || processes.some((one) => one !== null && one.task !== null)) return null;
  if (receipts.some((one) => !holdsReceipt(disk, one))) return 'a receipt is lost';
  if (new Set(receipts.map(({ seq }) => seq)).size < receipts.length) return 'a number was given twice';
  if (bundles.some((one) => !holdsBundle(disk, one))) return 'a bundle is contradicted';
  const sealed = disk.epochs.flatMap((epoch) => epoch.ids);
  return sealed.every((id, n) => ids[n] === id) ? null : 'an epoch seals what the ledger does not have';
}
