import { useQuery } from '@tanstack/react-query';
import type { Case } from '../../api/answers.ts';
import { LedgerLink } from '../../api/ledger/places.tsx';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { OrganizationLabel } from '../../components/fingerprint.tsx';
import { Mark } from '../../components/mark.tsx';
import { NeedsLookPanel } from '../../components/needs-look/needs-look-panel.tsx';
import { fill } from '../../lib/fill.ts';
import { queryText } from '../../lib/query-text.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { count, Time } from '../../ui/time.tsx';
import { AskLedgerLater } from '../audit/bar/ask-ledger-later.tsx';
import { CaseMark } from './case-marks.tsx';
import { CustodyPanel } from './custody-panel.tsx';
import { ARCHIVE_CASE } from './texts.ts';

type ArchiveState = NonNullable<Case['archive']>;

interface ArchiveCaseProps {
  readonly of: Case;
  readonly archive: ArchiveState;
}

/** What a central node accepted, and what it refused. */
export function ArchiveCase({ of, archive }: ArchiveCaseProps) {
  return (
    <div className="stack">
      <AskLedgerLater />
      <Panel title={ARCHIVE_CASE.title} actions={<CaseMark of={of} />}>
        <Progress archive={archive} />
      </Panel>
      <Refused refused={archive.refused} />
      <NeedsLookPanel />
      <Ledgers of={of} />
      <CustodyPanel caseId={of.case_id} />
    </div>
  );
}

function Progress({ archive }: Pick<ArchiveCaseProps, 'archive'>) {
  const { runs, ledgers, waiting, records, indexed_to: indexedTo, looked_at: lookedAt } = archive;
  const isGrowing = waiting > 0 || indexedTo < records;
  return (
    <>
      <p>{runs + waiting === 0 ? ARCHIVE_CASE.none : ARCHIVE_CASE.accepted(runs + waiting, ledgers)}</p>
      <p>
        {isGrowing ? ARCHIVE_CASE.growing(waiting, count(indexedTo), count(records)) : ARCHIVE_CASE.searchable(records)}
      </p>
      {archive.engine !== null && <p>{ARCHIVE_CASE.ENGINE[archive.engine.state]}</p>}
      <p className="muted">
        {lookedAt === null
          ? ARCHIVE_CASE.neverLooked
          : fill(ARCHIVE_CASE.lookedAt, { time: <Time value={lookedAt} hasZone /> })}
      </p>
    </>
  );
}

function Refused({ refused }: Pick<ArchiveState, 'refused'>) {
  if (refused.length === 0) {
    return (
      <Panel title={ARCHIVE_CASE.refused}>
        <p>{ARCHIVE_CASE.nothingRefused}</p>
      </Panel>
    );
  }
  return (
    <Panel title={ARCHIVE_CASE.refused}>
      <p>{ARCHIVE_CASE.refusedIntro}</p>
      <Table heads={[ARCHIVE_CASE.code, ARCHIVE_CASE.file, ARCHIVE_CASE.meaning]}>
        {refused.map(({ path, code, findings }) => (
          <tr key={`${code} ${path}`}>
            <td>
              <Mark outcome={code === 'unconfirmed' || code === 'incomplete' ? 'cannot_check' : 'fail'} word={code} />
            </td>
            <td className="code">
              <Seen text={path} />
            </td>
            <td>
              {ARCHIVE_CASE.RUN_REFUSALS[code]}
              {findings.length > 0 && <span className="muted code"> {findings.join(', ')}</span>}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Ledgers({ of }: Pick<ArchiveCaseProps, 'of'>) {
  const ledgers = useQuery(q('archivedLedgers', { params: { case_id: of.case_id } }));
  const { organization, issuer, runs, records, lastEpoch, lastReceived } = ARCHIVE_CASE;
  return (
    <Panel title={ARCHIVE_CASE.ledgers}>
      <Answer query={ledgers} what={ARCHIVE_CASE.what}>
        {({ ledgers: all }) => (
          <Table
            heads={[
              organization,
              issuer,
              { label: runs, isRight: true },
              { label: records, isRight: true },
              { label: lastEpoch, isRight: true },
              lastReceived,
            ]}
          >
            {all.map((ledger) => (
              <tr key={`${ledger.issuer} ${ledger.organization}`}>
                <td>
                  <OrganizationLabel
                    orgId={ledger.organization}
                    name={ledger.organization_name}
                    resemblesHome={false}
                  />
                </td>
                <td>
                  <LedgerLink
                    to="/search"
                    search={{ query: queryText({ issuer: ledger.issuer, organization: ledger.organization }) }}
                    title={ARCHIVE_CASE.search}
                    className="code"
                  >
                    {ledger.issuer}
                  </LedgerLink>
                </td>
                <td className="right number">{count(ledger.runs)}</td>
                <td className="right number">{count(ledger.records)}</td>
                <td className="right number">{count(ledger.last_epoch_no)}</td>
                <td>
                  <Time value={ledger.last_received_at} />
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Answer>
    </Panel>
  );
}
