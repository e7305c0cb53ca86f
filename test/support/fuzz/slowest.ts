/**
 * What a verifier takes for one mutant in a process of its own, as whoever verifies the file starts it, beside what it takes in the same
 * manner for an honest file of the same kind and size.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { instantText, utf8 } from '../../../src/protocol/index.ts';
import { makeBundle, serviceKid } from '../bundle-maker.ts';
import { type GivenFiles, MutantFiles } from './compare.ts';
import type { Job, Kind } from './job.ts';
import { mutantOf } from './mutant.ts';
import type { Taken, Tally } from './tally.ts';

/** What a shipped verifier may take: all that is resident of its process, and so many times the honest file's time. */
export const BOUNDS = { bytes: 256 * 2 ** 20, timesHonest: 5 } as const;

/** What a process took. */
export interface Spent {
  readonly cpuMs: number;
  readonly peakBytes: number;
}

export interface Measured {
  readonly taken: Taken;
  readonly own: Spent;
  readonly honest: Spent;
}

const path = (relative: string): string => fileURLToPath(new URL(`../../../${relative}`, import.meta.url));

/** How the verifiers with a command are started. The page's is no process, nor is the service's reader of cases. */
const COMMANDS: { readonly [reader: string]: (kind: Kind) => readonly string[] } = {
  protocol: (kind) => [
    ...[
      process.execPath,
      path('bin/countersign.js'),
      kind === 'case' ? 'case' : 'verify',
      '--no-trust-store',
      '--json',
    ],
  ],
  'single-file': () => [process.execPath, path('resources/verifier/verify-bundle.mjs'), '--json'],
  python: () => ['python3', path('test/interop/verify_bundle.py'), '--json'],
};

export const hasCommand = ({ reader }: Taken): boolean => Object.hasOwn(COMMANDS, reader);

/** Starts what it is given, and says what that took: Node cannot ask it of a child that has ended. */
const MEASURE = `
import json, resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(json.dumps({"cpuMs": (used.ru_utime + used.ru_stime) * 1000, "peakBytes": used.ru_maxrss * 1024}))
`;

function flagsOf({ kind, trust, trustAgent, receipts, against, checkpoint, madeNotBefore }: Job): string[] {
  const named = (flag: string, values: readonly string[]): string[] => values.map((value) => `--${flag}=${value}`);
  // A key without an organization is what no command takes.
  const own = named(
    'trust',
    trust.filter((entry) => !entry.endsWith('@')),
  );
  if (kind === 'case') return own;
  if (kind === 'certificate') return [...own, ...named('against', against)];
  return [
    ...[...own, ...named('trust-agent', trustAgent), ...named('receipts', receipts), ...named('against', against)],
    ...named('checkpoint', checkpoint),
    ...(madeNotBefore === null ? [] : named('made-not-before', [instantText(madeNotBefore)])),
  ];
}

function spent(command: readonly string[]): Promise<Spent> {
  return new Promise((resolve, reject) => {
    execFile('python3', ['-c', MEASURE, ...command], (error, stdout) => {
      if (error === null) resolve(JSON.parse(stdout) as Spent);
      else reject(error);
    });
  });
}

/** About what a record with its receipt, its part of an epoch and its line take. */
const RECORD_BYTES = 1500;

/** An honest bundle of about so many bytes. */
function honestBundle(bytes: number): GivenFiles {
  const records = Math.max(1, Math.round(bytes / RECORD_BYTES));
  const { text } = makeBundle({ agents: 2, epochs: [records] });
  const nothing = { receipts: [], against: [], checkpoints: [], trustAgent: [], madeNotBefore: null };
  return { file: utf8(text), trust: [serviceKid(0)], ...nothing };
}

/** Measures a reader in a process of its own, on a mutant and on an honest file beside it. */
export class Slowest {
  readonly #folder: string;
  readonly #seed: number;
  readonly #honest: Tally['honest'];
  readonly #known = new Map<string, Spent>();
  #files = 0;

  constructor(folder: string, seed: number, honest: Tally['honest']) {
    this.#folder = folder;
    this.#seed = seed;
    this.#honest = honest;
  }

  async measure(taken: Taken): Promise<Measured> {
    const own = await this.#spentOn(await mutantOf(this.#seed, taken.number), taken);
    return { taken, own, honest: await this.#honestOf(taken) };
  }

  async #spentOn(given: GivenFiles, { reader, kind }: Taken): Promise<Spent> {
    const files = new MutantFiles({ ...given, kind }, this.#files++, `${this.#folder}/slow-`);
    try {
      return await spent([...(COMMANDS[reader]?.(kind) ?? []), files.job.file, ...flagsOf(files.job)]);
    } finally {
      files.remove();
    }
  }

  /** What an honest file takes: a bundle of that size, or of another kind the mutant nearest in size of which nothing was changed. */
  async #honestOf(taken: Taken): Promise<Spent> {
    const { reader, kind, bytes } = taken;
    const [near] = (this.#honest.get(kind) ?? []).toSorted(
      (a, b) => Math.abs(a.bytes - bytes) - Math.abs(b.bytes - bytes),
    );
    // Sizes that differ by a tenth are one.
    const size = Math.round(1.1 ** Math.round(Math.log(bytes) / Math.log(1.1)));
    const isMade = kind === 'bundle' || near === undefined;
    const name = `${reader} ${kind} ${isMade ? size : near.number}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const given = isMade ? honestBundle(size) : await mutantOf(this.#seed, near.number);
    const took = await this.#spentOn(given, taken);
    this.#known.set(name, took);
    return took;
  }
}

/** Whether a shipped verifier took too much. That in Python is bound in time alone. */
export function isTooMuch({ taken, own, honest }: Measured): boolean {
  const isTooLarge = taken.reader !== 'python' && own.peakBytes > BOUNDS.bytes;
  return isTooLarge || own.cpuMs > BOUNDS.timesHonest * honest.cpuMs;
}
