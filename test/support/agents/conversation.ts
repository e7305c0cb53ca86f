import type { Json } from '../../../src/protocol/index.ts';

/** What the model says next: calls of tools, all at once, or a text that ends the conversation's turn. */
export type ModelTurn = { readonly calls: readonly ModelCall[] } | { readonly text: string };

export interface ModelCall {
  readonly name: string;
  readonly input: { readonly [member: string]: Json };
  /** Of a tool of a group, the group. */
  readonly group?: string;
  /** Of a tool that takes a text as it is, and no members: what it is given. */
  readonly text?: string;
}

/** What a program asks its model. */
export interface ModelQuestion {
  /** How many of the model's turns there were in this conversation. */
  readonly turn: number;
  /** The first thing that the user says in it: a sub-agent's conversation begins with what it was told. */
  readonly firstUserText: string;
  /** The names of the tools that the model may call. */
  readonly tools: readonly string[];
  /** All that the program sent. */
  readonly body: JsonRecord;
}

/** Says what the model answers; it may do something else first. */
export type Model = (question: ModelQuestion) => ModelTurn | Promise<ModelTurn>;

/** One vendor's interface, as far as the programs use it. */
export interface Dialect {
  readonly path: RegExp;
  question(body: JsonRecord): Omit<ModelQuestion, 'body'>;
  /**
   * @param stream whether the program asked for events
   * @returns one body, or the events of a stream
   */
  answer(turn: ModelTurn, body: JsonRecord, ids: CallIds): ModelAnswer;
}

export interface ModelAnswer {
  readonly body: Json;
  readonly events: readonly { readonly type?: string; readonly data: Json | string }[];
}

export type JsonRecord = { readonly [member: string]: Json | undefined };

/** Ids of calls say in which turn they were made: so a conversation shows how many turns it had. */
export interface CallIds {
  readonly of: (index: number) => string;
  /** For messages and answers. */
  readonly message: string;
}

export function record(value: Json | undefined): JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};
}

export function list(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** All text of a message's content, in whatever parts it comes. */
export function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  return list(content)
    .map((part) => (typeof part === 'string' ? part : record(part)['text']))
    .filter((text) => typeof text === 'string')
    .join('\n');
}

/** How many turns had calls, by the ids in the body. */
export function turnsIn(body: Json): number {
  const turns = [...JSON.stringify(body).matchAll(/call_t(\d+)_c\d+/g)].map(([, turn]) => Number(turn) + 1);
  return Math.max(0, ...turns);
}
