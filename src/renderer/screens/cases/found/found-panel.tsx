import { useQuery } from '@tanstack/react-query';
import type { AnswerOf } from '../../../../api/index.ts';
import type { Case } from '../../../api/answers.ts';
import { LedgerLink } from '../../../api/ledger/places.tsx';
import { q } from '../../../api/query.ts';
import { Answer } from '../../../components/answer.tsx';
import { Mark } from '../../../components/mark.tsx';
import { sizeText } from '../../../lib/size.ts';
import { FactList } from '../../../ui/fact-list.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { Seen } from '../../../ui/seen.tsx';
import { Table } from '../../../ui/table.tsx';
import { count, Time } from '../../../ui/time.tsx';
import { FOUND_MEMBERS, FOUND_PANEL, FOUND_STATES, SIGN_NAMES } from './texts.ts';

/** The most rows that a list here shows: the interface has all of them. */
const SHOWN = 200;

interface FoundPanelProps {
  readonly of: Case;
  readonly found: NonNullable<Case['found']>;
}

/** What a case has of files that nobody signed: how much, what was altered, and what the ledger says instead. */
export function FoundPanel({ of, found }: FoundPanelProps) {
  const asked = { params: { case_id: of.case_id }, query: { limit: SHOWN } };
  const files = useQuery(q('caseFoundFiles', asked));
  const notes = useQuery({ ...q('caseFoundNotes', asked), enabled: found.signs + found.unread > 0 });
  const differences = useQuery({ ...q('caseFoundDifferences', asked), enabled: found.shared_sessions > 0 });
  return (
    <>
      <Panel title={FOUND_PANEL.title} flush actions={<Mark outcome="not_applicable" word={FOUND_PANEL.notSigned} />}>
        <FactList
          className="facts panel-body"
          of={{
            [FOUND_PANEL.read]: FOUND_PANEL.readOf(
              count(found.transcripts),
              count(found.sessions),
              count(found.actions),
            ),
            [FOUND_PANEL.logs]: found.logs > 0 && FOUND_PANEL.logsOf(count(found.events), count(found.corroborated)),
            [FOUND_PANEL.altered]:
              found.signs === 0 ? (
                FOUND_PANEL.noSigns
              ) : (
                <Mark
                  outcome="cannot_check"
                  word={FOUND_PANEL.signsIn(count(found.signs), count(found.altered_files))}
                />
              ),
            [FOUND_PANEL.ledger]:
              found.shared_sessions > 0 &&
              FOUND_PANEL.ledgerOf(
                count(found.same),
                count(found.differing),
                count(found.only_found),
                count(found.only_ledger),
              ),
          }}
        />
        <Answer query={files} what={FOUND_PANEL.filesLoaded}>
          {({ data }) => <Files files={data} />}
        </Answer>
        {files.data?.hasMore === true && <p className="panel-body muted">{FOUND_PANEL.first(count(SHOWN))}</p>}
      </Panel>
      {found.signs + found.unread > 0 && (
        <Panel title={FOUND_PANEL.notes} flush>
          <Answer query={notes} what={FOUND_PANEL.notesLoaded}>
            {({ data }) => <Notes notes={data} />}
          </Answer>
        </Panel>
      )}
      {found.shared_sessions > 0 && found.differing + found.only_found + found.only_ledger > 0 && (
        <Panel title={FOUND_PANEL.ledger} flush>
          <Answer query={differences} what={FOUND_PANEL.callsLoaded}>
            {({ data }) => <Differences differences={data} />}
          </Answer>
        </Panel>
      )}
    </>
  );
}

function Files({ files }: { readonly files: AnswerOf<'caseFoundFiles'>['data'] }) {
  return (
    <Table
      heads={[
        FOUND_PANEL.item,
        FOUND_PANEL.file,
        FOUND_PANEL.kind,
        { label: FOUND_PANEL.actions, isRight: true },
        { label: FOUND_PANEL.signs, isRight: true },
        FOUND_PANEL.modified,
      ]}
    >
      {files.map((file) => (
        <tr key={`${file.item_no} ${file.file_no}`}>
          <td className="number">{FOUND_PANEL.place(file.item_no, file.file_no)}</td>
          <td>
            <Seen text={file.path} /> <span className="muted number">{sizeText(file.bytes)}</span>
            {file.changed && <Mark outcome="cannot_check" word={FOUND_PANEL.changed} />}
          </td>
          <td>{file.program ?? file.kind ?? FOUND_PANEL.notRead}</td>
          <td className="right number">{count(file.actions + file.events)}</td>
          <td className="right number" title={file.looked_for ?? undefined}>
            {count(file.signs)}
          </td>
          <td>{file.modified_at === null ? '–' : <Time value={file.modified_at} />}</td>
        </tr>
      ))}
    </Table>
  );
}

function Notes({ notes }: { readonly notes: AnswerOf<'caseFoundNotes'>['data'] }) {
  return (
    <Table heads={[FOUND_PANEL.sign, FOUND_PANEL.where, FOUND_PANEL.said]}>
      {notes.map((note) => (
        <tr key={`${note.item_no} ${note.file_no} ${note.line} ${note.code} ${note.message}`}>
          <td>{SIGN_NAMES[note.code]}</td>
          <td>
            <Seen text={note.path} /> <span className="muted number">{FOUND_PANEL.line(note.line)}</span>
          </td>
          <td>
            <Seen text={note.message} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function Differences({ differences }: { readonly differences: AnswerOf<'caseFoundDifferences'>['data'] }) {
  return (
    <Table heads={[FOUND_PANEL.state, FOUND_PANEL.action, FOUND_PANEL.session]}>
      {differences.map(({ state, members, session, call_id, title, found, ledger }) => (
        <tr key={`${found?.operation_id ?? ''} ${ledger?.operation_id ?? ''}`}>
          <td>
            {FOUND_STATES[state]}
            {members.length > 0 && (
              <span className="muted"> {members.map((member) => FOUND_MEMBERS[member]).join(', ')}</span>
            )}
          </td>
          <td>
            {[found, ledger].map(
              (one) =>
                one !== null && (
                  <div key={one.operation_id}>
                    <LedgerLink to="/operations/$operationId" params={{ operationId: one.operation_id }}>
                      {one === found ? FOUND_PANEL.inTranscript : FOUND_PANEL.inLedger}
                    </LedgerLink>
                  </div>
                ),
            )}
            <Seen text={title} />
          </td>
          <td>
            <Seen text={session} /> {call_id !== null && <span className="muted">{call_id}</span>}
          </td>
        </tr>
      ))}
    </Table>
  );
}
