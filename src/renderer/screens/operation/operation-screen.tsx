import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import type { AnswerOf } from '../../../api/index.ts';
import { shownPayload } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { pace } from '../../api/freshness.ts';
import { operationOf, useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { useRefusal } from '../../api/permission.ts';
import { q } from '../../api/query.ts';
import { AnnotationPanel } from '../../components/annotations/annotation-panel.tsx';
import { Answer } from '../../components/answer.tsx';
import { HandOverButton } from '../../components/hand-over/hand-over-button.tsx';
import { CopyButton } from '../../components/hash.tsx';
import { MerklePath } from '../../components/merkle-path.tsx';
import { Payload } from '../../components/payload.tsx';
import { ReadingOf } from '../../components/reading.tsx';
import { Screen } from '../../components/screen.tsx';
import { Steps } from '../../components/steps.tsx';
import { WayBackCrumb } from '../../components/way-back.tsx';
import { fill } from '../../lib/fill.ts';
import { listedAs } from '../../lib/listed-as.ts';
import { showPlace } from '../../lib/show-place.ts';
import { climbOf } from '../../proof/epoch-steps.ts';
import { leafOf } from '../../proof/receipt-steps.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Time } from '../../ui/time.tsx';
import { AlsoSaid, FoundActionOf, isUnsigned, useFoundAction } from '../cases/found/found-action.tsx';
import { FOUND_ACTION } from '../cases/found/texts.ts';
import { LiveOriginal } from '../cases/live-original.tsx';
import { RecordInCase } from '../cases/record-in-case.tsx';
import { CompareWith } from './compare-with.tsx';
import { DecisionPanel } from './decision-panel.tsx';
import { ErasePayload } from './erasing/erase-payload.tsx';
import { Members } from './members.tsx';
import { Raw } from './raw.tsx';
import { Standing, useStanding } from './standing.tsx';
import { OPERATION_SCREEN, PAYLOAD_PANEL, READING_PANEL, RETENTION_LINE } from './texts.ts';
import { useProof } from './use-evidence.ts';
import { ProofVerdict } from './verdict.tsx';

/** How long the payload of a record is kept, in one line. */
function RetentionLine({ operationId }: { readonly operationId: string }) {
  const { data } = useQuery(q('operationRetention', { params: { operation_id: operationId } }));
  if (data === undefined) return null;
  return (
    <p className="retention-line">
      <Icon name={data.state === 'held' ? 'lock' : 'wait'} />{' '}
      <span>
        <Words retention={data} />
      </span>
    </p>
  );
}

function Words({ retention }: { readonly retention: AnswerOf<'operationRetention'> }) {
  const { state, holds, rule, due_at: dueAt } = retention;
  const [hold] = holds;
  if (state === 'erased') return RETENTION_LINE.erased;
  if (hold !== undefined) {
    return <>{fill(RETENTION_LINE.keptByHolds(holds.length), { placedAt: <Time value={hold.placed_at} hasZone /> })}</>;
  }
  if (rule === null) return RETENTION_LINE.keptNoRule;
  if (dueAt === null) {
    return <>{fill(RETENTION_LINE.keptByRule, { rule: <Seen text={rule} /> })}</>;
  }
  return (
    <>
      {fill(state === 'due' ? RETENTION_LINE.dueSinceByRule : RETENTION_LINE.keptUntilByRule, {
        dueAt: <Time value={dueAt} hasZone />,
        rule: <Seen text={rule} />,
      })}
    </>
  );
}

/** The payload of a record as far as it is shown. */
function PayloadPanel({ operation }: { readonly operation: StoredOperation }) {
  const { eor, disclosures } = operation;
  const { caseId } = useLedger();
  const text = eor.payload === undefined ? null : JSON.stringify(shownPayload(eor.payload, disclosures), null, 2);
  return (
    <Panel
      title={PAYLOAD_PANEL.payload}
      actions={
        text !== null && (
          <>
            <CopyButton text={text} what={PAYLOAD_PANEL.what} />
            {caseId === null && <ErasePayload operation={operation} />}
          </>
        )
      }
    >
      <Payload operation={operation} />
    </Panel>
  );
}

/** What a record was read as: session, tool, outcome, entities and marks. Derived from the record, and no evidence. */
function ReadingPanel({ operation: { ear } }: { readonly operation: StoredOperation }) {
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

const route = ledgerScreen('/operations/$operationId');

/** One operation: what it says, and the whole verification of it, done again in this window. */
export function OperationScreen() {
  const { operationId } = route.useParams();
  const { seq } = route.useSearch();
  const ledger = useLedger();
  const { caseId } = ledger;
  const operation = useQuery({
    ...operationOf(ledger, operationId, seq),
    // Until it is sealed, a record gets its place in an epoch any moment.
    refetchInterval: ({ state }) => pace(state, caseId === null && state.data?.epoch === null ? 5000 : false),
  });
  return (
    <Screen
      name={OPERATION_SCREEN.titleOf(operationId)}
      title={fill(OPERATION_SCREEN.crumbs, {
        back: <WayBackCrumb />,
        seqNo: operation.data === undefined ? '' : listedAs(operation.data),
      })}
      actions={operation.data && <Ways operation={operation.data} />}
    >
      {caseId !== null && isUnsigned(operation.error) ? (
        <FoundInCase caseId={caseId} operationId={operationId} />
      ) : (
        <Answer query={operation} what={OPERATION_SCREEN.what}>
          {(found) => <Operation operation={found} />}
        </Answer>
      )}
    </Screen>
  );
}

interface FoundInCaseProps {
  readonly caseId: string;
  readonly operationId: string;
}

function FoundInCase({ caseId, operationId }: FoundInCaseProps) {
  const query = useFoundAction(caseId, operationId);
  return (
    <Answer query={query} what={FOUND_ACTION.what}>
      {(action) => action.found !== null && <FoundActionOf action={action} found={action.found} />}
    </Answer>
  );
}

/** What logs and a transcript of the same case say of a record. */
function AlsoSaidInCase({ caseId, operationId }: FoundInCaseProps) {
  const of = useQuery(q('getCase', { params: { case_id: caseId } }));
  const { data } = useFoundAction(caseId, operationId, of.data?.found != null);
  return data === undefined ? null : <AlsoSaid action={data} />;
}

function Ways({ operation }: { readonly operation: StoredOperation }) {
  const { eor, ear } = operation;
  const number = listedAs(operation);
  return (
    <>
      <LedgerLink
        to="/agents/$agentId/chain"
        params={{ agentId: ear.agent_id }}
        search={{ seq: number }}
        className="button"
      >
        {OPERATION_SCREEN.showInChain}
      </LedgerLink>
      <LedgerLink
        to="/search"
        search={{ unit: 'records', beforeSeq: number + 26, selected: ear.operation_id }}
        className="button"
      >
        {OPERATION_SCREEN.neighbours}
      </LedgerLink>
      <CompareWith operation={operation} />
      <HandOverButton
        title={OPERATION_SCREEN.handedOver(number)}
        records={() => [{ seqNo: number, operationId: ear.operation_id, text: `${eor.action} ${eor.subject}` }]}
      />
    </>
  );
}

function Operation({ operation }: { readonly operation: StoredOperation }) {
  const { steps, neighbours, epoch } = useProof(operation);
  const standing = useStanding(operation);
  const { ear } = operation;
  const { caseId } = useLedger();
  const place = useRef<HTMLDivElement>(null);
  const levels = epoch === null ? null : climbOf(operation, epoch);
  return (
    <div className="stack">
      <ProofVerdict
        steps={steps}
        isSealed={operation.epoch !== null}
        isCase={caseId !== null}
        isTimed={standing.isTimed}
        showSteps={() => showPlace(place.current)}
      />
      {caseId === null && <RetentionLine operationId={ear.operation_id} />}
      {caseId === null && <DecisionPanel key={ear.operation_id} operation={operation} steps={steps} />}
      {caseId !== null && <LiveOriginal operation={operation} />}
      {caseId !== null && <RecordInCase caseId={caseId} ear={ear} />}
      {caseId !== null && <AlsoSaidInCase caseId={caseId} operationId={ear.operation_id} />}
      <div className="columns">
        <div className="stack">
          <ReadingPanel operation={operation} />
          <Members
            operation={operation}
            previous={neighbours?.previous}
            next={neighbours?.next}
            isSettled={steps !== null}
          />
        </div>
        <PayloadPanel operation={operation} />
      </div>
      <AnnotationPanel operationId={ear.operation_id} />
      {steps !== null && (
        <div ref={place} className="shown-place" tabIndex={-1}>
          <Panel title={OPERATION_SCREEN.verification} flush>
            <Steps steps={steps} />
          </Panel>
        </div>
      )}
      {levels !== null && epoch !== null && (
        <Panel
          title={OPERATION_SCREEN.pathEpoch(epoch.epoch_no)}
          actions={
            <LedgerLink
              to="/epochs/$epochId"
              params={{ epochId: epoch.epoch_id }}
              search={{ seq: ear.seq_no }}
              className="button button-small"
            >
              {OPERATION_SCREEN.openEpoch}
            </LedgerLink>
          }
        >
          <MerklePath
            leaf={leafOf(operation)}
            index={ear.seq_no - epoch.first_seq_no}
            levels={levels}
            firstSeqNo={epoch.first_seq_no}
          />
        </Panel>
      )}
      <Standing of={standing} />
      <Raw operation={operation} />
    </div>
  );
}
