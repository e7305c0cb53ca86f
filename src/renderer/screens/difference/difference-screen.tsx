import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { StoredOperation } from '../../api/answers.ts';
import { operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { WayBackCrumb } from '../../components/way-back.tsx';
import { fill } from '../../lib/fill.ts';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { ComparedOperations } from './compared-operations.tsx';
import { payloadDifference, tallyOf, tallyText } from './payload-difference.ts';
import { DIFFERENCE_SCREEN } from './texts.ts';

const route = ledgerScreen('/difference');

/** Two operations next to each other: their payloads as one tree. */
export function DifferenceScreen() {
  const { left, right } = route.useSearch();
  return (
    <Screen
      name={DIFFERENCE_SCREEN.difference}
      title={
        <>
          <WayBackCrumb /> {DIFFERENCE_SCREEN.difference}
        </>
      }
      actions={
        left !== undefined &&
        right !== undefined && (
          <LedgerLink to="/difference" search={{ left: right, right: left }} replace className="button">
            {DIFFERENCE_SCREEN.swapSides}
          </LedgerLink>
        )
      }
    >
      {left === undefined || right === undefined ? (
        <Empty title={DIFFERENCE_SCREEN.chooseTwoOperations}>
          <p>{fill(DIFFERENCE_SCREEN.howToChoose, { command: <b>{DIFFERENCE_SCREEN.compare}</b> })}</p>
          <LedgerLink to="/search" search={{}} className="button">
            {DIFFERENCE_SCREEN.openSearch}
          </LedgerLink>
        </Empty>
      ) : (
        <Operations left={left} right={right} />
      )}
    </Screen>
  );
}

function Operations({ left, right }: { readonly left: string; readonly right: string }) {
  const ledger = useLedger();
  const one = useQuery(operationOf(ledger, left));
  const other = useQuery(operationOf(ledger, right));
  return (
    <Answer query={one} what={DIFFERENCE_SCREEN.firstOperation}>
      {(first) => (
        <Answer query={other} what={DIFFERENCE_SCREEN.secondOperation}>
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
        <Panel title={DIFFERENCE_SCREEN.payloads}>
          <p className="muted">
            {fill(DIFFERENCE_SCREEN.withheld, {
              which:
                one.eor.payload === undefined && other.eor.payload === undefined
                  ? DIFFERENCE_SCREEN.both
                  : DIFFERENCE_SCREEN.one,
            })}
          </p>
        </Panel>
      ) : (
        <Panel
          title={difference.kind === 'same' ? DIFFERENCE_SCREEN.payloadsSame : DIFFERENCE_SCREEN.payloads}
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
                  {DIFFERENCE_SCREEN.showSame}
                </label>
              </>
            )
          }
        >
          <DifferenceTable
            difference={difference}
            one={DIFFERENCE_SCREEN.recordSeqno(one.ear.seq_no)}
            other={DIFFERENCE_SCREEN.recordSeqno(other.ear.seq_no)}
            showSame={showSame}
          />
        </Panel>
      )}
    </div>
  );
}
