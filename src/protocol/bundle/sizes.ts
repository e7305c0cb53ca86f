import { ProtocolError } from '../protocol-error.ts';

/**
 * Limits on one record, on one other element or member, and on the values in any of them (protocol F151). Whoever makes a file
 * chooses its sizes: beyond these reading stops instead of growing. A record of the largest default payload, every
 * character escaped, takes a tenth of the first. What is parsed takes some hundred bytes of memory a value, were it only `{}`.
 */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
export const MAX_ITEM_BYTES = 1024 * 1024;
export const MAX_VALUES = 524_288;

/** Of everything but records together. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Of `service_keys` and `agents` together: their digest is of one text. */
const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;

/** How many parts of a kind a file has at most: each is held, in some kilobytes. */
const MOST = {
  service_keys: 1024,
  agents: 32_768,
  agent_keys: 65_536,
  epochs: 131_072,
  admin_events: 196_608,
} as const;

const NAMES: Readonly<Record<keyof typeof MOST, string>> = {
  service_keys: 'service keys',
  agents: 'agents',
  agent_keys: 'keys of agents',
  epochs: 'epochs',
  admin_events: 'administrative events',
};

/** Thrown where a file holds more beside its records than a verifier takes (protocol F151). */
export class TooLarge extends ProtocolError {
  constructor(what: string) {
    super('SHAPE_INVALID', `the file has more than ${what}`);
  }
}

function isLimited(member: string): member is keyof typeof MOST {
  return Object.hasOwn(MOST, member);
}

/** Counts what a file holds beside its records, before any of it is parsed. */
export class HeldSizes {
  readonly #counts = new Map<string, number>();
  #held = 0;
  #directory = 0;

  /** Takes a member, or an element of one, by its bytes as they stand. @throws TooLarge */
  take(member: string, bytes: number): void {
    this.#held += bytes;
    if (member === 'service_keys' || member === 'agents') this.#directory += bytes;
    if (this.#held > MAX_HELD_BYTES) throw new TooLarge(`${MAX_HELD_BYTES} bytes beside its records`);
    if (this.#directory > MAX_DIRECTORY_BYTES) throw new TooLarge(`${MAX_DIRECTORY_BYTES} bytes of agents and keys`);
    if (isLimited(member)) this.#count(member, 1);
  }

  /** Takes the keys of an agent that was read. @throws TooLarge */
  takeAgentKeys(keys: number): void {
    this.#count('agent_keys', keys);
  }

  #count(kind: keyof typeof MOST, added: number): void {
    const count = (this.#counts.get(kind) ?? 0) + added;
    this.#counts.set(kind, count);
    if (count > MOST[kind]) throw new TooLarge(`${MOST[kind]} ${NAMES[kind]}`);
  }
}
