import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';

const place = z.strictObject({
  x: z.int(),
  y: z.int(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean(),
});

const state = z.strictObject({
  /** The port that agents of this workstation are set to. */
  port: z.int().min(0).max(65535).default(8787),
  place: place.nullable().default(null),
  /** Go on for agents when the window closes. */
  keepRunning: z.boolean().default(false),
  /** Run the recorder of this user, where an agent is installed for it. */
  recorder: z.boolean().default(true),
  recent: z.array(z.string().max(4096)).max(10).default([]),
});

export type DesktopState = z.infer<typeof state>;
export type Place = z.infer<typeof place>;

/** What the desktop remembers of itself, in a file of the user's. Nothing in it is secret, and all of it can be lost. */
export class StateFile {
  readonly #path: string;
  #state: DesktopState;

  constructor(path: string) {
    this.#path = path;
    this.#state = read(path);
  }

  get(): DesktopState {
    return this.#state;
  }

  change(members: Partial<DesktopState>): void {
    this.#state = { ...this.#state, ...members };
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(this.#state, null, 2)}\n`);
    renameSync(`${this.#path}.new`, this.#path);
  }
}

/** A file that is missing or that nobody can read counts as none: the window opens where windows open. */
function read(path: string): DesktopState {
  try {
    return state.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return state.parse({});
  }
}
