import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../contract/index.ts';
import { caseQuery, custodyQuery } from '../../api/case-queries.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import { EarlierEntries } from '../../components/earlier-entries.tsx';
import { KeyFingerprint } from '../../components/fingerprint.tsx';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { plural } from '../../lib/plural.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { SignEntries } from './sign-entries.tsx';
import { ACTION_NAMES, DAMAGE_NAMES, SIGNATURE_STATES, TEXTS } from './texts.ts';

type CustodyAnswer = AnswerOf<'custody'>;
type CustodyRow = CustodyAnswer['data'][number];

const KEY_STATES = {
  active: ['pass', TEXTS.registered],
  revoked: ['cannot_check', TEXTS.revoked],
  unknown: ['cannot_check', TEXTS.notRegistered],
} as const;

/** Whether a key is one that this service has for the person that the signed entry names. */
function isKnownKey({ examiners }: CustodyAnswer, { kid, entry }: CustodyRow): boolean {
  return examiners.some((one) => one.kid === kid && one.signer === entry?.by && one.registered);
}

/** Who did what with a case, and whether the log of it holds. */
export function CustodyPanel({ caseId }: { readonly caseId: string }) {
  const query = useInfiniteQuery(custodyQuery(caseId));
  const { rows, more, hasMore } = usePages(query, dataOf<CustodyRow>);
  const { data: about } = useQuery(caseQuery(caseId));
  return (
    <Panel title="Custody log" flush>
      <Answer query={query} what="the custody log">
        {({ pages }) => (
          <>
            <State log={pages[0]} />
            {about !== undefined && (
              <div className="panel-body custody-sign">
                <SignEntries caseId={caseId} caseSha256={about.sha256} rows={rows} />
              </div>
            )}
            {rows.length > 0 && (
              <Table heads={['No.', 'When (UTC)', 'Who', 'What', 'Details', 'Signature']}>
                {rows.map((row) => (
                  <Entry key={row.entry_no} row={row} isKnown={pages[0] !== undefined && isKnownKey(pages[0], row)} />
                ))}
              </Table>
            )}
            <EarlierEntries more={more} hasMore={hasMore} isFetching={query.isFetching} />
          </>
        )}
      </Answer>
    </Panel>
  );
}

function State({ log }: { readonly log: CustodyAnswer | undefined }) {
  if (log?.head == null && (log?.damage.length ?? 0) === 0) {
    return <p className="panel-body muted">{TEXTS.nothingYet}</p>;
  }
  return (
    <div className="panel-body stack">
      {log?.damage.map(({ entry_no, code, item_no: item }) => (
        <p key={`${entry_no}-${code}-${item}`}>
          <Mark
            outcome="fail"
            word={
              item === undefined
                ? `Entry ${entry_no} ${DAMAGE_NAMES[code]}`
                : `Item ${item} is not what the log says: entry ${entry_no}`
            }
          />
        </p>
      ))}
      {log?.damage.length === 0 && log.head !== null && <Signed log={log} />}
      {log?.head != null && (
        <p>
          Newest hash <Hash value={log.head.entry_hash} what="hash of the newest entry" />{' '}
          <span className="muted">{TEXTS.headHint}</span>
        </p>
      )}
    </div>
  );
}

/** Whether the log holds, and whose word that is. */
function Signed({ log: { signatures, examiners, all_registered: isKnown } }: { readonly log: CustodyAnswer }) {
  const { signed, unsigned } = signatures;
  const total = signed + unsigned;
  return (
    <>
      <p>
        <Mark
          outcome={unsigned === 0 && isKnown ? 'pass' : 'cannot_check'}
          word={`${plural(total, 'entry', 'entries')}: ${unsigned > 0 ? `linked, and ${unsigned} not signed` : isKnown ? TEXTS.linkedAndSigned : TEXTS.linkedUnknownKeys}`}
        />
      </p>
      {examiners.map(({ signer, kid, entries, key }) => (
        <div key={`${kid} ${signer}`}>
          <Seen text={signer} /> signed {plural(entries, 'entry', 'entries')}, key{' '}
          <Mark outcome={KEY_STATES[key][0]} word={KEY_STATES[key][1]} />
          <KeyFingerprint kid={kid} />
        </div>
      ))}
    </>
  );
}

function Entry({
  row: { entry_no, entry, signature },
  isKnown,
}: {
  readonly row: CustodyRow;
  readonly isKnown: boolean;
}) {
  const [outcome, word] =
    signature === 'signed' && !isKnown
      ? (['cannot_check', TEXTS.signedUnknownKey] as const)
      : SIGNATURE_STATES[signature];

  if (entry === null) {
    return (
      <tr>
        <td className="number">{entry_no}</td>
        <td colSpan={5}>
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
      <td>
        {entry.by === null ? <span className="muted">{TEXTS.workstation}</span> : <Seen text={entry.by} />}
        {entry.via === 'token' && <span className="muted"> {TEXTS.byToken}</span>}
      </td>
      <td>{ACTION_NAMES[entry.action]}</td>
      <td className="wraps">
        <Seen text={detailsText(entry.details)} />
      </td>
      <td>
        <Mark outcome={outcome} word={word} />
      </td>
    </tr>
  );
}

/** The details of an entry in one line; what is empty says nothing. */
function detailsText(details: { readonly [member: string]: unknown }): string {
  const isEmpty = (value: unknown): boolean => value === '' || (Array.isArray(value) && value.length === 0);
  return Object.entries(details)
    .filter(([, value]) => !isEmpty(value))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      // A digest says itself what it is.
      return text.startsWith(`${name}:`) ? text : `${name.replaceAll('_', ' ')}: ${text}`;
    })
    .join(' · ');
}
