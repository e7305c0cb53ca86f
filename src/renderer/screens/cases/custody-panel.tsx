import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type AnswerOf, MAX_SIGNED_AT_ONCE } from '../../../api/index.ts';
import { pages, q } from '../../api/query.ts';
import { invalidate } from '../../api/query-client.ts';
import { dataOf, usePages } from '../../api/use-pages.ts';
import { Answer } from '../../components/answer.tsx';
import { FormError } from '../../components/form.tsx';
import { Hash } from '../../components/hash.tsx';
import { Mark } from '../../components/mark.tsx';
import { NextPage } from '../../components/next-page.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { useCaseSigner } from '../../components/use-case-signer.ts';
import { cannotMakeKey } from '../../decisions/key-store.ts';
import { type CaseToSign, signEntries } from '../../decisions/sign-case.ts';
import { fill } from '../../lib/fill.ts';
import { Panel } from '../../ui/panel.tsx';
import { Seen } from '../../ui/seen.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CustodyDamage } from './custody-damage.tsx';
import { ExaminerKey } from './examiner-key.tsx';
import { ACTION_NAMES, CUSTODY_PANEL, SIGN_ENTRIES, SIGNATURE_STATES, TEXTS } from './texts.ts';

type Row = AnswerOf<'custody'>['data'][number];

/** Acts from before belong to another session: nobody signs those without being asked. */
const OPENED_AT = Date.now();

interface SignEntriesProps extends CaseToSign {
  /** Those that are shown. */
  readonly rows: readonly Row[];
}

/**
 * Has the person who is signed in sign their own entries with the key of this browser: those of this window as they appear, where
 * there is a key; earlier ones and those of API tokens when they say so.
 */
function SignEntries({ caseId, caseSha256, logId, rows }: SignEntriesProps) {
  const signer = useCaseSigner();
  const tried = useRef(new Set<string>());
  const own = rows
    .filter(({ entry, signable }) => signer !== null && entry?.by === signer.email && signable)
    .slice(0, MAX_SIGNED_AT_ONCE);
  const sign = useMutation({
    mutationFn: async ({ entries, makesKey }: { readonly entries: readonly Row[]; readonly makesKey: boolean }) =>
      signer === null ? null : signEntries(signer, { caseId, caseSha256, logId }, entries, makesKey),
    onSuccess: () => invalidate('custody'),
  });
  const fresh = own.filter(({ entry }) => entry?.via !== 'token' && Date.parse(entry?.at ?? '') >= OPENED_AT);
  const isNew = fresh.some(({ entry_hash }) => !tried.current.has(entry_hash));
  useEffect(() => {
    if (!isNew || sign.isPending) return;
    for (const { entry_hash } of fresh) tried.current.add(entry_hash);
    sign.mutate({ entries: fresh, makesKey: false });
  });
  if (signer === null || own.length === 0) return null;
  return (
    <div className="cluster">
      <PermittedButton
        call="signCustody"
        reason={cannotMakeKey()}
        disabled={sign.isPending}
        onClick={() => sign.mutate({ entries: own, makesKey: true })}
      >
        {SIGN_ENTRIES.sign(own.length)}
      </PermittedButton>
      <FormError error={sign.error} />
    </div>
  );
}

type CustodyAnswer = AnswerOf<'custody'>;
type CustodyRow = CustodyAnswer['data'][number];

/** Whether a key is one that this service has for the person that the signed entry names. */
function isKnownKey({ examiners }: CustodyAnswer, { kid, entry }: CustodyRow): boolean {
  return examiners.some((one) => one.kid === kid && one.signer === entry?.by && one.registered);
}

/** Who did what with a case, and whether the log of it holds. */
export function CustodyPanel({ caseId }: { readonly caseId: string }) {
  const query = useInfiniteQuery(pages('custody', { params: { case_id: caseId }, query: { limit: 50 } }));
  const { rows } = usePages(query, dataOf<CustodyRow>);
  const { data: about } = useQuery(q('getCase', { params: { case_id: caseId } }));
  return (
    <Panel title={CUSTODY_PANEL.title} flush>
      <Answer query={query} what={CUSTODY_PANEL.what}>
        {({ pages }) => (
          <>
            <State log={pages[0]} />
            {about !== undefined && (
              <div className="panel-body custody-sign">
                <SignEntries caseId={caseId} caseSha256={about.sha256} logId={pages[0]?.log_id ?? null} rows={rows} />
              </div>
            )}
            {rows.length > 0 && (
              <Table
                heads={[
                  CUSTODY_PANEL.number,
                  CUSTODY_PANEL.when,
                  CUSTODY_PANEL.who,
                  CUSTODY_PANEL.action,
                  CUSTODY_PANEL.details,
                  CUSTODY_PANEL.signature,
                ]}
              >
                {rows.map((row) => (
                  <Entry key={row.entry_no} row={row} isKnown={pages[0] !== undefined && isKnownKey(pages[0], row)} />
                ))}
              </Table>
            )}
            <NextPage query={query} />
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
      <CustodyDamage damage={log?.damage ?? []} />
      {log?.damage.length === 0 && log.head !== null && <Signed log={log} />}
      {log?.head != null && log.log_id === null && (
        <p>
          <Mark outcome="cannot_check" word={CUSTODY_PANEL.namesNoCase} />
        </p>
      )}
      {log?.head != null && (
        <p>
          {fill(CUSTODY_PANEL.newest, {
            hash: <Hash value={log.head.entry_hash} what={CUSTODY_PANEL.hashOfNewest} />,
            hint: <span className="muted">{TEXTS.headHint}</span>,
          })}
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
          outcome={
            examiners.some(({ key }) => key === 'other') ? 'fail' : unsigned === 0 && isKnown ? 'pass' : 'cannot_check'
          }
          word={`${CUSTODY_PANEL.entries(total)}: ${unsigned > 0 ? CUSTODY_PANEL.linkedUnsigned(unsigned) : isKnown ? TEXTS.linkedAndSigned : TEXTS.linkedUnknownKeys}`}
        />
      </p>
      {examiners.map(({ signer, kid, entries, key }) => (
        <div key={`${kid} ${signer}`}>
          {fill(CUSTODY_PANEL.signedBy(entries), { signer: <Seen text={signer} /> })}{' '}
          <ExaminerKey state={key} kid={kid} />
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
          <Mark outcome="fail" word={CUSTODY_PANEL.cannotRead} />
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
      // Of a signature its key says whose it is; the rest is bytes.
      const said = name === 'seal' ? (value as { readonly kid?: unknown } | null)?.kid : value;
      const text = typeof said === 'string' ? said : JSON.stringify(said ?? null);
      // A digest says itself what it is.
      return text.startsWith(`${name}:`) ? text : `${name.replaceAll('_', ' ')}: ${text}`;
    })
    .join(' · ');
}
