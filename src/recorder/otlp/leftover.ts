import { type ExactJson, ExactNumber, exactJsonText } from '../../protocol/light.ts';

/** How many attributes that were not mapped are kept, and how many characters of all of them. */
const MAX_KEPT = 64;
const MAX_TOTAL = 8_192;

/**
 * What is never kept: prompts, messages, definitions and descriptions, which are no part of a call, repeat in every span, and say
 * more of the user than a record of the call needs; headers, environments and command lines, which may hold any secret.
 */
const NEVER_KEPT =
  /^(gen_ai\.(system_instructions|(input|output)\.messages|tool\.(definitions|description)|agent\.description|prompt|completion)|ai\.prompt|ai\.settings|ai\.response|llm\.(input|output)_messages|llm\.tools|tool\.(description|json_schema)|input\.value|output\.value|logfire\.|code\.|thread\.|(http|rpc\..+?)\.(request|response)\.(header|metadata)|process\.(environment_variable|command))/;

/** The attributes that are kept as they are, and how many are not. */
export interface Leftover {
  readonly kept: { readonly [name: string]: ExactJson };
  readonly omitted: number;
}

/**
 * Keeps what was not mapped, within bounds: lists and objects as JSON texts. A text that is too long is left out, not cut: of a secret
 * that is cut nobody would know that it is one.
 */
export function keepLeftover(attributes: Iterable<readonly [string, ExactJson]>): Leftover {
  const kept: [string, ExactJson][] = [];
  let total = 0;
  let omitted = 0;
  for (const [name, value] of attributes) {
    if (NEVER_KEPT.test(name) || value === '') continue;
    const isNested = typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
    const held = isNested ? exactJsonText(value) : value;
    const size = name.length + String(held).length;
    if (kept.length >= MAX_KEPT || total + size > MAX_TOTAL) {
      omitted++;
      continue;
    }
    total += size;
    kept.push([name, held]);
  }
  return { kept: Object.fromEntries(kept), omitted };
}
