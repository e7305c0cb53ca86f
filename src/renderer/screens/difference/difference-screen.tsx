import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { WayBackCrumb } from '../../components/way-back.tsx';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { ComparedOperations } from './compared-operations.tsx';
import { payloadDifference, tallyOf, tallyText } from './payload-difference.ts';

const route = ledgerScreen('/difference');

/** Two operations next to each other: their payloads as one tree. */
export function DifferenceScreen() {
  const { left, right } = route.useSearch();
  return (
    <Screen
      name="Difference"
      title={
        <>
          <WayBackCrumb /> Difference
        </>
      }
      actions={
        left !== undefined &&
        right !== undefined && (
          <LedgerLink to="/difference" search={{ left: right, right: left }} replace className="button">
            Swap sides
          </LedgerLink>
        )
      }
    >
      {left === undefined || right === undefined ? (
        <Empty title="Choose two operations">
          <p>
            Select two rows of the search and compare them, or open an operation and choose <b>Compare</b>.
          </p>
          <LedgerLink to="/search" search={{}} className="button">
            Open the search
          </LedgerLink>
        </Empty>
      ) : (
        <Operations left={left} right={right} />
      )}
    </Screen>
  );
}

function Operations({ left, right }: { readonly left: string; readonly right: string }) {
  const { queries } = useLedger();
  const one = useQuery(queries.operation(left));
  const other = useQuery(queries.operation(right));
  return (
    <Answer query={one} what="the first operation">
      {(first) => (
        <Answer query={other} what="the second operation">
          {(second) => <Compared one={first} other={second} />}
        </Answer>
      )}
    </Answer>
  );
}

function Compared({ one, other }: { readonly one: StoredOperation; readonly other: StoredOperation }) {
  const [showSame, setShowSame] = useState(false);
  const difference = useMemo(() => payloadDifference(one, other), [one, other]);
  return (
    <div className="stack">
      <ComparedOperations one={one} other={other} />
      {difference === null ? (
        <Panel title="Payloads">
          <p className="muted">
            The payload of {one.eor.payload === undefined && other.eor.payload === undefined ? 'both' : 'one'} is
            withheld or erased, so the payloads cannot be compared.
          </p>
        </Panel>
      ) : (
        <Panel
          title={difference.kind === 'same' ? 'Payloads are the same' : 'Payloads'}
          flush
          actions={
            difference.kind !== 'same' && (
              <>
                <span role="status" className="muted">
                  {tallyText(tallyOf(difference))}
                </span>
                <label className="check">
                  <input
                    type="checkbox"
                    checked={showSame}
                    data-filter
                    onChange={(event) => setShowSame(event.currentTarget.checked)}
                  />
                  Show what is the same
                </label>
              </>
            )
          }
        >
          <DifferenceTable
            difference={difference}
            one={`Record ${one.ear.seq_no}`}
            other={`Record ${other.ear.seq_no}`}
            showSame={showSame}
          />
        </Panel>
      )}
    </div>
  );
}
