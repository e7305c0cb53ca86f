import type { ExaminerSignatureState } from '../../protocol/index.ts';
import { type Outline, type RecordView, recordContent, shownContents } from '../chosen/index.ts';
import { blockNodes, element, factList, seen } from './elements.ts';

/** How much of a record's contents is laid out: browsers become slow long before this. */
const BOUNDS = { lines: 20_000, characters: 2_000_000 };

function outlineList({ lines }: Outline): HTMLElement {
  const list = element('div', { class: 'outline' });
  for (const { depth, name, value } of lines) {
    const row = element('div', { class: `depth-${Math.min(depth, 8)}` });
    if (name !== '') row.append(element('span', { class: 'name' }, seen(name)), ' ');
    if (value !== null) row.append(seen(value, { lines: true }));
    list.append(row);
  }
  return list;
}

function contents(view: RecordView): HTMLElement {
  const { outline, notes } = shownContents(view, BOUNDS);
  return element(
    'div',
    {},
    outline === null ? null : outlineList(outline),
    ...notes.map((note) => element('p', {}, seen(note))),
  );
}

/**
 * A record as it is read. Contents are laid out once they are opened, or printed: a report may have a thousand of them.
 * @param isOpen whether the contents are shown from the start
 */
export function recordArticle(view: RecordView, isOpen: boolean, signature: ExaminerSignatureState): HTMLElement {
  const { number, summary, blocks, hashes } = recordContent(view, signature);
  const whole = element('details', {}, element('summary', {}, 'Contents of the record'));
  const fill = (): void => {
    if (whole.childElementCount === 1) whole.append(contents(view));
  };
  whole.addEventListener('toggle', fill);
  if (isOpen) {
    fill();
    whole.open = true;
  }
  const technical = element('details', {}, element('summary', {}, 'Hashes and signatures'), factList(hashes));
  const id = `record-${view.seqNo}`;
  return element(
    'article',
    { 'aria-labelledby': id },
    element('h3', { id }, `${number} `, seen(summary)),
    ...blockNodes(blocks, ` on ${number}`),
    whole,
    technical,
  );
}
