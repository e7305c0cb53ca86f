import { plantedSecrets } from '../../recorder/redact/corpus.ts';

/** How many characters in a row give a secret away. */
const LENGTH = 12;
/** Of base64, the characters that so many bytes take. */
const ENCODED = 16;

/** Bytes of which a part is looked up by, before the part itself. */
const FIRST = 4;
const SLOTS = 1 << 22;

function slotOf(bytes: Uint8Array, at: number): number {
  let hash = 0;
  for (let i = 0; i < FIRST; i++) hash = Math.imul(hash ^ (bytes[at + i] ?? 0), 0x9e3779b1);
  return hash >>> 10;
}

/** Finds parts of the planted secrets in files: as they are, in JSON, in base64 of both alphabets, and in hex. */
export class Needles {
  readonly #slots = new Uint8Array(SLOTS);
  readonly #parts = new Map<string, string>();
  readonly #lengths = new Set<number>();

  /** @param others further texts that must not turn up, by their names */
  constructor(others: Readonly<Record<string, string>> = {}) {
    for (const { kind, secret, text } of plantedSecrets()) {
      // Six digits turn up anywhere: with what stands before them they do not.
      const end = text.indexOf(secret) + secret.length;
      this.#addText(kind, secret.length < LENGTH ? text.slice(Math.max(0, end - LENGTH), end) : secret);
    }
    for (const [name, text] of Object.entries(others)) this.#addText(name, text);
  }

  get count(): number {
    return this.#parts.size;
  }

  #addText(name: string, text: string): void {
    for (let at = 0; at + LENGTH <= text.length; at++) {
      const part = text.slice(at, at + LENGTH);
      this.#add(name, part);
      this.#add(`${name} in JSON`, JSON.stringify(part).slice(1, -1));
    }
    this.#add(`${name} in hex`, Buffer.from(text.slice(0, LENGTH)).toString('hex'));
    for (const shift of [0, 1, 2]) {
      const encoded = Buffer.from(`${'x'.repeat(shift)}${text}`)
        .toString('base64')
        .replace(/=+$/, '');
      // Its ends depend on what stands next to it.
      for (let at = shift === 0 ? 0 : 4; at + ENCODED + 2 <= encoded.length; at++) {
        const part = encoded.slice(at, at + ENCODED);
        this.#add(`${name} in base64`, part);
        this.#add(`${name} in base64`, part.replaceAll('+', '-').replaceAll('/', '_'));
      }
    }
  }

  #add(name: string, part: string): void {
    if (this.#parts.has(part)) return;
    this.#parts.set(part, name);
    this.#lengths.add(part.length);
    this.#slots[slotOf(Buffer.from(part, 'latin1'), 0)] = 1;
  }

  /** What is found, each once: which secret, and the characters around it. */
  in(bytes: Uint8Array): string[] {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const found = new Map<string, string>();
    for (let at = 0; at + FIRST <= buffer.length; at++) {
      if (this.#slots[slotOf(buffer, at)] === 0) continue;
      for (const length of this.#lengths) {
        const kind = this.#parts.get(buffer.toString('latin1', at, at + length));
        if (kind !== undefined && !found.has(kind)) {
          found.set(kind, `${kind}: ${buffer.toString('latin1', Math.max(0, at - 60), at + 60)}`);
        }
      }
    }
    return [...found.values()];
  }
}
