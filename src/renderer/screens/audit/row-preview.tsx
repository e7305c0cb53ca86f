import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { recordSignedBytes } from '../../../protocol/index.ts';
import type { StoredOperation } from '../../api/answers.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { LedgerLink, ledgerScreen } from '../../api/ledger/places.tsx';
import { Answer } from '../../components/answer.tsx';
import { plural } from '../../lib/plural.ts';
import type { AuditSearch } from '../../lib/search-params.ts';
import { HexDump } from '../../ui/hex-dump.tsx';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { Seen } from '../../ui/seen.tsx';
import { TagEditor } from '../cases/tag-editor.tsx';

const route = ledgerScreen('/search');
const CONTEXT = 25;

/** What a member is filtered by, where the service can. */
const FILTERS: Readonly<Record<string, 'agentId' | 'operationType' | 'subject'>> = {
  agent_id: 'agentId',
  operation_type: 'operationType',
  subject: 'subject',
};
type Without = NonNullable<AuditSearch['without']>[number][0];
const LEAVES_OUT: readonly string[] = ['agent_id', 'operation_type', 'subject', 'action'] satisfies Without[];

/** The chosen row below the list: its members on the left, the bytes that its agent signed on the right. */
export function RowPreview({ operationId }: { readonly operationId: string }) {
  const { queries } = useLedger();
  const operation = useQuery(queries.operation(operationId));
  return (
    <Answer query={operation} what="the record">
      {(found) => <Panes operation={found} />}
    </Answer>
  );
}

function Panes({ operation }: { readonly operation: StoredOperation }) {
  const navigate = route.useNavigate();
  const { eor, ear } = operation;
  const { caseId } = useLedger();
  const bytes = useMemo(() => recordSignedBytes(eor), [eor]);
  return (
    <section className="split" aria-label={`Record ${ear.seq_no}`}>
      <ScrollArea className="" label="Members">
        <div className="split-title">
          Record {ear.seq_no}
          <span className="push cluster">
            <LedgerLink
              to="/search"
              search={(before) => ({
                columns: before.columns,
                beforeSeq: ear.seq_no + CONTEXT + 1,
                selected: ear.operation_id,
              })}
              className="button button-small"
            >
              Around it
            </LedgerLink>
            <LedgerLink
              to="/operations/$operationId"
              params={{ operationId: ear.operation_id }}
              className="button button-small"
            >
              Show the proof
            </LedgerLink>
            <button
              type="button"
              className="button-small"
              aria-label="Close the details"
              onClick={() => void navigate({ search: (before) => ({ ...before, selected: undefined }), replace: true })}
            >
              ×
            </button>
          </span>
        </div>
        {caseId !== null && <TagEditor caseId={caseId} operationId={ear.operation_id} />}
        <Members operation={operation} />
      </ScrollArea>
      <div>
        <div className="split-title">
          Signed bytes <span className="muted number">{bytes.length} bytes, canonical form</span>
        </div>
        <HexDump bytes={bytes} label="Signed bytes" />
      </div>
    </section>
  );
}

function Members({ operation: { eor, ear } }: { readonly operation: StoredOperation }) {
  const navigate = route.useNavigate();
  const { payload, ...members } = eor;
  const entries = Object.entries({
    ...members,
    server_received_at: ear.server_received_at,
    chain_hash: ear.chain_hash,
  });
  return (
    <dl className="pairs">
      {entries.map(([member, value]) => {
        const text = value === null ? 'null' : String(value);
        const filter = FILTERS[member];
        return (
          <div key={member}>
            <dt>{member}</dt>
            <dd className="code">
              <Seen text={text} />
            </dd>
            <dd className="cluster">
              {filter !== undefined && (
                <button
                  type="button"
                  className="button-small"
                  aria-label={`Only ${member} ${text}`}
                  title="Only rows with this value"
                  onClick={() => void navigate({ search: (before) => ({ ...before, [filter]: text }) })}
                >
                  +
                </button>
              )}
              {LEAVES_OUT.includes(member) && (
                <button
                  type="button"
                  className="button-small"
                  aria-label={`Not ${member} ${text}`}
                  title="No rows with this value"
                  onClick={() =>
                    void navigate({
                      search: (before) => ({
                        ...before,
                        without: [...(before.without ?? []), [member as Without, text]],
                      }),
                    })
                  }
                >
                  −
                </button>
              )}
            </dd>
          </div>
        );
      })}
      <div>
        <dt>payload</dt>
        <dd className="code">{payload === undefined ? 'withheld' : plural(Object.keys(payload).length, 'member')}</dd>
        <dd />
      </div>
    </dl>
  );
}
