import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { casesQuery } from '../api/case-queries.ts';
import { caseOfPath } from '../api/ledger/places.tsx';
import type { Command } from './command.ts';

/** What the palette offers of the case room: the parts of the case that is open, and every case. */
export function useCaseCommands() {
  const navigate = useNavigate();
  const caseId = useRouterState({ select: ({ location }) => caseOfPath(location.pathname) });
  const { data } = useInfiniteQuery(casesQuery);
  return useMemo(() => {
    const cases = data?.pages.flatMap((page) => page.data) ?? [];
    const all = cases.map(({ case_id, name }): Command => {
      const params = { caseId: case_id };
      return { label: `Case ${name}`, hint: 'case', run: () => void navigate({ to: '/cases/$caseId', params }) };
    });
    if (caseId === null) return { caseId, here: [], all };
    const params = { caseId };
    const here: readonly Command[] = [
      { label: 'verdict', hint: 'case', run: () => navigate({ to: '/cases/$caseId', params }) },
      { label: 'search', hint: 'g s', run: () => navigate({ to: '/cases/$caseId/search', params, search: {} }) },
      { label: 'agents', hint: 'g a', run: () => navigate({ to: '/cases/$caseId/agents', params, search: {} }) },
      { label: 'epochs', hint: 'g e', run: () => navigate({ to: '/cases/$caseId/epochs', params }) },
      { label: 'compare', hint: 'case', run: () => navigate({ to: '/cases/$caseId/compare', params, search: {} }) },
    ].map(({ label, hint, run }) => ({ label: `This case: ${label}`, hint, run: () => void run() }));
    return { caseId, here, all };
  }, [caseId, data, navigate]);
}
