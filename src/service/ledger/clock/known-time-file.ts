import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { z } from 'zod';
import { writeDurably } from '../../../runtime/index.ts';
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

/** os.uptime counts the time that the machine slept: CLOCK_BOOTTIME on Linux, and its like elsewhere. */
export const MACHINE_CLOCK: MachineClock = { now: () => Date.now(), uptime: () => Math.round(uptime() * 1000) };

/** What tells one start of the machine from another; null where the system has nothing of the kind. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim().slice(0, 100);
  } catch {
    // Only Linux has it; elsewhere a lower uptime tells.
    return null;
  }
}

/**
 * When the clock was last known to be right, of what an earlier run left and the latest signed time.
 * @param signed milliseconds since the Unix epoch; 0 where nothing was signed
 * @returns null where there is nothing to compare with
 */
export function readKnownTime(path: string, signed: number): KnownTime | null {
  const kept = readFile(path);
  // Of the same start of the machine the reading says exactly what time it is, whatever was signed since.
  if (kept !== null && kept.boot === bootId() && kept.uptime <= MACHINE_CLOCK.uptime()) {
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

  async #write(): Promise<void> {
    const { known } = this.#watch;
    if (known === null) return;
    await writeDurably(this.#path, JSON.stringify({ ...known, boot: bootId() }));
  }
}
