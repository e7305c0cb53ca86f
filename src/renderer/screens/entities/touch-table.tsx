import { visibleText } from '../../../protocol/index.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { ActionMarks, ActionOutcome } from '../../components/action-marks.tsx';
import { AgentName } from '../../components/agent-mark.tsx';
import { ACCESS_WORDS, sourceWords } from '../../components/entity-chip.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { type Head, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { TOUCH_TABLE } from './texts.ts';
import type { TouchLine } from './touches.ts';

/** Letters of a state that fit into a cell; digests are told apart by fewer. */
const SHOWN = 20;
const DIGEST = 10;

/** All that touched an entity, one record a row. */
export function TouchTable({ lines }: { readonly lines: readonly TouchLine[] }) {
  const hasStates = lines.some(({ touch }) => touch.before !== null || touch.after !== null);
  const hasAmounts = lines.some(({ touch }) => touch.amount !== null);
  const heads: readonly Head[] = [
    TOUCH_TABLE.issued,
    TOUCH_TABLE.agent,
    TOUCH_TABLE.did,
    TOUCH_TABLE.what,
    ...(hasStates ? ['Before → after'] : []),
    ...(hasAmounts ? [{ label: TOUCH_TABLE.amount, isRight: true } as const] : []),
    TOUCH_TABLE.outcome,
    TOUCH_TABLE.session,
    { label: TOUCH_TABLE.ways, isHidden: true },
  ];
  return (
    <Table heads={heads} className="touches">
      {lines.map((line) => (
        <TouchRow key={line.touch.operation_id} line={line} hasStates={hasStates} hasAmounts={hasAmounts} />
      ))}
    </Table>
  );
}

interface TouchRowProps {
  readonly line: TouchLine;
  readonly hasStates: boolean;
  readonly hasAmounts: boolean;
}

function TouchRow({ line, hasStates, hasAmounts }: TouchRowProps) {
  const { touch, previous } = line;
  const { operation_id: operationId, details, amount, access, of_action: whole } = touch;
  const { title, outcome, marks } = whole ?? { ...details, title: details.summary };
  return (
    <tr>
      <td>
        <LedgerLink to="/operations/$operationId" params={{ operationId }} data-row>
          <Time value={touch.issued_at} />
        </LedgerLink>
      </td>
      <td>
        <AgentName agentId={touch.agent_id} />
      </td>
      <td className={`entity-${access}`} title={sourceWords(touch)}>
        <span className="entity-access">{ACCESS_WORDS[access]}</span>{' '}
        {!touch.declared && <small className="muted">{TOUCH_TABLE.guess}</small>}
      </td>
      <td className="touch-what whole code">
        <div className="two-lines">
          <Seen text={title} title={visibleText(title)} isJoined />
        </div>
      </td>
      {hasStates && (
        <td>
          <States line={line} />
        </td>
      )}
      {hasAmounts && (
        <td className="right number">
          {amount !== null && <Seen text={`${amount.value} ${amount.currency ?? ''}`} />}
        </td>
      )}
      <td>
        {outcome !== null && <ActionOutcome outcome={outcome} />} <ActionMarks marks={marks} />
      </td>
      <td className="touch-session">
        {details.session !== null && (
          <LedgerLink to="/sessions" search={{ session: details.session, step: operationId }}>
            <Seen text={details.session} />
          </LedgerLink>
        )}
      </td>
      <td className="row-actions">
        {previous !== null && (
          <LedgerLink
            to="/difference"
            search={{ left: previous.operation_id, right: operationId }}
            className="button button-small"
          >
            {TOUCH_TABLE.compareBefore}
          </LedgerLink>
        )}
      </td>
    </tr>
  );
}

function States({ line: { touch, isBroken } }: { readonly line: TouchLine }) {
  const { before, after } = touch;
  if (before === null && after === null) return <span className="muted">–</span>;
  return (
    <span className="inline-row code">
      <State value={before} /> → <State value={after} />
      {isBroken && (
        <span className="outcome outcome-refused" title={TOUCH_TABLE.anotherState}>
          <Icon name="warning" /> {TOUCH_TABLE.otherState}
        </span>
      )}
    </span>
  );
}

function State({ value }: { readonly value: string | null }) {
  if (value === null) return <span className="muted">{TOUCH_TABLE.none}</span>;
  const digest = /^(?:sha256:)?([0-9a-f]{32,})$/.exec(value)?.[1];
  if (digest !== undefined) return <Seen text={digest.slice(0, DIGEST)} title={visibleText(value)} />;
  return <Seen text={value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value} title={visibleText(value)} />;
}
