import { type Received, Receiving } from '../seen/received.ts';

/** An event of a stream of server-sent events (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly type: string;
  /** In UTF-8. */
  readonly data: Received;
}

/** What a line is about, as far as it matters. */
const DATA = /^data(?::|$)/;
/** Longer than the name of any field that is read. */
const LONGEST_NAME = 8;
/** The longest type of an event that is kept, in characters. */
const LONGEST_TYPE = 256;

/** Reads events out of a copy of a stream. Of one whose data is longer than `longest` bytes that is kept which `Receiving` keeps. */
export class EventReader {
  readonly #longest: number;
  readonly #decoder = new TextDecoder();
  /** The line so far, but for data that was taken already. */
  #rest = '';
  #type = '';
  #data: Receiving | null = null;
  /** Within a line of data, of which nothing is in `#rest`. */
  #isInData = false;
  #afterReturn = false;

  constructor(longest: number) {
    this.#longest = longest;
  }

  *push(chunk: Uint8Array): Generator<ServerEvent> {
    const text = this.#decoder.decode(chunk, { stream: true });
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      // A line ends with CR LF, LF or CR; the LF of a CR LF may come in the next chunk.
      const ends = character === '\r' || (character === '\n' && !this.#afterReturn);
      if (ends) {
        yield* this.#line(text.slice(from, at));
        from = at + 1;
      } else if (character === '\n') from = at + 1;
      this.#afterReturn = character === '\r';
    }
    this.#part(text.slice(from));
  }

  /** A part of a line. */
  #part(text: string): void {
    if (this.#isInData) {
      this.#take(text);
      return;
    }
    this.#rest += text;
    if (this.#rest.length <= LONGEST_NAME) return;
    if (DATA.test(this.#rest)) {
      this.#beginData();
      this.#take(valueIn(this.#rest));
      this.#rest = '';
    } else this.#rest = this.#rest.slice(0, LONGEST_NAME + LONGEST_TYPE);
  }

  *#line(end: string): Generator<ServerEvent> {
    this.#part(end);
    const [line, isData] = [this.#rest, this.#isInData];
    this.#rest = '';
    this.#isInData = false;
    if (isData) return;
    if (line === '') {
      const [type, data] = [this.#type === '' ? 'message' : this.#type, this.#data];
      this.#type = '';
      this.#data = null;
      if (data !== null) yield { type, data: data.end() };
    } else if (DATA.test(line)) {
      this.#beginData();
      this.#take(valueIn(line));
      this.#isInData = false;
    } else if (/^event(?::|$)/.test(line)) this.#type = valueIn(line);
  }

  /** Lines of data are joined by a line end. */
  #beginData(): void {
    if (this.#data === null) this.#data = new Receiving(this.#longest);
    else this.#take('\n');
    this.#isInData = true;
  }

  #take(text: string): void {
    if (text !== '') this.#data?.data(Buffer.from(text));
  }
}

/** The value of a field, without the one blank before it. */
function valueIn(line: string): string {
  const colon = line.indexOf(':');
  if (colon < 0) return '';
  return line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
}
