import { useInfiniteQuery } from '@tanstack/react-query';
import type { AnswerOf, CustodyAction } from '../../../contract/index.ts';
import { custodyQuery } from '../../api/case-queries.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { plural } from '../../lib/plural.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

type CustodyAnswer = AnswerOf<'custody'>;
type CustodyRow = CustodyAnswer['data'][number];

const ACTION_NAMES: Readonly<Record<CustodyAction, string>> = {
  'annotation.set': 'Tags and note set',
  'annotation.remove': 'Tags and note removed',
  'case.rename': 'Case renamed',
  'case.verify': 'Verified again',
  'report.make': 'Report saved',
  'rules.change': 'Reading rules changed',
  'search.save': 'Search saved',
  'search.delete': 'Search deleted',
};

const DAMAGE_NAMES: Readonly<Record<CustodyAnswer['damage'][number]['code'], string>> = {
  ENTRY_MISSING: 'is missing',
  ENTRY_CHANGED: 'was changed',
  LINK_BROKEN: 'does not follow the entry before it',
  OTHER_CASE: 'is about another file',
};

/** Who did what with a case, and whether the log of it holds. */
export function CustodyPanel({ caseId }: { readonly caseId: string }) {
  const query = useInfiniteQuery(custodyQuery(caseId));
  const { rows, more, hasMore } = usePages(query, dataOf<CustodyRow>);
  return (
    <Panel title="Custody log" flush>
      <Answer query={query} what="the custody log">
        {({ pages }) => (
          <>
            <State log={pages[0]} />
            {rows.length > 0 && (
              <Table heads={['No.', 'When (UTC)', 'Who', 'What', 'Details']}>
                {rows.map((row) => (
                  <Entry key={row.entry_no} row={row} />
                ))}
              </Table>
            )}
            {hasMore && (
              <div className="panel-body">
                <button type="button" onClick={more} disabled={query.isFetching}>
                  Show earlier entries
                </button>
              </div>
            )}
          </>
        )}
      </Answer>
    </Panel>
  );
}

function State({ log }: { readonly log: CustodyAnswer | undefined }) {
  if (log?.head == null && (log?.damage.length ?? 0) === 0) {
    return (
      <p className="panel-body muted">
        Nothing yet. Tags, notes, saved searches, reading rules, reports and verifications are written here as they
        happen, each entry with the hash of the one before it.
      </p>
    );
  }
  return (
    <div className="panel-body stack">
      {log?.damage.map(({ entry_no, code }) => (
        <p key={`${entry_no}-${code}`}>
          <Mark outcome="fail" word={`Entry ${entry_no} ${DAMAGE_NAMES[code]}`} />
        </p>
      ))}
      {log?.damage.length === 0 && log.head !== null && (
        <p>
          <Mark outcome="pass" word={`All ${plural(log.head.entry_no, 'entry', 'entries')} hold`} />{' '}
          <span className="muted">
            Nobody has signed the log. Write down the newest hash: it shows later whether entries were cut off.
          </span>
        </p>
      )}
      {log?.head != null && (
        <p>
          Newest hash <Hash value={log.head.entry_hash} what="hash of the newest entry" />
        </p>
      )}
    </div>
  );
}

function Entry({ row: { entry_no, entry } }: { readonly row: CustodyRow }) {
  if (entry === null) {
    return (
      <tr>
        <td className="number">{entry_no}</td>
        <td colSpan={4}>
          <Mark outcome="fail" word="Cannot be read" />
        </td>
      </tr>
    );
  }
  return (
    <tr>
      <td className="number">{entry_no}</td>
      <td>
        <Time value={entry.at} />
      </td>
      <td>{entry.by === null ? <span className="muted">this workstation</span> : <Seen text={entry.by} />}</td>
      <td>{ACTION_NAMES[entry.action]}</td>
      <td className="wraps">
        <Seen text={detailsText(entry.details)} />
      </td>
    </tr>
  );
}

/** The details of an entry in one line; what is empty says nothing. */
function detailsText(details: { readonly [member: string]: unknown }): string {
  const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);
  return Object.entries(details)
    .filter(([, value]) => !isEmpty(value))
    .map(
      ([name, value]) => `${name.replaceAll('_', ' ')}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(' · ');
}
