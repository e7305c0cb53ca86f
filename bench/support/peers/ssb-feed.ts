/**
 * One feed of ssb-validate, made and validated in a separate process: FOLDER SECONDS. Prints JSON (SsbFigures). The
 * packages are taken from FOLDER, where `npm install --prefix FOLDER ssb-validate ssb-keys` has put them.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { operationMembers } from '../workspace.ts';

export interface SsbFigures {
  readonly version: string;
  /** Whether libsodium's native code ran, or its translation to JavaScript. */
  readonly crypto: 'native' | 'JavaScript';
  readonly messages: number;
  readonly createdPerSecond: number;
  readonly validatedPerSecond: number;
}

interface Keys {
  readonly id: string;
}

interface Message {
  readonly sequence: number;
  readonly timestamp: number;
}

interface FeedState {
  readonly id: string;
  readonly sequence: number;
  readonly timestamp: number;
  readonly queue: readonly unknown[];
}

interface State {
  /** What was validated and not yet written by whoever calls. */
  queue: unknown[];
}

/** What is used of ssb-validate. */
interface Validate {
  initial: () => State;
  create: (feed: FeedState | null, keys: Keys, hmac: null, content: object, timestamp: number) => Message;
  id: (message: Message) => string;
  append: (state: State, hmac: null, message: Message) => State;
}

const WARM_UP = 500;

const [folder = '', seconds = ''] = process.argv.slice(2);
const load = createRequire(join(resolve(folder), 'package.json'));
const validate = load('ssb-validate') as Validate;
const { generate } = load('ssb-keys') as { generate: () => Keys };
const { version } = load('ssb-validate/package.json') as { version: string };

/** What a message says: all that an operation of the other runs says. */
function content(number: number): object {
  const { operation_type: type, ...members } = operationMembers(number);
  return { type, ...members };
}

/** Makes the messages of one feed, each linked to the one before, until told to stop. */
function createFeed(enough: (count: number) => boolean): Message[] {
  const keys = generate();
  const messages: Message[] = [];
  let feed: FeedState | null = null;
  while (!enough(messages.length)) {
    const message = validate.create(feed, keys, null, content(messages.length), Date.now());
    feed = { id: validate.id(message), sequence: message.sequence, timestamp: message.timestamp, queue: [] };
    messages.push(message);
  }
  return messages;
}

/** @throws at the first message that is not valid */
function validateFeed(messages: readonly Message[]): void {
  let state = validate.initial();
  for (const message of messages) {
    state = validate.append(state, null, message);
    state.queue = [];
  }
}

validateFeed(createFeed((count) => count >= WARM_UP));
const began = performance.now();
const messages = createFeed(() => performance.now() - began > Number(seconds) * 1000);
const created = performance.now();
validateFeed(messages);
const validated = performance.now();
const figures: SsbFigures = {
  version,
  crypto: Object.keys(load.cache).some((path) => path.endsWith('.node')) ? 'native' : 'JavaScript',
  messages: messages.length,
  createdPerSecond: (messages.length * 1000) / (created - began),
  validatedPerSecond: (messages.length * 1000) / (validated - created),
};
process.stdout.write(JSON.stringify(figures));
