import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, Outlet } from '@tanstack/react-router';
import { useMemo } from 'react';
import { visibleText } from '../../../protocol/index.ts';
import type { Case } from '../../api/answers.ts';
import { caseQuery, isBusy } from '../../api/case-queries.ts';
import { caseLedger, LedgerContext } from '../../api/ledger/ledger.ts';
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

const route = getRouteApi('/cases/$caseId');

/** Everything of one case: its banner, and below it a screen over its ledger. */
export function CaseFrame() {
  const { caseId } = route.useParams();
  const ledger = useMemo(() => caseLedger(caseId), [caseId]);
  const found = useQuery(caseQuery(caseId));
  const of = found.data;
  useEndNotice(of?.name ?? 'Case', of && isBusy(of), of?.verdict ?? of?.state ?? '');
  return (
    <LedgerContext value={ledger}>
      {found.data === undefined ? (
        <Screen title="Case" name="Case">
          <Answer query={found} what="the case">
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
  { to: '/cases/$caseId', label: 'Verdict' },
  { to: '/cases/$caseId/search', label: 'Search' },
  { to: '/cases/$caseId/sessions', label: 'Sessions' },
  { to: '/cases/$caseId/entities', label: 'Entities' },
  { to: '/cases/$caseId/agents', label: 'Agents' },
  { to: '/cases/$caseId/epochs', label: 'Epochs' },
  { to: '/cases/$caseId/compare', label: 'Compare' },
] as const;

/** Says on every screen of a case that this is no live ledger, and what is known of it. */
function Banner({ of }: { readonly of: Case }) {
  const params = { caseId: of.case_id };
  // What was not checked at all is said on the verdict alone.
  const lamp = of.coherence === null ? null : lampOf(of.coherence);
  return (
    <section className="case-banner" aria-label="Case">
      <p className="case-what">
        <Icon name="briefcase" />
        <strong>Imported case – read-only</strong>
        <Seen className="ellipsis case-name" title={visibleText(of.name)} text={of.name} />
        <CaseMark of={of} />
        {of.pages !== null && <PagesMark pages={of.pages} />}
        {lamp !== null && <CoherenceLamp lamp={lamp} of="Actions" />}
      </p>
      {of.state === 'ready' && (
        <nav className="case-tabs" aria-label="In this case">
          {TABS.map(({ to, label }) => (
            <Link key={to} to={to} params={params} activeOptions={{ exact: to === '/cases/$caseId' }}>
              {label}
            </Link>
          ))}
        </nav>
      )}
    </section>
  );
}
