import type { TranscriptCall } from './items.ts';

/** The most calls of one transcript that may be open at once, and how much of what they were given is kept for them, in characters. */
const MAX_OPEN = 10_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** What is known of a call before its end. */
export type Begun = Pick<TranscriptCall, 'call_id' | 'tool' | 'line'> & Partial<TranscriptCall>;

/** How a call ended. */
export type End = Pick<TranscriptCall, 'outcome'> & Partial<TranscriptCall>;

interface Kept {
  readonly call: TranscriptCall;
  readonly characters: number;
}

/** The calls of a transcript that have begun and not ended, oldest first; memory is bounded, whatever the transcript holds. */
export class OpenCalls {
  readonly #open = new Map<string, Kept>();
  #characters = 0;

  /**
   * A call begins.
   * @param characters length of its line
   * @returns calls that are given up for it: of one with the same id, and of those that there is no room for
   */
  begin(begun: Begun, characters: number): readonly TranscriptCall[] {
    const call = callOf(begun);
    const key = call.call_id ?? `line ${call.line}`;
    const given = this.#take(key);
    this.#open.set(key, { call, characters });
    this.#characters += characters;
    const dropped = given === undefined ? [] : [given];
    for (const oldest of this.#open.keys()) {
      if (this.#open.size <= MAX_OPEN && this.#characters <= MAX_CHARACTERS) break;
      if (oldest === key) break;
      const one = this.#take(oldest);
      if (one !== undefined) dropped.push(one);
    }
    return dropped;
  }

  /** What is known of an open call; undefined where it is not open. */
  get(callId: string | undefined): TranscriptCall | undefined {
    return callId === undefined ? undefined : this.#open.get(callId)?.call;
  }

  /** More is known of an open call. */
  more(callId: string, known: Partial<TranscriptCall>): void {
    const kept = this.#open.get(callId);
    if (kept !== undefined) this.#open.set(callId, { ...kept, call: { ...kept.call, ...known } });
  }

  /** A call ends. @returns the whole call; null where none is open under the id */
  end(callId: string | undefined, end: End): TranscriptCall | null {
    const call = callId === undefined ? undefined : this.#take(callId);
    return call === undefined ? null : { ...call, ...end };
  }

  values(): readonly TranscriptCall[] {
    return [...this.#open.values()].map(({ call }) => call);
  }

  #take(key: string): TranscriptCall | undefined {
    const kept = this.#open.get(key);
    if (kept === undefined) return undefined;
    this.#open.delete(key);
    this.#characters -= kept.characters;
    return kept.call;
  }
}

/** A call of which nothing is known but what is given. */
export function callOf(known: Begun): TranscriptCall {
  return {
    kind: 'call',
    server: null,
    input: undefined,
    output: undefined,
    told_to_hooks: undefined,
    outcome: 'unknown',
    exit_code: null,
    error: null,
    started_at: null,
    ended_at: null,
    duration_ms: null,
    changed: [],
    sub_agent: null,
    within: null,
    typed_into: null,
    end_line: null,
    cut: null,
    ...known,
  };
}
