import { ProtocolError } from '../protocol-error.ts';

/**
 * Limits on one record, on one other element or member, and on the values in any of them (protocol F151). Whoever makes a file
 * chooses its sizes: beyond these reading stops instead of growing. A record of the largest default payload, every
 * character escaped, takes a tenth of the first. What is parsed takes some hundred bytes of memory a value, were it only `{}`.
 */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;
export const MAX_ITEM_BYTES = 1024 * 1024;
/** Of an epoch: all of it is kept, and a service writes some 800 bytes. */
const MAX_EPOCH_BYTES = 1024;
export const MAX_VALUES = 524_288;

/** Of everything but records together. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Of `service_keys` and `agents` together: their digest is of one text. */
export const MAX_DIRECTORY_BYTES = 32 * 1024 * 1024;

/** Of the administrative events about agents and the organization together: of what they say more is kept than of any other. */
const MAX_KEPT_EVENT_BYTES = 64 * 1024 * 1024;

/** How many parts of a kind a file has at most: something of each is held. */
export const MOST_OF_BUNDLE = {
  service_keys: 1024,
  agents: 32_768,
  agent_keys: 65_536,
  epochs: 262_144,
  admin_events: 327_680,
} as const;

/** What a bundle has a bounded number of: its members, and keys of agents. */
export type Bounded = keyof typeof MOST_OF_BUNDLE;

const NAMES: Readonly<Record<Bounded, string>> = {
  service_keys: 'service keys',
  agents: 'agents',
  agent_keys: 'keys of agents',
  epochs: 'epochs',
  admin_events: 'administrative events',
};

/** How many bytes an element of an array, or another member, has at most. */
export function mostBytes(member: string, isElement: boolean): number {
  if (isElement && member === 'records') return MAX_RECORD_BYTES;
  return isElement && member === 'epochs' ? MAX_EPOCH_BYTES : MAX_ITEM_BYTES;
}

/** Thrown where a file holds more than a verifier takes (protocol F151). */
export class TooLarge extends ProtocolError {
  /** What there is too much of. */
  readonly what: string;

  constructor(what: string) {
    super('SHAPE_INVALID', `the file has more than ${what}`);
    this.what = what;
  }
}

function isLimited(member: string): member is Bounded {
  return Object.hasOwn(MOST_OF_BUNDLE, member);
}

/** For makers, before anything is written: that there are no more of something than a bundle may have. @throws TooLarge */
export function checkCount(kind: Bounded, count: number): void {
  if (count > MOST_OF_BUNDLE[kind]) throw new TooLarge(`${MOST_OF_BUNDLE[kind]} ${NAMES[kind]}`);
}

/** Counts what a file holds beside its records, before any of it is parsed. */
export class HeldSizes {
  readonly #counts = new Map<string, number>();
  #held = 0;
  #directory = 0;
  #events = 0;

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

  /** Takes a whole administrative event that was read, by its bytes as they stand. @throws TooLarge */
  takeEvent({ target_type: about }: { readonly target_type: string }, bytes: number): void {
    if (about !== 'agent' && about !== 'organization') return;
    this.#events += bytes;
    if (this.#events <= MAX_KEPT_EVENT_BYTES) return;
    throw new TooLarge(`${MAX_KEPT_EVENT_BYTES} bytes of administrative events about agents and the organization`);
  }

  #count(kind: Bounded, added: number): void {
    const count = (this.#counts.get(kind) ?? 0) + added;
    this.#counts.set(kind, count);
    checkCount(kind, count);
  }
}
