import type { TranscriptSession, TranscriptUnread } from './items.ts';

type Said = { readonly [Name in Exclude<keyof TranscriptSession, 'kind' | 'line'>]?: string | null | undefined } & {
  readonly line: number;
};

/** What lines say of their session, told when something of it changes. */
export class SessionSaid {
  #told: TranscriptSession | null = null;

  /** @returns nothing where the line says what is known, or names no session and none is known */
  of({ session_id, line, ...said }: Said): readonly TranscriptSession[] {
    const before = this.#told;
    const id = session_id ?? before?.session_id;
    if (id === undefined) return [];
    const isSame = before?.session_id === id;
    const known = isSame ? before : null;
    const now: TranscriptSession = {
      kind: 'session',
      session_id: id,
      parent_session_id: said.parent_session_id ?? known?.parent_session_id ?? null,
      cwd: said.cwd ?? known?.cwd ?? null,
      version: said.version ?? known?.version ?? null,
      model: said.model ?? known?.model ?? null,
      started_at: known?.started_at ?? said.started_at ?? null,
      line,
    };
    const isKnown =
      known !== null &&
      (['parent_session_id', 'cwd', 'version', 'model', 'started_at'] as const).every(
        (name) => known[name] === now[name],
      );
    if (isKnown) return [];
    this.#told = now;
    return [now];
  }
}

/** The most types that are told apart. */
const MAX_TYPES = 256;

/** What has a type that a reader does not know, told once for each type. */
export class UnknownTypes {
  readonly #told = new Set<string>();

  of(what: string, type: string | undefined, line: number): readonly TranscriptUnread[] {
    const name = type === undefined ? 'without a type' : `of the type ${JSON.stringify(type.slice(0, 128))}`;
    const key = `${what} ${name}`;
    if (this.#told.has(key) || this.#told.size >= MAX_TYPES) return [];
    this.#told.add(key);
    return [{ kind: 'unread', line, reason: `a ${what} ${name} is not known; later ones are passed over` }];
  }
}

/** The most names that are told apart at once: the oldest are forgotten. */
const MAX_NAMES = 100_000;

/** What was told already, by name. */
export class Once {
  readonly #names = new Set<string>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Whether the name comes for the first time; it has come from then on. */
  isFirst(name: string): boolean {
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    const [oldest] = this.#names;
    if (this.#names.size > MAX_NAMES && oldest !== undefined) this.#names.delete(oldest);
    return true;
  }
}
