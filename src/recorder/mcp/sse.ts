/** An event of a stream of server-sent events (WHATWG HTML, section 9.2). */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

/** Reads events out of a copy of a stream. One whose data is longer than `longest` characters is counted and left out. */
export class EventReader {
  readonly #longest: number;
  readonly #decoder = new TextDecoder();
  #rest = '';
  #type = '';
  #data: string[] = [];
  #size = 0;
  #over = false;
  #afterReturn = false;
  /** How many were too long. */
  tooLong = 0;

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
        yield* this.#line(this.#rest + text.slice(from, at));
        this.#rest = '';
        from = at + 1;
      } else if (character === '\n') from = at + 1;
      this.#afterReturn = character === '\r';
    }
    const rest = text.slice(from);
    if (this.#size + this.#rest.length + rest.length > this.#longest) this.#over = true;
    // Beyond the bound only the beginning of a line is kept, which names its field.
    this.#rest = this.#over ? (this.#rest + rest).slice(0, 8) : this.#rest + rest;
  }

  *#line(line: string): Generator<ServerEvent> {
    if (line === '') {
      const event = { type: this.#type === '' ? 'message' : this.#type, data: this.#data.join('\n') };
      const [over, any] = [this.#over, this.#data.length > 0];
      this.#type = '';
      this.#data = [];
      this.#size = 0;
      this.#over = false;
      if (over) this.tooLong++;
      else if (any) yield event;
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#type = value;
    if (field !== 'data') return;
    this.#size += value.length;
    if (this.#size > this.#longest) this.#over = true;
    if (this.#over) this.#data = [];
    else this.#data.push(value);
  }
}
