import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { useRefusal } from '../../api/permission.ts';
import { ReadingOf } from '../../components/reading.tsx';
import { Panel } from '../../ui/panel.tsx';
import { READING_PANEL } from './texts.ts';

/** What a record was read as: session, tool, outcome, entities and marks. Derived from the record, and no evidence. */
export function ReadingPanel({ operation: { ear } }: { readonly operation: StoredOperation }) {
  const { routeOf } = useLedger();
  const isLocked = useRefusal(routeOf('operationReading')) !== null;
  if (isLocked) return null;
  return (
    <Panel title={READING_PANEL.title} actions={<span className="muted">{READING_PANEL.derived}</span>}>
      <ReadingOf
        operationId={ear.operation_id}
        linkTo={(operationId, text) => (
          <LedgerLink to="/operations/$operationId" params={{ operationId }}>
            {text}
          </LedgerLink>
        )}
      />
    </Panel>
  );
}
