import { type Outline, outlineOf, type RecordView } from '../chosen/index.ts';
import { element, facts, seen } from './elements.ts';

/** How much of a record's contents is laid out: browsers become slow long before this. */
const BOUNDS = { lines: 20_000, characters: 2_000_000 };

function outlineList({ lines, cut }: Outline): HTMLElement {
  const list = element('div', { class: 'outline' });
  for (const { depth, name, value } of lines) {
    const row = element('div', { class: `depth-${Math.min(depth, 8)}` });
    if (name !== '') row.append(element('span', { class: 'name' }, seen(name)), ' ');
    if (value !== null) row.append(seen(value, { lines: true }));
    list.append(row);
  }
  if (cut) list.append(element('p', {}, 'The contents go on: the data in this file have them whole.'));
  return list;
}

function contents({ payload, withheldMembers }: RecordView): HTMLElement {
  if (payload === null) {
    return element('p', {}, 'The contents are withheld: they are bound by their hash, and not shown.');
  }
  const shown = element('div', {}, outlineList(outlineOf(payload, BOUNDS)));
  if (withheldMembers.length > 0) {
    const names = withheldMembers.flatMap((name) => [' ', seen(name)]);
    shown.append(element('p', {}, 'Members withheld, each as a salted digest:', ...names));
  }
  return shown;
}

/**
 * A record as it is read. Contents are laid out once they are opened, or printed: a report may have a thousand of them.
 * @param isOpen whether the contents are shown from the start
 * @param commentLabel whose word the comment is
 */
export function recordArticle(view: RecordView, isOpen: boolean, commentLabel: string): HTMLElement {
  const { seqNo, comment, agentId, person, session, outcome, error, record } = view;
  const whole = element('details', {}, element('summary', {}, 'Contents of the record'));
  const fill = (): void => {
    if (whole.childElementCount === 1) whole.append(contents(view));
  };
  whole.addEventListener('toggle', fill);
  if (isOpen) {
    fill();
    whole.open = true;
  }
  const { eor, ear } = record;
  const technical = element(
    'details',
    {},
    element('summary', {}, 'Hashes and signatures'),
    facts(
      ['Operation', seen(view.operationId)],
      ['Payload hash', element('code', {}, eor.payload_hash)],
      ['Chain hash', element('code', {}, ear.chain_hash)],
      ['Signed with', seen(eor.agent_pubkey_kid)],
      ['Signature', element('code', {}, eor.signature)],
      ['Countersigned', element('code', {}, ear.service_signature)],
    ),
  );
  const id = `record-${seqNo}`;
  return element(
    'article',
    { 'aria-labelledby': id },
    element('h3', { id }, `No. ${seqNo.toLocaleString('en-US')} `, seen(view.summary)),
    comment === null
      ? null
      : element(
          'aside',
          { 'aria-label': `${commentLabel} on No. ${seqNo}` },
          element('strong', {}, commentLabel),
          seen(comment, { lines: true }),
        ),
    facts(
      ['Issued', seen(view.issuedAt)],
      ['Received', seen(view.receivedAt)],
      ['Clock', view.clockNote === null ? null : element('strong', {}, view.clockNote)],
      ['Agent', seen(agentId)],
      ['On behalf of', person === null ? null : seen(person)],
      ['Action', seen(`${view.action} (${view.operationType}), subject ${view.subject}`)],
      ['Outcome', seen(error === null ? outcome : `${outcome}: ${error}`)],
      ['Session', session === null ? null : seen(session)],
    ),
    whole,
    technical,
  );
}
