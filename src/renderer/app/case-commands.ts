import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import { caseOfPath } from '../api/ledger/places.tsx';
import { casesQuery } from '../api/query.ts';
import type { Command } from './command.ts';
import { CASE_COMMANDS } from './texts.ts';

/** What the palette offers of the case room: the parts of the case that is open, and every case. */
export function useCaseCommands() {
  const navigate = useNavigate();
  const caseId = useRouterState({ select: ({ location }) => caseOfPath(location.pathname) });
  const { data } = useInfiniteQuery(casesQuery);
  return useMemo(() => {
    const cases = data?.pages.flatMap((page) => page.data) ?? [];
    const all = cases.map(({ case_id, name }): Command => {
      const params = { caseId: case_id };
      return {
        label: CASE_COMMANDS.caseNamed(name),
        hint: CASE_COMMANDS.caseKind,
        run: () => void navigate({ to: '/cases/$caseId', params }),
      };
    });
    if (caseId === null) return { caseId, here: [], all };
    const params = { caseId };
    const here: readonly Command[] = [
      {
        label: CASE_COMMANDS.verdict,
        hint: CASE_COMMANDS.caseKind,
        run: () => navigate({ to: '/cases/$caseId', params }),
      },
      {
        label: CASE_COMMANDS.search,
        hint: 'g s',
        run: () => navigate({ to: '/cases/$caseId/search', params, search: {} }),
      },
      {
        label: CASE_COMMANDS.agents,
        hint: 'g a',
        run: () => navigate({ to: '/cases/$caseId/agents', params, search: {} }),
      },
      { label: CASE_COMMANDS.epochs, hint: 'g e', run: () => navigate({ to: '/cases/$caseId/epochs', params }) },
      {
        label: CASE_COMMANDS.compare,
        hint: CASE_COMMANDS.caseKind,
        run: () => navigate({ to: '/cases/$caseId/compare', params, search: {} }),
      },
    ].map(({ label, hint, run }) => ({ label: CASE_COMMANDS.thisCase(label), hint, run: () => void run() }));
    return { caseId, here, all };
  }, [caseId, data, navigate]);
}
