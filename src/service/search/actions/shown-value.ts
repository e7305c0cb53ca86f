import { contentDigest } from '../../../actions/profile/light.ts';
import type { Step } from '../../../api/index.ts';
import type { Json, JsonObject } from '../../../protocol/index.ts';

export type Shown = NonNullable<Step['input']>;

/** Characters that are shown of a value in a list: the record has all of it. */
const SHOWN_CHARACTERS = 6000;
const SHOWN_TEXT = 3000;
const SHOWN_ITEMS = 64;

/** Copies a value until its room is used up. */
class Fitting {
  cut = false;
  #room = SHOWN_CHARACTERS;

  copy(value: Json): Json {
    if (typeof value === 'string') return this.#text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return this.#items(value as readonly Json[]).map((item) => this.copy(item));
    const entries = this.#items(Object.entries(value as JsonObject));
    return Object.fromEntries(
      entries.map(([name, item]) => {
        this.#room -= name.length;
        return [name, this.copy(item)];
      }),
    );
  }

  #text(text: string): string {
    const length = Math.min(SHOWN_TEXT, Math.max(0, this.#room));
    this.#room -= Math.min(text.length, length);
    if (text.length <= length) return text;
    this.cut = true;
    return text.slice(0, length).toWellFormed();
  }

  #items<T>(items: readonly T[]): readonly T[] {
    const count = this.#room <= 0 ? 0 : SHOWN_ITEMS;
    this.#room -= Math.min(items.length, count) * 4;
    if (items.length > count) this.cut = true;
    return items.slice(0, count);
  }
}

/** A value as far as a list shows it. */
export function shownValue(value: Json): Shown {
  const fitting = new Fitting();
  const shown = fitting.copy(value);
  return { value: shown, cut: fitting.cut, digest: null, media_type: null, bytes: null };
}

function textIn(content: JsonObject, name: string): string | null {
  const value = content[name];
  return typeof value === 'string' ? value : null;
}

/**
 * A content of the payload profile as far as a list shows it; data that is no text as its digest.
 * @param content as the payload has it
 * @param value its value, with texts opened that are JSON; undefined where there is none
 */
export function shownContent(content: JsonObject, value: Json | undefined): Shown {
  const about = {
    digest: textIn(content, 'digest'),
    media_type: textIn(content, 'media_type'),
    bytes: typeof content['bytes'] === 'number' ? content['bytes'] : null,
  };
  if (value === undefined) return { value: null, cut: false, ...about };
  if (content['encoding'] === 'base64') {
    const digest = about.digest ?? contentDigest(textIn(content, 'salt') ?? '', content['value'] ?? null);
    return { value: null, cut: true, ...about, digest };
  }
  const { value: shown, cut } = shownValue(value);
  return { value: shown, cut: cut || content['truncated'] === true, ...about };
}
