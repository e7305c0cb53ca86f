import { type ExactJson, ExactNumber, isMembers, type Json, pointerStep } from '../../protocol/light.ts';
import { binaryOf } from './binary.ts';
import type { Redaction } from './redaction.ts';
import { sensitiveName } from './sensitive-names.ts';
import type { RedactedText, TextRedactor } from './text-redactor.ts';

/** How deep values are followed; what lies deeper is replaced. Below the protocol's own limit of 256, with room for a payload. */
export const MAX_DEPTH = 200;

type Members = { readonly [member: string]: ExactJson };

/** Names whose values are secrets also where they are numbers. */
const NUMBERS = new Set(['password', 'one-time-code', 'card-code', 'secret']);
const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function memberOf(members: Members, name: string): ExactJson | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Whether a value describes what a secret has to look like: JSON Schema in the definition of a tool. */
function isSchema(value: ExactJson): boolean {
  if (!isMembers(value)) return false;
  const type = memberOf(value, 'type');
  if (typeof type === 'string' && SCHEMA_TYPES.has(type)) return true;
  return ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum'].some((member) => Object.hasOwn(value, member));
}

function isOption(value: ExactJson | undefined): string | null {
  if (typeof value !== 'string' || !/^--?[A-Za-z][\w-]{1,63}$/.test(value)) return null;
  return sensitiveName(value.replace(/^-+/, ''));
}

/** A JSON value without its secrets, and where they were. */
export interface RedactedValue {
  readonly value: Json;
  readonly redactions: readonly Redaction[];
}

/** Replaces the secrets in JSON values: in all texts and names of members, and whatever is the value of a sensitive name. */
export class ValueRedactor {
  readonly #texts: TextRedactor;

  constructor(texts: TextRedactor) {
    this.#texts = texts;
  }

  /** @param at JSON Pointer of the value, with which those of what is replaced begin */
  redact(value: ExactJson, at: string): RedactedValue {
    const walk = new Walk(this.#texts, at);
    return { value: walk.clean(value, null), redactions: walk.redactions };
  }
}

/** One way through a value. */
class Walk {
  readonly redactions: Redaction[] = [];
  readonly #texts: TextRedactor;
  readonly #base: string;
  /** Where it is: most values need no pointer, which would take longer than to look at them. */
  readonly #steps: (string | number)[] = [];

  constructor(texts: TextRedactor, base: string) {
    this.#texts = texts;
    this.#base = base;
  }

  #replaced(type: string): void {
    const steps = this.#steps.map((step) => pointerStep(String(step)));
    this.redactions.push({ at: this.#base + steps.join(''), type });
  }

  /** @param type what the value is by its name; null where nothing says that it is a secret */
  clean(value: ExactJson, type: string | null): Json {
    if (typeof value === 'string') return this.#text(value, type);
    if (typeof value === 'number') return this.#number(value, type);
    if (value instanceof ExactNumber) return this.#digits(value, type);
    if (typeof value !== 'object' || value === null) return value;
    if (this.#steps.length >= MAX_DEPTH) {
      this.#replaced('depth');
      return `[nested deeper than ${MAX_DEPTH} levels]`;
    }
    if (Array.isArray(value)) return this.#items(value as readonly ExactJson[], type);
    return this.#members(value as Members, type);
  }

  #within(step: string | number, value: ExactJson, type: string | null): Json {
    this.#steps.push(step);
    const cleaned = this.clean(value, type);
    this.#steps.pop();
    return cleaned;
  }

  #number(value: number, type: string | null): Json {
    return type !== null && NUMBERS.has(type) ? this.#text(String(value), type) : value;
  }

  /** A number that a double does not keep is signed as its text, and marked so. */
  #digits({ text }: ExactNumber, type: string | null): string {
    if (type !== null && NUMBERS.has(type)) return this.#text(text, type);
    const { text: clean, types } = this.#texts.redact(text);
    for (const one of types.length === 0 ? ['number'] : new Set(types)) this.#replaced(one);
    return clean;
  }

  #items(items: readonly ExactJson[], type: string | null): Json {
    return items.map((item, index) => {
      const byOption = type ?? isOption(items[index - 1]);
      return this.#within(index, item, typeof item === 'string' && item.startsWith('-') ? type : byOption);
    });
  }

  #members(members: Members, type: string | null): Json {
    const name = memberOf(members, 'name') ?? memberOf(members, 'key') ?? memberOf(members, 'header');
    const ofPair = typeof name === 'string' ? sensitiveName(name) : null;
    const result: Record<string, Json> = {};
    for (const [member, value] of Object.entries(members)) {
      const cleanName = this.#name(member, result);
      const own = sensitiveName(member) ?? (/^value$/i.test(member) ? ofPair : null);
      const inner = own !== null && isSchema(value) ? null : (own ?? type);
      setMember(result, cleanName, this.#within(cleanName, value, inner));
    }
    return result;
  }

  #name(member: string, taken: object): string {
    const { text, types } = this.#wellFormed(member);
    let name = text;
    for (let n = 2; Object.hasOwn(taken, name); n++) name = `${text}#${n}`;
    if (types.length === 0) return name;
    this.#steps.push(name);
    for (const type of types) this.#replaced(`name-${type}`);
    this.#steps.pop();
    return name;
  }

  #text(text: string, type: string | null): string {
    const binary = binaryOf(text);
    if (binary !== null) {
      this.#replaced('binary');
      return `[BINARY:${binary.media_type}:${binary.bytes}:sha256:${binary.sha256}]`;
    }
    const whole = type === null ? null : this.#texts.replaceWhole(text.toWellFormed(), type);
    const { text: clean, types } = whole ?? this.#wellFormed(text);
    for (const one of new Set(types)) this.#replaced(one);
    return clean;
  }

  #wellFormed(text: string): RedactedText {
    if (text.isWellFormed()) return this.#texts.redact(text);
    this.#replaced('lone-surrogate');
    return this.#texts.redact(text.toWellFormed());
  }
}

function setMember(members: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') members[name] = value;
  // Which an assignment would not set.
  else Object.defineProperty(members, name, { value, enumerable: true, writable: true, configurable: true });
}
