import { createElement, Fragment, type ReactNode } from 'react';

/** The names in braces of a text: `agent` and `time` of `Frozen by {agent} at {time}`. */
type SlotOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | SlotOf<Rest> : never;

/**
 * A sentence of a catalogue with what is drawn in its places, such as a link or a name: a translator sees the sentence as a
 * whole, and may put its places in another order.
 */
export function fill<const Text extends string>(
  text: Text,
  slots: Readonly<Record<SlotOf<Text>, ReactNode>>,
): ReactNode[] {
  const drawn: Readonly<Record<string, ReactNode>> = slots;
  // Every second part is the name of a place.
  return text
    .split(/\{(\w+)\}/)
    .map((part, at) => createElement(Fragment, { key: at }, at % 2 === 1 ? drawn[part] : part));
}
