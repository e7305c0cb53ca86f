import { Tabs } from '@base-ui/react/tabs';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { fieldOfMember, isFieldWith, printQuery, type Query } from '../../../../actions/index.ts';
import { recordSignedBytes, visibleText } from '../../../../protocol/index.ts';
import type { StoredOperation } from '../../../api/answers.ts';
import { operationOf, useLedger } from '../../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../../api/ledger/places.tsx';
import { TagEditor } from '../../../components/annotations/tag-editor.tsx';
import { Answer } from '../../../components/answer.tsx';
import { ReadingOf } from '../../../components/reading.tsx';
import { fill } from '../../../lib/fill.ts';
import { listedAs } from '../../../lib/listed-as.ts';
import { HexDump } from '../../../ui/hex-dump.tsx';
import { ScrollArea } from '../../../ui/scroll-area.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { isUnsigned } from '../../cases/found/found-action.tsx';
import { valueTerm } from '../terms.ts';
import { useQueryContext, useTerms } from '../use-terms.ts';
import { foundIn, payloadOf } from './hits.ts';
import { NotSigned } from './not-signed.tsx';
import { PayloadTree } from './payload-tree.tsx';
import { PreviewFrame } from './preview-frame.tsx';
import { RECORD_MEMBERS, ROW_PREVIEW } from './texts.ts';

/** The term for a member that a query can name, where its value is a text. */
function termOf(member: string, value: string): Query | null {
  const name = fieldOfMember(member);
  return name !== undefined && isFieldWith(name, { form: 'text' }) ? valueTerm({ of: 'record', name }, value) : null;
}

/** The signed members of a record besides its payload, and what its receipt adds. */
function RecordMembers({ operation: { eor, ear } }: { readonly operation: StoredOperation }) {
  const { payload: _, ...members } = eor;
  const entries = Object.entries({
    ...members,
    server_received_at: ear.server_received_at,
    chain_hash: ear.chain_hash,
  });
  return (
    <dl className="pairs">
      {entries.map(([member, value]) => {
        const text = value === null ? 'null' : String(value);
        const term = value === null ? null : termOf(member, text);
        return (
          <div key={member}>
            <dt>{member}</dt>
            <dd className="code">
              <Seen text={text} />
            </dd>
            <dd className="cluster">
              {term !== null && <Filters key={printQuery(term)} term={term} member={member} text={text} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

interface FiltersProps {
  readonly term: Query;
  readonly member: string;
  readonly text: string;
}

function Filters({ term, member, text }: FiltersProps) {
  const { toggle } = useTerms();
  return (
    <>
      <button
        type="button"
        className="button-small"
        aria-label={visibleText(RECORD_MEMBERS.onlyOf(member, text))}
        title={RECORD_MEMBERS.onlyHint}
        onClick={() => toggle(term, 'with')}
      >
        +
      </button>
      <button
        type="button"
        className="button-small"
        aria-label={visibleText(RECORD_MEMBERS.notOf(member, text))}
        title={RECORD_MEMBERS.notHint}
        onClick={() => toggle(term, 'without')}
      >
        −
      </button>
    </>
  );
}

const route = ledgerScreen('/search');
/** This many newer records are shown with one that is looked at among its neighbours. */
const CONTEXT = 25;

/** The chosen row next to the list: its payload first, then what was read from it, its other members, its bytes. */
export function RowPreview({ operationId }: { readonly operationId: string }) {
  const ledger = useLedger();
  // The record before stays until the next one comes: whoever goes along the rows sees no flicker.
  const operation = useQuery({ ...operationOf(ledger, operationId), placeholderData: (before) => before });
  return (
    <section
      className="preview"
      aria-label={operation.data === undefined ? ROW_PREVIEW.record : ROW_PREVIEW.recordOf(listedAs(operation.data))}
      aria-busy={operation.isPlaceholderData}
    >
      {isUnsigned(operation.error) ? (
        <div className="panel-body">
          <NotSigned operationId={operationId} />
        </div>
      ) : (
        <Answer query={operation} what={ROW_PREVIEW.what}>
          {(found) => <Record operation={found} />}
        </Answer>
      )}
    </section>
  );
}

function Record({ operation }: { readonly operation: StoredOperation }) {
  const { ear } = operation;
  return (
    <PreviewFrame
      title={ROW_PREVIEW.recordOf(listedAs(operation))}
      label={ROW_PREVIEW.parts}
      tabs={[
        { value: 'details', label: ROW_PREVIEW.payload },
        { value: 'bytes', label: ROW_PREVIEW.bytes },
      ]}
      ways={
        <>
          <LedgerLink
            to="/search"
            search={(before) => ({
              columns: before.columns,
              unit: 'records',
              beforeSeq: listedAs(operation) + CONTEXT + 1,
              selected: ear.operation_id,
            })}
            className="button button-small"
            title={ROW_PREVIEW.neighboursHint}
          >
            {ROW_PREVIEW.showNeighbours}
          </LedgerLink>
          <LedgerLink
            to="/operations/$operationId"
            params={{ operationId: ear.operation_id }}
            className="button button-small"
          >
            {ROW_PREVIEW.showProof}
          </LedgerLink>
        </>
      }
    >
      <Tabs.Panel value="details" className="preview-panes">
        <ScrollArea className="preview-pane" label={ROW_PREVIEW.payload}>
          <RecordPayload operation={operation} />
        </ScrollArea>
        <ScrollArea className="preview-pane" label={ROW_PREVIEW.about}>
          <AboutRecord operation={operation} />
        </ScrollArea>
      </Tabs.Panel>
      <Tabs.Panel value="bytes" className="preview-bytes">
        <Bytes operation={operation} />
      </Tabs.Panel>
    </PreviewFrame>
  );
}

/** The payload of a record, with what people gave it. */
export function RecordPayload({ operation }: { readonly operation: StoredOperation }) {
  return (
    <>
      <TagEditor operationId={operation.ear.operation_id} />
      <Payload operation={operation} />
    </>
  );
}

/** What was read from a record, and its signed members. */
export function AboutRecord({ operation }: { readonly operation: StoredOperation }) {
  return (
    <>
      <h3>{ROW_PREVIEW.reading}</h3>
      <ReadingOf
        operationId={operation.eor.operation_id}
        linkTo={(operationId, text) => (
          <LedgerLink to="/search" search={(before) => ({ ...before, selected: operationId })}>
            {text}
          </LedgerLink>
        )}
      />
      <h3>{ROW_PREVIEW.record}</h3>
      <RecordMembers operation={operation} />
    </>
  );
}

function Payload({ operation }: { readonly operation: StoredOperation }) {
  const { query = '' } = route.useSearch();
  const context = useQueryContext();
  const read = useMemo(() => payloadOf(operation), [operation]);
  const found = useMemo(() => foundIn(query, read, context), [query, read, context]);
  const tree = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: to what was found, each time another record or query is shown
  useEffect(() => showFirstHit(tree.current), [found]);
  if (read.shown === null) {
    return <p className="preview-note muted">{ROW_PREVIEW.payloadAbsent}</p>;
  }
  return (
    <div ref={tree}>
      {read.withheldMembers.length > 0 && (
        <p className="preview-note muted">{ROW_PREVIEW.withheld(read.withheldMembers.length)}</p>
      )}
      <PayloadTree read={read} found={found} />
    </div>
  );
}

/** Scrolls the payload, and nothing around it, to what the search found first. */
function showFirstHit(tree: HTMLElement | null): void {
  const pane = tree?.closest<HTMLElement>('.preview-pane');
  if (tree == null || pane == null) return;
  const hit = tree.querySelector('mark');
  const below =
    hit?.checkVisibility() === true ? hit.getBoundingClientRect().top - pane.getBoundingClientRect().top : 0;
  // A hit that is seen anyway moves nothing.
  pane.scrollTop = hit == null || below < pane.clientHeight - LINE ? 0 : below + pane.scrollTop - pane.clientHeight / 3;
}

/** About the height of a line, in pixels. */
const LINE = 24;

function Bytes({ operation: { eor } }: { readonly operation: StoredOperation }) {
  const bytes = useMemo(() => recordSignedBytes(eor), [eor]);
  return (
    <>
      <p className="preview-note muted">
        {fill(ROW_PREVIEW.signedBytesOf, {
          bytes: <span className="number">{ROW_PREVIEW.byteCount(bytes.length)}</span>,
        })}
      </p>
      <HexDump bytes={bytes} label={ROW_PREVIEW.signedBytes} />
    </>
  );
}
