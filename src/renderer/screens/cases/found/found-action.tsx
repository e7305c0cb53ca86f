import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../../api/index.ts';
import { CallFailed } from '../../../api/call.ts';
import { LedgerLink } from '../../../api/ledger/places.tsx';
import { q } from '../../../api/query.ts';
import { AnnotationPanel } from '../../../components/annotations/annotation-panel.tsx';
import { CopyButton, Hash } from '../../../components/hash.tsx';
import { Mark } from '../../../components/mark.tsx';
import { fill } from '../../../lib/fill.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { Table } from '../../../ui/table.tsx';
import { TextBlock } from '../../../ui/text-block.tsx';
import { Time } from '../../../ui/time.tsx';
import { FITS_BY, FOUND_ACTION, FOUND_MEMBERS, FOUND_STATES } from './texts.ts';

type Action = AnswerOf<'caseFoundAction'>;

/** Whether a case has no record of an action since nobody signed it. @param error with which it was answered */
export function isUnsigned(error: Error | null): boolean {
  return error instanceof CallFailed && error.code === 'CONFLICT';
}

export function useFoundAction(caseId: string, operationId: string, isAsked = true) {
  return useQuery({
    ...q('caseFoundAction', { params: { case_id: caseId, operation_id: operationId } }),
    enabled: isAsked,
  });
}

/** An action that was found: where, by whom it was imported, what it says, and what others say of it. */
export function FoundActionOf({
  action,
  found,
}: {
  readonly action: Action;
  readonly found: NonNullable<Action['found']>;
}) {
  const text = JSON.stringify(found.payload, null, 2);
  return (
    <div className="stack">
      <Panel title={FOUND_ACTION.title} actions={<Mark outcome="cannot_check" word={FOUND_ACTION.title} />}>
        <p>{FOUND_ACTION.text}</p>
        <FactList
          of={{
            [FOUND_ACTION.foundIn]: (
              <>
                <Seen text={found.path} />{' '}
                <span className="muted number">{FOUND_ACTION.lines(found.line, found.end_line)}</span>
              </>
            ),
            [FOUND_ACTION.digest]: <Hash value={found.sha256} what={FOUND_ACTION.digest} />,
            [FOUND_ACTION.agent]: <Seen text={found.agent_id} />,
            [FOUND_ACTION.type]: <Seen text={found.operation_type} />,
            [FOUND_ACTION.subject]: <Seen text={found.subject} />,
            [FOUND_ACTION.at]: <Time value={found.at} hasZone />,
          }}
        >
          <Who label={FOUND_ACTION.collected} at={found.collected_at} by={found.collected_by} />
          <Who label={FOUND_ACTION.imported} at={found.imported_at} by={found.imported_by} />
        </FactList>
      </Panel>
      <AlsoSaid action={action} />
      <Panel title={FOUND_ACTION.contents} actions={<CopyButton text={text} what={FOUND_ACTION.contentsOf} />}>
        <TextBlock label={FOUND_ACTION.contents} text={text} />
      </Panel>
      <AnnotationPanel operationId={action.operation_id} />
    </div>
  );
}

function Who({ label, at, by }: { readonly label: string; readonly at: string | null; readonly by: string | null }) {
  if (at === null) return null;
  const person = <Seen text={by ?? FOUND_ACTION.nobody} />;
  return (
    <>
      <dt>{label}</dt>
      <dd>{fill(FOUND_ACTION.by, { time: <Time value={at} hasZone />, person })}</dd>
    </>
  );
}

/** What logs and the other account say of an action or a record; nothing where they say nothing. */
export function AlsoSaid({ action: { difference, witnesses, operation_id } }: { readonly action: Action }) {
  const other = [difference?.found, difference?.ledger].find((one) => one != null && one.operation_id !== operation_id);
  return (
    <>
      {difference !== null && (
        <Panel title={FOUND_ACTION.difference}>
          <p>
            <Mark outcome="cannot_check" word={FOUND_STATES[difference.state]} />{' '}
            {difference.members.map((member) => FOUND_MEMBERS[member]).join(', ')}
          </p>
          {other != null && (
            <p>
              <LedgerLink to="/operations/$operationId" params={{ operationId: other.operation_id }}>
                {FOUND_ACTION.other}
              </LedgerLink>
            </p>
          )}
        </Panel>
      )}
      {witnesses.length > 0 && (
        <Panel title={FOUND_ACTION.witnesses} flush>
          <p className="panel-body">{FOUND_ACTION.consistent}</p>
          <Table heads={[FOUND_ACTION.log, FOUND_ACTION.time, FOUND_ACTION.fits, FOUND_ACTION.event]}>
            {witnesses.map((one) => (
              <tr key={`${one.item_no} ${one.path} ${one.line} ${one.event_id}`}>
                <td>
                  {one.log}
                  <div className="muted">
                    <Seen text={one.path} /> {FOUND_ACTION.lines(one.line, one.line)}
                  </div>
                </td>
                <td>
                  <Time value={one.at} />
                  <div className="muted">
                    {FOUND_ACTION.offset((one.offset_ms / 1000).toFixed(1), one.offset_pairs)}
                  </div>
                </td>
                <td>{FITS_BY[one.fits_by]}</td>
                <td>
                  <Seen text={[one.program, ...one.args].filter((word) => word !== null).join(' ')} />
                </td>
              </tr>
            ))}
          </Table>
        </Panel>
      )}
    </>
  );
}
