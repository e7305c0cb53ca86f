import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { z } from 'zod';
import { Serial, writeDurably } from '../../../node/index.ts';
import type { ClockWatch, KnownTime, MachineClock } from '../../store/clock-watch.ts';

/** The file of the data folder that says when the clock was last known to be right. */
export const CLOCK_FILE = 'clock.json';

const INTERVAL_MS = 60_000;

const content = z.strictObject({
  wall: z.int().min(0),
  uptime: z.number().min(0),
  /** Which start of the machine it was; null where the system does not say. */
  boot: z.string().max(100).nullable(),
});

/** The machine's clocks in milliseconds. */
interface Clocks {
  readonly now: () => number;
  /** Stands still while the machine sleeps, or does not: systems differ. */
  readonly awake: () => number;
  readonly uptime: () => number;
}

/** For how long the uptime follows from the other two, and how far these may drift apart meanwhile, in milliseconds. */
const FOLLOWS_MS = 60_000;
const DRIFT_MS = 250;

/**
 * The uptime is looked at with each record and each request, and asking for it opens a file on Linux. So it is asked for where it may have gone
 * another way than the other two clocks: while these go on alike, the machine has not slept and nobody has set its clock.
 */
export function machineClock({ now, awake, uptime }: Clocks): MachineClock {
  let asked: { readonly wall: number; readonly awake: number; readonly uptime: number } | null = null;
  const uptimeNow = (): number => {
    const [wall, running] = [now(), awake()];
    const since = asked === null ? 0 : running - asked.awake;
    if (asked === null || since > FOLLOWS_MS || Math.abs(wall - asked.wall - since) > DRIFT_MS) {
      asked = { wall, awake: running, uptime: uptime() };
    }
    return Math.round(asked.uptime + running - asked.awake);
  };
  return { now, uptime: uptimeNow };
}

/** os.uptime counts the time that the machine slept: CLOCK_BOOTTIME on Linux, and its like elsewhere. */
export const MACHINE_CLOCK = machineClock({
  now: () => Date.now(),
  awake: () => performance.now(),
  uptime: () => uptime() * 1000,
});

/**
 * What tells one start of the machine from another; null where nothing does. Some containers have an uptime of their own beside the boot id of their host:
 * it is less than the monotonic clock, which goes from the start of the host.
 * @param id as Linux tells it, null elsewhere
 * @param uptime milliseconds
 * @param monotonic milliseconds of CLOCK_MONOTONIC
 */
export function startOf(id: string | null, uptime: number, monotonic: number): string | null {
  return id === null || uptime + 1000 < monotonic ? null : id;
}

/** The present start of the machine. */
function thisStart(): string | null {
  try {
    const id = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 100);
    return startOf(id, uptime() * 1000, Number(process.hrtime.bigint() / 1_000_000n));
  } catch {
    // Only Linux has it.
    return null;
  }
}

/**
 * When the clock was last known to be right, of what an earlier run left and the latest signed time.
 * @param signed milliseconds since the Unix epoch; 0 where nothing was signed
 * @param machine how long it has run, in milliseconds, and which start that is
 * @returns null where there is nothing to compare with
 */
export function readKnownTime(
  path: string,
  signed: number,
  machine = { boot: thisStart(), uptime: MACHINE_CLOCK.uptime() },
): KnownTime | null {
  const kept = readFile(path);
  // Of the same start of the machine the reading says exactly what time it is, whatever was signed since. A start that nothing tells from another may be
  // another one, also where the uptime is higher: that of yesterday's start says nothing of today.
  if (kept !== null && kept.boot !== null && kept.boot === machine.boot && kept.uptime <= machine.uptime) {
    return { wall: kept.wall, uptime: kept.uptime };
  }
  const wall = Math.max(kept?.wall ?? 0, signed);
  return wall === 0 ? null : { wall, uptime: null };
}

/** A file that cannot be read is as good as none: the signed times are compared with then. */
function readFile(path: string): z.infer<typeof content> | null {
  try {
    return content.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** Keeps the file while the service runs. A crash leaves it up to a minute behind, which the next start takes for time that passed. */
export class KnownTimeKeeper {
  readonly #path: string;
  readonly #watch: ClockWatch;
  readonly #onError: (error: unknown) => void;
  /** Two at once would write the same temporary file. */
  readonly #writes = new Serial();
  #timer: NodeJS.Timeout | null = null;

  constructor(path: string, watch: ClockWatch, onError: (error: unknown) => void) {
    this.#path = path;
    this.#watch = watch;
    this.#onError = onError;
  }

  async start(): Promise<void> {
    await this.#write();
    this.#timer = setInterval(() => void this.#write().catch(this.#onError), INTERVAL_MS);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#write();
  }

  #write(): Promise<void> {
    return this.#writes.run(async () => {
      const { known } = this.#watch;
      if (known === null) return;
      await writeDurably(this.#path, JSON.stringify({ ...known, boot: thisStart() }));
    });
  }
}
