import type { Json } from '../../protocol/records.ts';
import { binaryOf } from './binary.ts';
import type { Redaction } from './redaction.ts';
import { sensitiveName } from './sensitive-names.ts';
import type { TextRedactor } from './text-redactor.ts';

/** How deep values are followed; what lies deeper is replaced. Below the protocol's own limit of 256, with room for a payload. */
export const MAX_DEPTH = 200;

type Members = { readonly [member: string]: Json };

/** Names whose values are secrets also where they are numbers. */
const NUMBERS = new Set(['password', 'one-time-code', 'card-code', 'secret']);
const SCHEMA_TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null']);

function isMembers(value: Json): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function memberOf(members: Members, name: string): Json | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** Whether a value describes what a secret has to look like: JSON Schema in the definition of a tool. */
function isSchema(value: Json): boolean {
  if (!isMembers(value)) return false;
  const type = memberOf(value, 'type');
  if (typeof type === 'string' && SCHEMA_TYPES.has(type)) return true;
  return ['$ref', 'anyOf', 'oneOf', 'allOf', 'enum'].some((member) => Object.hasOwn(value, member));
}

function isOption(value: Json | undefined): string | null {
  if (typeof value !== 'string' || !/^--?[A-Za-z][\w-]{1,63}$/.test(value)) return null;
  return sensitiveName(value.replace(/^-+/, ''));
}

function escaped(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
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
  redact(value: Json, at: string): RedactedValue {
    const redactions: Redaction[] = [];
    return { value: this.#walk(value, at, 0, null, redactions), redactions };
  }

  /** @param type what the value is by its name; null where nothing says that it is a secret */
  #walk(value: Json, at: string, depth: number, type: string | null, log: Redaction[]): Json {
    if (typeof value === 'string') return this.#text(value, at, type, log);
    if (typeof value === 'number' && type !== null && NUMBERS.has(type))
      return this.#text(String(value), at, type, log);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      log.push({ at, type: 'number' });
      return String(value);
    }
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= MAX_DEPTH) {
      log.push({ at, type: 'depth' });
      return `[nested deeper than ${MAX_DEPTH} levels]`;
    }
    if (Array.isArray(value)) {
      return value.map((item: Json, index) => {
        const byOption = type ?? isOption(value[index - 1]);
        const itself = typeof item === 'string' && item.startsWith('-') ? type : byOption;
        return this.#walk(item, `${at}/${index}`, depth + 1, itself, log);
      });
    }
    return isMembers(value) ? this.#members(value, at, depth, type, log) : value;
  }

  #members(members: Members, at: string, depth: number, type: string | null, log: Redaction[]): Json {
    const name = memberOf(members, 'name') ?? memberOf(members, 'key') ?? memberOf(members, 'header');
    const ofPair = typeof name === 'string' ? sensitiveName(name) : null;
    const result: Record<string, Json> = {};
    for (const [member, value] of Object.entries(members)) {
      const cleanName = this.#name(member, at, result, log);
      const own = sensitiveName(member) ?? (/^value$/i.test(member) ? ofPair : null);
      const inner = own !== null && isSchema(value) ? null : (own ?? type);
      const cleaned = this.#walk(value, `${at}/${escaped(cleanName)}`, depth + 1, inner, log);
      // Also of the name __proto__, which an assignment would not set.
      Object.defineProperty(result, cleanName, {
        value: cleaned,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return result;
  }

  #name(member: string, at: string, taken: object, log: Redaction[]): string {
    const { text, types } = this.#wellFormed(member, at, log);
    let name = text;
    for (let n = 2; Object.hasOwn(taken, name); n++) name = `${text}#${n}`;
    for (const type of types) log.push({ at: `${at}/${escaped(name)}`, type: `name-${type}` });
    return name;
  }

  #text(text: string, at: string, type: string | null, log: Redaction[]): string {
    const binary = binaryOf(text);
    if (binary !== null) {
      log.push({ at, type: 'binary' });
      return `[BINARY:${binary.media_type}:${binary.bytes}:sha256:${binary.sha256}]`;
    }
    const whole = type === null ? null : this.#texts.replaceWhole(text.toWellFormed(), type);
    const { text: clean, types } = whole ?? this.#wellFormed(text, at, log);
    for (const one of new Set(types)) log.push({ at, type: one });
    return clean;
  }

  #wellFormed(
    text: string,
    at: string,
    log: Redaction[],
  ): { readonly text: string; readonly types: readonly string[] } {
    if (text.isWellFormed()) return this.#texts.redact(text);
    log.push({ at, type: 'lone-surrogate' });
    return this.#texts.redact(text.toWellFormed());
  }
}
