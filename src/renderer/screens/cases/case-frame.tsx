import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { isBusy } from '../../api/freshness.ts';
import { LedgerContext, ledgerOf } from '../../api/ledger/ledger.ts';
import { q } from '../../api/query.ts';
import { useEndNotice } from '../../api/use-end-notice.ts';
import { Answer } from '../../components/answer.tsx';
import { Screen } from '../../components/screen.tsx';
import { CoherenceLamp } from '../../report/coherence-lamp.tsx';
import { lampOf } from '../../report/coherence-words.ts';
import { PagesMark } from '../../report/pages-banner.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Seen } from '../../ui/seen.tsx';
import { CaseMark } from './case-marks.tsx';
import { ImportState } from './import-state.tsx';
import { CASE_FRAME } from './texts.ts';

const route = getRouteApi('/cases/$caseId');

/** Everything of one case: its banner, and below it a screen over its ledger. */
export function CaseFrame() {
  const { caseId } = route.useParams();
  const found = useQuery(q('getCase', { params: { case_id: caseId } }));
  const isArchive = found.data?.archive != null;
  const ledger = useMemo(() => ledgerOf(caseId, isArchive), [caseId, isArchive]);
  const of = found.data;
  useEndNotice(of?.name ?? CASE_FRAME.case, of && isBusy(of), of?.verdict ?? of?.state ?? '');
  return (
    <LedgerContext value={ledger}>
      {found.data === undefined ? (
        <Screen title={CASE_FRAME.case} name={CASE_FRAME.nameless}>
          <Answer query={found} what={CASE_FRAME.what}>
            {() => null}
          </Answer>
        </Screen>
      ) : (
        <>
          <Banner of={found.data} />
          {found.data.state === 'ready' ? <Outlet /> : <ImportState of={found.data} />}
        </>
      )}
    </LedgerContext>
  );
}

const TABS = [
  { to: '/cases/$caseId', label: CASE_FRAME.verdict },
  { to: '/cases/$caseId/search', label: CASE_FRAME.search },
  { to: '/cases/$caseId/sessions', label: CASE_FRAME.sessions },
  { to: '/cases/$caseId/entities', label: CASE_FRAME.entities },
  { to: '/cases/$caseId/agents', label: CASE_FRAME.agents },
  { to: '/cases/$caseId/epochs', label: CASE_FRAME.epochs },
  { to: '/cases/$caseId/compare', label: CASE_FRAME.compare },
] as const;

/** Says on every screen of a case that this is no live ledger, and what is known of it. */
function Banner({ of }: { readonly of: Case }) {
  const params = { caseId: of.case_id };
  const path = useRouterState({ select: ({ location }) => location.pathname });
  // The titles of these have the name.
  const isNamedBelow = [`/cases/${of.case_id}`, `/cases/${of.case_id}/compare`].includes(path.replace(/\/$/, ''));
  // What was not checked at all is said on the verdict alone.
  const lamp = of.coherence === null ? null : lampOf(of.coherence);
  return (
    <section className="case-banner" aria-label={CASE_FRAME.case}>
      <p className="case-what">
        <Icon name="briefcase" />
        <strong>{of.archive === null ? CASE_FRAME.importedReadOnly : CASE_FRAME.archiveReadOnly}</strong>
        {!isNamedBelow && <Seen className="ellipsis case-name" title={visibleText(of.name)} text={of.name} />}
        <CaseMark of={of} />
        {of.pages !== null && <PagesMark pages={of.pages} />}
        {lamp !== null && <CoherenceLamp lamp={lamp} of={CASE_FRAME.actions} />}
      </p>
      {of.state === 'ready' && (
        <nav className="case-tabs" aria-label={CASE_FRAME.inThisCase}>
          {TABS.filter(({ to }) => of.archive === null || to !== '/cases/$caseId/compare').map(({ to, label }) => (
            <Link key={to} to={to} params={params} activeOptions={{ exact: to === '/cases/$caseId' }}>
              {label}
            </Link>
          ))}
        </nav>
      )}
    </section>
  );
}
