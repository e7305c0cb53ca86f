import { codePointName, hiddenCharacterTitle, scriptWarning, textParts } from '../../protocol/text/index.ts';
import type { Block, Fact } from '../chosen/index.ts';

type Child = Node | string | null;

/** Makes an element. Texts go in as text: nothing of a report is ever read as HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children.filter((child) => child !== null));
  return made;
}

/**
 * A text that somebody else chose: set off from the direction of the text around it, each character that is not seen by its
 * number. A name whose letters may not be what they seem to be says so.
 */
export function seen(text: string, { lines = false } = {}): HTMLElement {
  const shown = element('bdi', lines ? { class: 'lines' } : {});
  for (const part of textParts(text, { lines })) {
    shown.append(
      part.kind === 'shown'
        ? part.text
        : element('span', { class: 'unseen', title: hiddenCharacterTitle(part.text) }, codePointName(part.text)),
    );
  }
  const warning = lines ? null : scriptWarning(text);
  if (warning !== null) {
    shown.append(element('span', { class: 'unseen', title: `Careful: this name ${warning}.` }, ' mixed letters'));
  }
  return shown;
}

/** Names and values, one below the other. */
export function factList(facts: readonly Fact[]): HTMLElement {
  const list = element('dl', { class: 'facts' });
  for (const { name, value, code = false } of facts) {
    const text = seen(value);
    list.append(element('dt', {}, name), element('dd', {}, code ? element('code', {}, text) : text));
  }
  return list;
}

function tableOf({ heads, rows }: Extract<Block, { kind: 'table' }>): HTMLElement {
  const look = (at: number): Readonly<Record<string, string>> =>
    heads[at]?.isNumber === true ? { class: 'number' } : {};
  return element(
    'table',
    {},
    element(
      'thead',
      {},
      element('tr', {}, ...heads.map(({ text }, at) => element('th', { scope: 'col', ...look(at) }, seen(text)))),
    ),
    element(
      'tbody',
      {},
      ...rows.map((row) => element('tr', {}, ...row.map((cell, at) => element('td', look(at), seen(cell))))),
    ),
  );
}

/** @param on what the words of people in them are about, behind their label, for those who jump from one to the next */
export function blockNodes(blocks: readonly Block[], on = ''): HTMLElement[] {
  return blocks.flatMap((block): HTMLElement[] => {
    if (block.kind === 'heading') return [element('h3', {}, block.text)];
    if (block.kind === 'paragraph') return [element('p', {}, block.text)];
    if (block.kind === 'list') return [element('ul', {}, ...block.items.map((item) => element('li', {}, item)))];
    if (block.kind === 'commands') return block.commands.map((each) => element('pre', { tabindex: '0' }, each));
    if (block.kind === 'facts') return [factList(block.facts)];
    if (block.kind === 'table') return [tableOf(block)];
    const { label, text } = block;
    const words = [element('strong', {}, label), seen(text, { lines: true })];
    return [element('aside', { 'aria-label': `${label}${on}` }, ...words)];
  });
}
