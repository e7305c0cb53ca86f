import {
  type Disclosures,
  isMembers,
  type Json,
  type JsonObject,
  MAX_OPENINGS,
  openedText,
  pointerStep,
  shownPayload,
  withheldNames,
} from '../../protocol/light.ts';
import { isArray } from './tree.ts';

/** A value at the end of a path through a payload. An empty object or array counts as an empty text, so that its name is found. */
export interface Leaf {
  /** Names of members, without positions in arrays. */
  readonly path: readonly string[];
  /** JSON Pointer (RFC 6901) into the decoded tree, with positions. */
  readonly pointer: string;
  readonly value: string | number | boolean | null;
}

/** What a payload is read as. */
export interface ReadPayload {
  /** What a reader sees: the payload, or the disclosed members of a salted one. Null where it is withheld or erased. */
  readonly shown: JsonObject | null;
  /** The same with texts opened that are JSON objects or arrays. Null likewise. */
  readonly tree: Json;
  readonly leaves: readonly Leaf[];
  /** Pointers of the texts that were opened. */
  readonly opened: readonly string[];
  /** The names of the members of a salted payload that are not shown. */
  readonly withheldMembers: readonly string[];
  /** Whether the limits left something out. */
  readonly cut: boolean;
}

export interface ReadLimits {
  /** How many texts within texts are opened. */
  readonly openings: number;
  readonly leaves: number;
  /** UTF-16 code units of all names and values together. */
  readonly characters: number;
}

/** Takes in whole any payload of the size that a service allows by default, unless it is made of very many values. */
export const READ_LIMITS: ReadLimits = { openings: MAX_OPENINGS, leaves: 20_000, characters: 1_048_576 };

/** Levels of arrays and objects in all, texts within texts included. */
const MAX_LEVELS = 512;

/**
 * Reads a payload for search: puts disclosures in their places, opens texts that are JSON, and lists all values. Pure, and the
 * same for the same bytes everywhere.
 * @param payload null where it is withheld or erased
 */
export function readPayload(
  payload: JsonObject | null,
  disclosures: Disclosures = {},
  limits: ReadLimits = READ_LIMITS,
): ReadPayload {
  if (payload === null) {
    return { shown: null, tree: null, leaves: [], opened: [], withheldMembers: [], cut: false };
  }
  const shown = shownPayload(payload, disclosures);
  const reading = new Reading(limits);
  const tree = reading.read(shown, [], '', 0, 0);
  const { leaves, opened, cut } = reading;
  return { shown, tree, leaves, opened, withheldMembers: withheldNames(payload, disclosures), cut };
}

class Reading {
  readonly leaves: Leaf[] = [];
  readonly opened: string[] = [];
  cut = false;
  readonly #limits: ReadLimits;
  #characters: number;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
    this.#characters = limits.characters;
  }

  /** Lists what is below a value, and returns the value with texts opened. */
  read(value: Json, path: readonly string[], pointer: string, openings: number, level: number): Json {
    if (this.cut) return value;
    if (typeof value === 'string') return this.#text(value, path, pointer, openings, level);
    if (typeof value !== 'object' || value === null) return this.#leaf(value, path, pointer);
    if (level >= MAX_LEVELS) {
      this.cut = true;
      return value;
    }
    if (isArray(value)) {
      if (value.length === 0) this.#leaf('', path, pointer);
      return value.map((item, index) => this.read(item, path, `${pointer}/${index}`, openings, level + 1));
    }
    const names = Object.keys(value);
    if (names.length === 0) this.#leaf('', path, pointer);
    // Not by assignment: a member may be called __proto__.
    return Object.fromEntries(
      names.map((name) => {
        this.#characters -= name.length;
        const below = [...path, name];
        return [name, this.read(value[name] ?? null, below, pointer + pointerStep(name), openings, level + 1)];
      }),
    );
  }

  #text(text: string, path: readonly string[], pointer: string, openings: number, level: number): Json {
    const opened = openings < this.#limits.openings && text.length <= this.#characters ? openedText(text) : null;
    if (opened === null || !(isMembers(opened) || isArray(opened))) return this.#leaf(text, path, pointer);
    this.opened.push(pointer);
    return this.read(opened, path, pointer, openings + 1, level);
  }

  #leaf(value: Leaf['value'], path: readonly string[], pointer: string): Json {
    const length = typeof value === 'string' ? value.length : 8;
    if (this.leaves.length >= this.#limits.leaves || this.#characters < length) {
      this.cut = true;
      return value;
    }
    this.#characters -= length;
    this.leaves.push({ path, pointer, value });
    return value;
  }
}
