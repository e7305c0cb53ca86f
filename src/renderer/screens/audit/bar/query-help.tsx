import { Popover } from '@base-ui/react/popover';
import { Icon } from '../../../ui/icons.tsx';

const FORMS: readonly (readonly [string, string])[] = [
  ['credit_card', 'the word anywhere in the payload, in any case'],
  ['"refund to card"', 'these words one after the other'],
  ['cred*', 'words that begin with cred'],
  ['*card*', 'texts that contain card'],
  ['/error \\d+/i', 'a regular expression'],
  ['user_id: mia', 'the word in the member user_id'],
  ['tool = book_reservation', 'exactly this value; != for any other'],
  ['amount > 100', 'numbers and times: <  <=  >  >='],
  ['issued > -15m', 'also 10:00, today, 2026-11-21 10:00'],
  ['error: *', 'the field has a value'],
  ['a b    a or b    not a', 'both, either, without; group with ( )'],
];

const FIELDS =
  'agent, type, action, subject, operation, seq, issued, received, session, phase, tool, outcome, call, person, entity, host, error, duration, mark';

/** The query language on one card. */
export function QueryHelp({ isCase }: { readonly isCase: boolean }) {
  return (
    <Popover.Root>
      <Popover.Trigger
        className="button-plain search-build query-help-button"
        aria-label="Help with queries"
        title="Help with queries"
      >
        <Icon name="question" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="menu-place" align="end" sideOffset={6}>
          <Popover.Popup className="menu panel-body query-help" aria-label="Help with queries">
            <dl>
              {FORMS.map(([form, meaning]) => (
                <div key={form} className="query-help-form">
                  <dt className="code">{form}</dt>
                  <dd>{meaning}</dd>
                </div>
              ))}
            </dl>
            <p className="muted">
              Fields: <span className="code">{isCase ? `${FIELDS}, tag` : FIELDS}</span>. Any other name is a member of
              the payload, such as <span className="code">arguments.user_id</span>.
            </p>
            <p className="muted">
              <kbd>↓</kbd> suggestions · <kbd>Tab</kbd> complete · <kbd>Enter</kbd> search · <kbd>Esc</kbd> close
            </p>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
