import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { casesQuery } from '../service/case-queries.ts';
import type { Command } from './command.ts';

/** What the palette offers of the case room: the parts of the case that is open, and every case. */
export function useCaseCommands(open: boolean) {
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { data } = useInfiniteQuery({ ...casesQuery, enabled: open });
  const [, found] = /^\/cases\/([0-9a-f-]{36})(?:\/|$)/.exec(path) ?? [];
  const caseId = found ?? null;
  return useMemo(() => {
    const cases = data?.pages.flatMap((page) => page.data) ?? [];
    const all = cases.map(({ case_id, name }): Command => {
      const params = { caseId: case_id };
      return { label: `Case ${name}`, hint: 'case', run: () => void navigate({ to: '/cases/$caseId', params }) };
    });
    if (caseId === null) return { caseId, here: [], all };
    const params = { caseId };
    const here: readonly Command[] = [
      { label: 'This case: verdict', run: () => navigate({ to: '/cases/$caseId', params }) },
      { label: 'This case: search', run: () => navigate({ to: '/cases/$caseId/search', params, search: {} }) },
      { label: 'This case: agents', run: () => navigate({ to: '/cases/$caseId/agents', params, search: {} }) },
      { label: 'This case: epochs', run: () => navigate({ to: '/cases/$caseId/epochs', params }) },
      { label: 'This case: compare', run: () => navigate({ to: '/cases/$caseId/compare', params, search: {} }) },
    ].map(({ label, run }) => ({ label, hint: 'case', run: () => void run() }));
    return { caseId, here, all };
  }, [caseId, data, navigate]);
}
