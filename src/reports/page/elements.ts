import { codePointName, hiddenCharacterTitle, scriptWarning, textParts } from '../../protocol/index.ts';

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

/** Names and values, one below the other; what has no value is left out. */
export function facts(...rows: readonly (readonly [name: string, value: Node | string | null])[]): HTMLElement {
  const list = element('dl', { class: 'facts' });
  for (const [name, value] of rows) {
    if (value !== null) list.append(element('dt', {}, name), element('dd', {}, value));
  }
  return list;
}

export function bullets(items: readonly string[]): HTMLElement {
  return element('ul', {}, ...items.map((item) => element('li', {}, item)));
}

export function code(text: string): HTMLElement {
  return element('code', {}, text);
}
