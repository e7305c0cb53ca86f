import { firstPlace } from '../../protocol/index.ts';
import type { LogEvent } from '../logs/index.ts';

/** An action, as far as what a system wrote down can be held against it. */
export interface ActionToWitness {
  readonly n: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** The command line of a shell; null of another tool. */
  readonly command: string | null;
  /** Files that it touches, as it names them. */
  readonly paths: readonly string[];
  /** Name of the tool, and whatever texts its input has: where the name of a call of a cloud is looked for. */
  readonly text: string;
}

/** An event of a log, and which one it is. */
export interface WitnessEvent {
  readonly eventNo: number;
  /** Of which log: clocks differ from one to the next. */
  readonly logNo: number;
  readonly event: LogEvent;
}

/** An event that fits an action in time, program and arguments. It is consistent with it, and proves nothing. */
export interface Corroboration {
  readonly n: number;
  readonly eventNo: number;
  /** What fits besides the time. */
  readonly by: 'command' | 'arguments' | 'path' | 'call';
  /** How far the log's clock is taken to be ahead of the action's, in milliseconds; and by how many pairs that was measured. */
  readonly offsetMs: number;
  readonly offsetFrom: number;
}

/** How far apart an action and an event may be once the clocks are brought together. */
const WINDOW_MS = 3_000;
/** How far clocks may be apart: beyond it nobody could tell one run of a command from the next. */
const MAX_OFFSET_MS = 15 * 60_000;
/** Pairs that tell an offset. */
const NEEDED_PAIRS = 3;
/** Events that are held against one action at most. */
const MAX_EACH = 64;
/** Words that fit anything. */
const NO_WORDS = new Set(['-c', '-lc', '-l', '--', '']);
const SHELLS = /(?:^|[\\/])(?:ba|z|da|k)?sh(?:\.exe)?$|(?:^|[\\/])(?:cmd|powershell|pwsh)(?:\.exe)?$/i;

function baseOf(path: string): string {
  return (
    path
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.exe$/i, '') ?? path
  );
}

/** Whether a command line has a word by itself: not as a part of another. */
function hasWord(line: string, word: string): boolean {
  // It is everywhere, also after the end.
  if (word === '') return false;
  for (let from = line.indexOf(word); from >= 0; from = line.indexOf(word, from + 1)) {
    const [before, after] = [line[from - 1] ?? ' ', line[from + word.length] ?? ' '];
    if (!/[\p{L}\p{N}_-]/u.test(before) && !/[\p{L}\p{N}_-]/u.test(after)) return true;
  }
  return false;
}

/** In what an event fits an action, whatever the times are; null where it does not. */
function fitting(action: ActionToWitness, event: LogEvent): Corroboration['by'] | null {
  if (event.kind === 'api') {
    const name = event.program?.split(' ').at(-1) ?? '';
    if (name === '') return null;
    const spelled = name.replace(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase();
    return hasWord(action.text, name) || hasWord(action.text.toLowerCase(), spelled) ? 'call' : null;
  }
  if (event.kind === 'file') {
    const { path } = event;
    const names = (one: string): boolean => path === one || (!isAbsolute(one) && path?.endsWith(`/${one}`) === true);
    if (path === null) return null;
    return action.paths.some(names) || (action.command !== null && hasWord(action.command, path)) ? 'path' : null;
  }
  const { command } = action;
  if (command === null || event.kind !== 'process') return null;
  return fitsCommand(command, event);
}

function isAbsolute(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path);
}

function fitsCommand(command: string, { program, args, isOneText }: LogEvent): 'command' | 'arguments' | null {
  const name = baseOf(program ?? args[0] ?? '');
  const said = args.join(' ');
  // A shell that was given the whole line.
  if (command.trim() === '') return null;
  if (args.includes(command) || (isOneText && hasWord(said, command))) return 'command';
  if (name === '' || SHELLS.test(program ?? args[0] ?? '')) return null;
  const words = isOneText ? said.split(/\s+/).slice(1) : args.slice(1);
  const telling = words.map((word) => word.replace(/^["']|["']$/g, '')).filter((word) => !NO_WORDS.has(word));
  const names = [name, baseOf(args[0] ?? '')].filter((one) => one !== '');
  if (!names.some((one) => hasWord(command, one))) return null;
  return telling.every((word) => command.includes(word)) ? 'arguments' : null;
}

/** Finds which events of logs fit which actions. Actions are kept; events come one after the other, and are gone through twice. */
export class Corroborations {
  readonly #actions: readonly ActionToWitness[];
  readonly #starts: Float64Array;
  /** The longest action: how far before an event one may have begun that it still lies in. */
  readonly #longest: number;
  readonly #apart = new Map<number, number[]>();
  readonly #offsets = new Map<number, { readonly ms: number; readonly from: number }>();
  readonly #taken = new Map<number, number>();

  /** @param actions any number; sorted here by their beginning */
  constructor(actions: readonly ActionToWitness[]) {
    this.#actions = actions.toSorted((a, b) => a.fromMs - b.fromMs);
    this.#starts = Float64Array.from(this.#actions, ({ fromMs }) => fromMs);
    // A call that ran for hours would have every event held against everything before it.
    this.#longest = this.#actions.reduce(
      (most, { fromMs, toMs }) => Math.min(MAX_OFFSET_MS, Math.max(most, toMs - fromMs)),
      0,
    );
  }

  /** The first time: how far the clocks of its log and of the actions are apart. */
  measure({ logNo, event }: WitnessEvent): void {
    if (event.kind !== 'process') return;
    const apart = this.#apart.get(logNo) ?? [];
    if (apart.length >= MAX_PAIRS) return;
    const around = this.#near(event.at - MAX_OFFSET_MS, event.at + MAX_OFFSET_MS);
    // There may be more, of which one fits as well.
    if (around.length >= MAX_NEAR) return;
    const near = around.filter((action) => {
      const by = fitting(action, event);
      return by === 'command' || (event.args.length > 1 && by !== null);
    });
    const [only, ...others] = near;
    // Of several that fit nobody knows which it was.
    if (only === undefined || others.length > 0) return;
    apart.push(event.at - Math.min(Math.max(event.at, only.fromMs), only.toMs));
    this.#apart.set(logNo, apart);
  }

  /** What the clock of a log is taken to be ahead by. */
  offsetOf(logNo: number): { readonly ms: number; readonly from: number } {
    const known = this.#offsets.get(logNo);
    if (known !== undefined) return known;
    const apart = (this.#apart.get(logNo) ?? []).toSorted((a, b) => a - b);
    const middle = apart[Math.floor(apart.length / 2)] ?? 0;
    // Where pairs are apart by different times they are no pairs.
    const agreeing = apart.filter((ms) => Math.abs(ms - middle) <= WINDOW_MS).length;
    const isKnown = agreeing >= NEEDED_PAIRS && agreeing * 2 > apart.length;
    const offset = isKnown ? { ms: middle, from: agreeing } : { ms: 0, from: 0 };
    this.#offsets.set(logNo, offset);
    return offset;
  }

  /** The second time: which actions it fits. */
  take({ eventNo, logNo, event }: WitnessEvent): Corroboration[] {
    const { ms: offsetMs, from: offsetFrom } = this.offsetOf(logNo);
    const at = event.at - offsetMs;
    // A log in whole seconds, as that of a cloud, has the beginning of the second.
    const late = event.kind === 'api' ? WINDOW_MS + 1_000 : WINDOW_MS;
    return this.#near(at - late, at + late).flatMap((action) => {
      const by = fitting(action, event);
      const taken = this.#taken.get(action.n) ?? 0;
      if (by === null || taken >= MAX_EACH) return [];
      this.#taken.set(action.n, taken + 1);
      return [{ n: action.n, eventNo, by, offsetMs, offsetFrom }];
    });
  }

  /** The actions that were under way between two times. */
  #near(from: number, to: number): ActionToWitness[] {
    const near: ActionToWitness[] = [];
    const first = firstPlace(this.#starts.length, (place) => (this.#starts[place] ?? 0) >= from - this.#longest);
    for (let at = first; at < this.#starts.length; at++) {
      const action = this.#actions[at];
      if (action === undefined || action.fromMs > to || near.length >= MAX_NEAR) break;
      if (action.toMs >= from) near.push(action);
    }
    return near;
  }
}

const MAX_PAIRS = 10_000;
const MAX_NEAR = 5_000;
