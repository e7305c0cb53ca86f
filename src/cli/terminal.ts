import { styleText } from 'node:util';
import { visibleText } from '../protocol/text/light.ts';
import { paragraph } from './layout.ts';
import { ProgressMeter, type ProgressUnit, progressLine } from './progress.ts';
import { systemProblem } from './system-problem.ts';

type Format = Parameters<typeof styleText>[0];

/** What a program ends with whose output could not be written (EXIT.unusable). */
const OUTPUT_LOST = 2;

/** Tasks that end before this show no bar, in milliseconds. */
const BAR_AFTER_MS = 500;
/** A bar that moves more often only costs time. */
const BAR_EVERY_MS = 100;
const USUAL_COLUMNS = 80;

/** Streams that could not be written, though somebody wanted what they carry. */
const lost = new WeakSet<NodeJS.WriteStream>();

/**
 * Whoever reads a command's output may stop before its end, as `head` does. The command continues all the same, and its exit code
 * says what it found. Output that cannot be written for another reason, such as a full disk, is missing to somebody.
 */
function onOutputError(this: NodeJS.WriteStream, error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE' || lost.has(this)) return;
  lost.add(this);
  process.exitCode = OUTPUT_LOST;
  if (this !== process.stderr) {
    process.stderr.write(`countersign: the output cannot be written: ${systemProblem(error) ?? error.message}\n`);
  }
}

/**
 * What a terminal obeys: control characters but line breaks and tabs. Those from U+0080 to U+009F too: xterm and its kin take
 * U+009B, however it is encoded, for ESC [.
 */
const OBEYED = /[\p{Cc}--[\n\t]]/gv;
const SEQUENCE = `${String.fromCharCode(0x1b)}[`;

/** Any text on its way to a terminal, such as one with the name of a file in it: what the terminal would obey is shown by its number. */
function withoutControls(text: string): string {
  return text.replaceAll(OBEYED, (found) => visibleText(found));
}

/** Where a command writes: colours and a moving progress bar on a terminal, plain lines otherwise. No text that goes through it moves the cursor or colours anything. */
export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  readonly #now: () => number;
  /**
   * What its own sequences begin with until they are written: parameters that no text can know, so that a text neither colours nor
   * hides what is behind it. Each is short enough for what measures texts to count it as part of the sequence.
   */
  readonly #own = `${SEQUENCE}${crypto.getRandomValues(new Uint8Array(8)).join(';')};`;
  #meter: ProgressMeter | null = null;
  #startedAt = 0;
  #drawnAt = 0;
  #isBarShown = false;

  /** @param now a clock that only goes forward, in milliseconds */
  constructor(
    out: NodeJS.WriteStream = process.stdout,
    err: NodeJS.WriteStream = process.stderr,
    now: () => number = () => performance.now(),
  ) {
    this.#out = out;
    this.#err = err;
    this.#now = now;
    for (const stream of [out, err])
      if (!stream.listeners('error').includes(onOutputError)) stream.on('error', onOutputError);
  }

  /** How wide standard output is; undefined where it is no terminal. */
  get columns(): number | undefined {
    return this.#out.isTTY ? this.#out.columns : undefined;
  }

  /** Whether something could not be written to standard output that somebody wanted to have. */
  get isOutputLost(): boolean {
    return lost.has(this.#out);
  }

  /** Colours text where standard output is a terminal that has colours, and NO_COLOR is not set. */
  style(format: Format, text: string): string {
    const styled = styleText(format, withoutControls(text), { stream: this.#out, validateStream: true });
    return styled.replaceAll(SEQUENCE, this.#own);
  }

  /** A text as a block of one colour, where there are colours; else the text as it is. */
  badge(format: readonly string[], text: string): string {
    const block = this.style([...format, 'inverse'] as Format, ` ${text} `);
    return block === ` ${text} ` ? text : block;
  }

  line(text = ''): void {
    this.endProgress();
    this.#out.write(`${text.split(this.#own).map(withoutControls).join(SEQUENCE)}\n`);
  }

  /**
   * A line that may be long. A terminal gets it broken at its blanks, with the further lines indented by `hanging` columns; a
   * program gets it whole.
   */
  wrapped(text: string, hanging: number): void {
    const { columns } = this;
    if (columns === undefined) {
      this.line(text);
      return;
    }
    const indent = /^ */.exec(text)?.[0].length ?? 0;
    for (const line of paragraph(text.slice(indent), columns, indent, hanging)) this.line(line);
  }

  /** What is a file by itself: no line break is added. */
  content(text: string): void {
    this.endProgress();
    this.#out.write(text);
  }

  /** For people, not for programs: standard error. */
  note(text: string): void {
    this.endProgress();
    this.#err.write(`${withoutControls(text)}\n`);
  }

  /**
   * How far a task is, on standard error. Nothing where that is no terminal, for a bar would be hundreds of lines; nor
   * where the terminal cannot draw over a line.
   * @param total null where nobody knows before the end
   */
  progress(what: string, done: number, total: number | null, unit: ProgressUnit): void {
    if (!this.#err.isTTY || process.env['TERM'] === 'dumb') return;
    const now = this.#now();
    if (this.#meter === null || !this.#meter.continues(what, unit, done)) {
      if (this.#meter === null) this.#startedAt = now;
      this.#meter = new ProgressMeter(what, unit);
    }
    const state = this.#meter.step(done, total, now);
    if (now - this.#startedAt < BAR_AFTER_MS || now - this.#drawnAt < BAR_EVERY_MS) return;
    this.#drawnAt = now;
    this.#err.write(`\r\x1b[2K${progressLine(state, this.#err.columns ?? USUAL_COLUMNS)}`);
    this.#isBarShown = true;
  }

  /** Takes the bar away: what comes next is written where it was. */
  endProgress(): void {
    this.#meter = null;
    if (!this.#isBarShown) return;
    this.#err.write('\r\x1b[2K');
    this.#isBarShown = false;
  }
}
