import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import {
  changesOf,
  type DifferenceNode,
  differenceOf,
  type Json,
  MAX_DIFFERENCES,
  shownPayload,
} from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { WayBackCrumb } from '../../components/way-back.tsx';
import { durationText } from '../../lib/duration.ts';
import { fill } from '../../lib/fill.ts';
import { DifferenceTable } from '../../ui/difference-table.tsx';
import { Empty, Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { COMPARED_OPERATIONS, DIFFERENCE_SCREEN, PAYLOAD_DIFFERENCE } from './texts.ts';

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

function shownOf({ eor, disclosures }: StoredOperation): Json | null {
  return eor.payload === undefined ? null : (shownPayload(eor.payload, disclosures) as Json);
}

/** The payloads of two operations as one tree; null where one of them is withheld or erased. */
function payloadDifference(one: StoredOperation, other: StoredOperation): DifferenceNode | null {
  const [left, right] = [shownOf(one), shownOf(other)];
  return left === null || right === null ? null : differenceOf(left, right);
}

/** How many places differ, by what became of them. */
interface Tally {
  readonly changed: number;
  readonly added: number;
  readonly removed: number;
}

function tallyOf(difference: DifferenceNode): Tally {
  const kinds = changesOf(difference).map(({ kind }) => kind);
  const count = (wanted: keyof Tally): number => kinds.filter((kind) => kind === wanted).length;
  return { changed: count('changed'), added: count('added'), removed: count('removed') };
}

/** A tally in words, without what there is none of. */
function tallyText(tally: Tally): string {
  const parts = (['changed', 'added', 'removed'] as const).flatMap((kind) =>
    tally[kind] === 0 ? [] : [PAYLOAD_DIFFERENCE[kind](tally[kind])],
  );
  const isCut = tally.changed + tally.added + tally.removed >= MAX_DIFFERENCES;
  return `${parts.join(', ')}${isCut ? PAYLOAD_DIFFERENCE.more : ''}`;
}

interface ComparedProps {
  readonly one: StoredOperation;
  readonly other: StoredOperation;
}

const MEMBERS: readonly (readonly [string, (operation: StoredOperation) => string])[] = [
  [COMPARED_OPERATIONS.type, ({ eor }) => eor.operation_type],
  [COMPARED_OPERATIONS.action, ({ eor }) => eor.action],
  [COMPARED_OPERATIONS.subject, ({ eor }) => eor.subject],
];

function SideHead({ operation: { ear } }: { readonly operation: StoredOperation }) {
  return (
    <LedgerLink to="/operations/$operationId" params={{ operationId: ear.operation_id }} data-row>
      {fill(COMPARED_OPERATIONS.recordSeqno, { seqNo: ear.seq_no })}
    </LedgerLink>
  );
}

/** Which two operations are compared, and in what their records differ besides the payload. */
function ComparedOperations({ one, other }: ComparedProps) {
  const apart = Date.parse(other.eor.issued_at) - Date.parse(one.eor.issued_at);
  return (
    <Panel title={COMPARED_OPERATIONS.records} flush>
      <Table
        heads={[COMPARED_OPERATIONS.member, COMPARED_OPERATIONS.left, COMPARED_OPERATIONS.right]}
        className="compared"
      >
        <Row
          label={COMPARED_OPERATIONS.record}
          one={<SideHead operation={one} />}
          other={<SideHead operation={other} />}
        />
        <Row
          label={COMPARED_OPERATIONS.agent}
          isSame={one.eor.agent_id === other.eor.agent_id}
          one={<AgentName agentId={one.eor.agent_id} />}
          other={<AgentName agentId={other.eor.agent_id} />}
        />
        {MEMBERS.map(([name, of]) => (
          <Row
            key={name}
            label={name}
            isSame={of(one) === of(other)}
            one={<Seen text={of(one)} />}
            other={<Seen text={of(other)} />}
          />
        ))}
        <Row
          label={COMPARED_OPERATIONS.issued}
          one={<Time value={one.eor.issued_at} hasZone />}
          other={
            <>
              <Time value={other.eor.issued_at} hasZone />{' '}
              <span className="muted">
                {durationText(Math.abs(apart))} {apart < 0 ? COMPARED_OPERATIONS.earlier : COMPARED_OPERATIONS.later}
              </span>
            </>
          }
        />
      </Table>
    </Panel>
  );
}

interface RowProps {
  readonly label: string;
  readonly isSame?: boolean;
  readonly one: ReactNode;
  readonly other: ReactNode;
}

function Row({ label, isSame, one, other }: RowProps) {
  return (
    <tr className={isSame === false ? 'is-other' : undefined}>
      <th scope="row">{label}</th>
      <td className={isSame === true ? 'muted' : undefined}>{one}</td>
      <td className={isSame === true ? 'muted' : undefined}>{isSame === true ? COMPARED_OPERATIONS.same : other}</td>
    </tr>
  );
}
