import { Popover } from '@base-ui/react/popover';
import { RECORD_FIELD_NAMES } from '../../../../actions/index.ts';
import { fill } from '../../../lib/fill.ts';
import { Icon } from '../../../ui/icons.tsx';
import { QUERY_HELP } from './texts.ts';

const FORMS: readonly (readonly [string, string])[] = [
  ['credit_card', QUERY_HELP.word],
  [QUERY_HELP.phraseExample, QUERY_HELP.phrase],
  ['cred*', QUERY_HELP.prefix],
  ['*card*', QUERY_HELP.part],
  ['/error \\d+/i', QUERY_HELP.expression],
  [QUERY_HELP.memberExample, QUERY_HELP.member],
  ['tool = book_reservation', QUERY_HELP.exactly],
  ['amount > 100', QUERY_HELP.compare],
  ['issued > -15m', QUERY_HELP.times],
  ['error: *', QUERY_HELP.present],
  [QUERY_HELP.logicExample, QUERY_HELP.logic],
  [QUERY_HELP.groupsExample, QUERY_HELP.groups],
];

/** The query language on one card. */
export function QueryHelp() {
  return (
    <Popover.Root>
      <Popover.Trigger
        className="button-plain search-build query-help-button"
        aria-label={QUERY_HELP.title}
        title={QUERY_HELP.title}
      >
        <Icon name="question" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="menu-place" align="end" sideOffset={6}>
          <Popover.Popup className="menu panel-body query-help" aria-label={QUERY_HELP.title}>
            <dl>
              {FORMS.map(([form, meaning]) => (
                <div key={form} className="query-help-form">
                  <dt className="code">{form}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
            <p className="muted">
              {fill(QUERY_HELP.fields, {
                fields: <span className="code">{RECORD_FIELD_NAMES.join(', ')}</span>,
                example: <span className="code">arguments.user_id</span>,
              })}
            </p>
            <p className="muted">
              {fill(QUERY_HELP.keys, {
                arrows: <kbd>↓</kbd>,
                tab: <kbd>{QUERY_HELP.tab}</kbd>,
                enter: <kbd>{QUERY_HELP.enter}</kbd>,
                escape: <kbd>{QUERY_HELP.escape}</kbd>,
              })}
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
