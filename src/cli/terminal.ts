import { styleText } from 'node:util';

type Format = Parameters<typeof styleText>[0];

/**
 * Whoever reads a command's output may stop before its end, as `head` does. The command continues all the same, and its exit code
 * says what it found.
 */
function onStreamError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

/** Where a command writes: colours and a moving progress bar on a terminal, plain lines otherwise. */
export class Terminal {
  readonly #out: NodeJS.WriteStream;
  readonly #err: NodeJS.WriteStream;
  #barShown = false;

  constructor(out: NodeJS.WriteStream = process.stdout, err: NodeJS.WriteStream = process.stderr) {
    this.#out = out;
    this.#err = err;
    for (const stream of [out, err])
      if (!stream.listeners('error').includes(onStreamError)) stream.on('error', onStreamError);
  }

  /** Colours text where standard output is a terminal and NO_COLOR is not set. */
  style(format: Format, text: string): string {
    return styleText(format, text, { stream: this.#out, validateStream: true });
  }

  line(text = ''): void {
    this.#clearBar();
    this.#out.write(`${text}\n`);
  }

  /** What is a file by itself: no line break is added. */
  content(text: string): void {
    this.#clearBar();
    this.#out.write(text);
  }

  /** For people, not for programs: standard error. */
  note(text: string): void {
    this.#clearBar();
    this.#err.write(`${text}\n`);
  }

  /** How far a task is; without a terminal nothing, for a bar would be hundreds of lines. */
  progress(what: string, done: number, total: number): void {
    if (!this.#err.isTTY) return;
    const width = 30;
    const filled = total === 0 ? width : Math.round((done / total) * width);
    const percent = total === 0 ? 100 : Math.floor((done / total) * 100);
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled);
    this.#err.write(`\r\x1b[2K${what} ${bar} ${String(percent).padStart(3)} %  ${done}/${total}`);
    this.#barShown = true;
  }

  #clearBar(): void {
    if (!this.#barShown) return;
    this.#err.write('\r\x1b[2K');
    this.#barShown = false;
  }
}
