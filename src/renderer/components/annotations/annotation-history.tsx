import { useInfiniteQuery } from '@tanstack/react-query';
import type { JsonObject } from '../../../protocol/index.ts';
import { useLedger } from '../../api/ledger/ledger.ts';
import { pages } from '../../api/query.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { Answer } from '../answer.tsx';
import { EarlierEntries } from '../earlier-entries.tsx';
import { Mark } from '../mark.tsx';
import { ANNOTATION_TEXTS as TEXTS } from './texts.ts';

/** One thing that was written about a record. */
interface AnnotationAct {
  readonly at: string;
  readonly by: string | null;
  readonly action: string;
  readonly details: JsonObject;
}

type Row = { readonly entry_no: number; readonly entry: AnnotationAct | null };

/** Who wrote what about a record, newest first; nothing of it is ever changed or taken out. */
export function AnnotationHistory({ operationId }: { readonly operationId: string }) {
  const { caseId } = useLedger();
  const query = useInfiniteQuery(
    pages(caseId === null ? 'annotationLog' : 'custody', {
      ...(caseId === null ? {} : { params: { case_id: caseId } }),
      query: { limit: 20, operation_id: operationId },
    }),
  );
  const { rows, more, hasMore } = usePages(query, dataOf<Row>);
  return (
    <Panel title={TEXTS.history} flush>
      <Answer query={query} what={TEXTS.theHistory}>
        {({ pages: found }) => (
          <>
            {found.some(({ damage }) => damage.length > 0) && (
              <p className="panel-body">
                <Mark outcome="fail" word={TEXTS.logDamaged} />
              </p>
            )}
            <Table heads={TEXTS.historyHeads}>
              {rows.map((row) => (
                <Act key={row.entry_no} row={row} />
              ))}
            </Table>
            <EarlierEntries more={more} hasMore={hasMore} isFetching={query.isFetching} />
          </>
        )}
      </Answer>
    </Panel>
  );
}

function Act({ row: { entry } }: { readonly row: Row }) {
  if (entry === null) {
    return (
      <tr>
        <td colSpan={4}>
          <Mark outcome="fail" word={TEXTS.unreadable} />
        </td>
      </tr>
    );
  }
  const { at, by, action, details } = entry;
  return (
    <tr>
      <td>
        <Time value={at} />
      </td>
      <td>{by === null ? <span className="muted">{TEXTS.workstation}</span> : <Seen text={by} />}</td>
      <td>{action === 'annotation.remove' ? TEXTS.acts['annotation.remove'] : TEXTS.acts['annotation.set']}</td>
      <td className="wraps">
        <Seen text={stateText(details)} />
      </td>
    </tr>
  );
}

/** What the record had from then on, on one line. */
function stateText({ tags, note, bookmarked }: JsonObject): string {
  const parts = [
    ...(bookmarked === true ? [TEXTS.bookmarked] : []),
    ...(Array.isArray(tags) && tags.length > 0 ? [`${TEXTS.tags}: ${tags.join(', ')}`] : []),
    ...(typeof note === 'string' && note !== '' ? [`${TEXTS.noteLabel}: ${note}`] : []),
  ];
  return parts.length === 0 ? '–' : parts.join(' · ');
}
