import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RouteName } from '../../api/index.ts';
import { call, sentenceOf } from '../api/call.ts';
import { addressOf, caseOfPath } from '../api/ledger/places.tsx';
import { useRefusals } from '../api/permission.ts';
import { casesQuery, q, sessionQuery } from '../api/query.ts';
import { signOut } from '../api/session.ts';
import { COMPARED_WITH_LIVE } from '../lib/search-params.ts';
import { useTimeZone } from '../lib/time-zone.ts';
import { toast } from '../ui/toasts.tsx';
import { storeAppearance, storedAppearance } from './appearance.ts';
import type { Command } from './command.ts';
import { isOfEveryLedger, NAV } from './screens-list.ts';
import { CASE_COMMANDS, COMMANDS } from './texts.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Everything the palette offers for what was typed so far; the best first. */
export function useCommands(typed: string, showKeys: () => void): readonly Command[] {
  const navigate = useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const { data: agents } = useQuery({ ...q('listAgents'), enabled: session != null && session.orgId !== null });
  const ofCases = useCaseCommands();
  const zone = useTimeZone();
  const refusals = useRefusals();
  return useMemo(() => {
    const act = async (done: string, task: () => Promise<unknown>): Promise<void> => {
      try {
        await task();
        toast(done);
      } catch (error) {
        toast(sentenceOf(error), 'failed');
      }
    };
    const appearance = storedAppearance();
    const hasAccount = session != null;
    /** The command, or in its place why it is locked. */
    const permitted = (command: Command, needs: RouteName | undefined): Command => {
      const refusal = needs === undefined ? null : refusals(needs);
      return refusal === null ? command : { ...command, hint: COMMANDS.locked, run: () => toast(refusal, 'failed') };
    };
    const screens = NAV.filter(({ isOpen }) => hasAccount || isOpen).map(({ label, to, key, needs }) => {
      // In a case the letter leads to the case's own.
      const hint = ofCases.caseId !== null && isOfEveryLedger(to) ? COMMANDS.liveLedger : `g ${key}`;
      return permitted({ label, hint, run: () => void navigate({ to }) }, needs);
    });
    const ofLedger: readonly (readonly [Command, RouteName?])[] = [
      [
        {
          label: COMMANDS.verifyStoredLedger,
          hint: COMMANDS.job,
          run: () => void act(COMMANDS.verificationBegun, () => call('verifyLedger', { body: {} })),
        },
        'verifyLedger',
      ],
      [
        {
          label: COMMANDS.sealPendingRecords,
          hint: COMMANDS.job,
          run: () => void act(COMMANDS.openEpochClosed, () => call('closeEpoch', { body: {} })),
        },
        'closeEpoch',
      ],
      [
        {
          label: COMMANDS.makeExport,
          hint: COMMANDS.evidence,
          run: () => void navigate({ to: '/exports', search: { new: true } }),
        },
        'createExport',
      ],
      [
        { label: COMMANDS.signOut, hint: COMMANDS.session, run: () => void act(COMMANDS.signedOut, signOut) },
        'signOut',
      ],
    ];
    const actions: Command[] = [
      ...(hasAccount ? ofLedger.map(([command, needs]) => permitted(command, needs)) : []),
      { label: COMMANDS.openSampleCase, hint: COMMANDS.sample, run: () => void navigate({ to: '/sample' }) },
      {
        label: COMMANDS.themeLight,
        hint: COMMANDS.appearance,
        run: () => storeAppearance({ ...appearance, theme: 'light' }),
      },
      {
        label: COMMANDS.themeDark,
        hint: COMMANDS.appearance,
        run: () => storeAppearance({ ...appearance, theme: 'dark' }),
      },
      {
        label: COMMANDS.themeSystem,
        hint: COMMANDS.appearance,
        run: () => storeAppearance({ ...appearance, theme: 'system' }),
      },
      {
        label: COMMANDS.switchContrast,
        hint: COMMANDS.appearance,
        run: () => storeAppearance({ ...appearance, contrast: appearance.contrast === 'more' ? 'normal' : 'more' }),
      },
      {
        label: COMMANDS.switchTextOrder,
        hint: COMMANDS.appearance,
        run: () =>
          storeAppearance({ ...appearance, textOrder: appearance.textOrder === 'logical' ? 'reading' : 'logical' }),
      },
      { label: COMMANDS.keys, hint: '?', run: showKeys },
    ];
    const ofAgents = (agents?.agents ?? []).flatMap(({ agent_id: agentId, display_name: name }): Command[] => [
      {
        label: name === agentId ? COMMANDS.agent(agentId) : COMMANDS.agentNamed(name, agentId),
        hint: COMMANDS.agentKind,
        run: () => void navigate({ to: '/agents/$agentId', params: { agentId } }),
      },
      {
        label: COMMANDS.chain(agentId),
        hint: COMMANDS.chainKind,
        run: () => void navigate({ to: '/agents/$agentId/chain', params: { agentId }, search: {} }),
      },
    ]);
    const word = typed.trim();
    const all = [...ofCases.here, ...screens, ...ofCases.all, ...actions, ...ofAgents];
    return [...jumps(word, zone, ofCases.caseId, navigate), ...matching(all, word)].slice(0, 60);
  }, [typed, zone, agents, ofCases, session, navigate, showKeys, refusals]);
}

/** What an identifier or number that was typed or pasted leads to, in the ledger or case at hand. */
function jumps(word: string, zone: string, caseId: string | null, navigate: ReturnType<typeof useNavigate>): Command[] {
  const goTo = (place: Parameters<typeof addressOf>[1]) => () => void navigate(addressOf({ caseId }, place));
  if (UUID.test(word)) {
    const operationId = word.toLowerCase();
    return [
      {
        label: COMMANDS.operation(operationId),
        hint: COMMANDS.open,
        run: goTo({ to: '/operations/$operationId', params: { operationId } }),
      },
      {
        label: COMMANDS.epoch(operationId),
        hint: COMMANDS.open,
        run: goTo({ to: '/epochs/$epochId', params: { epochId: operationId } }),
      },
    ];
  }
  if (/^#?[1-9]\d{0,14}$/.test(word)) {
    const seqNo = Number(word.replace('#', ''));
    return [
      {
        label: COMMANDS.recordInSearch(seqNo),
        hint: 'seq_no',
        run: goTo({ to: '/search', search: { beforeSeq: seqNo + 1 } }),
      },
    ];
  }
  // Words are found by what the ledger has for them.
  if (!/[=<>~|]/.test(word)) return [];
  const search = async (): Promise<void> => {
    const { searchOfTyped } = await import('../lib/typed-query.ts');
    const found = searchOfTyped(word, zone);
    if (found === null) toast(COMMANDS.unreadable, 'failed');
    else await navigate(addressOf({ caseId }, { to: '/search', search: found }));
  };
  return [{ label: COMMANDS.searchFor(word), hint: COMMANDS.query, run: () => void search() }];
}

/**
 * What was typed finds labels: those that have it as it stands come first, then those with words that begin so. No others: what the ledger has
 * comes behind them, and most names have letters that some label has in that order.
 */
function matching(commands: readonly Command[], typed: string): Command[] {
  const has = ({ label }: Command): boolean => label.toLowerCase().includes(typed.toLowerCase());
  return [
    ...commands.filter(has),
    ...commands.filter((command) => !has(command) && isOfBeginnings(command.label, typed)),
  ];
}

/** Whether what was typed is beginnings of words of the label, in order: `vsl` finds "Verify the stored ledger". */
function isOfBeginnings(label: string, typed: string): boolean {
  const letters = typed.toLowerCase().replace(/\s/g, '');
  const reached = new Set([0]);
  for (const word of label.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    for (const from of [...reached]) {
      for (let to = from; to < letters.length && letters[to] === word[to - from]; ) reached.add(++to);
    }
  }
  return reached.has(letters.length);
}

/** What the palette offers of the case room: the parts of the case that is open, and every case. */
function useCaseCommands() {
  const navigate = useNavigate();
  const caseId = useRouterState({ select: ({ location }) => caseOfPath(location.pathname) });
  const { data } = useInfiniteQuery(casesQuery);
  const { data: session } = useQuery(sessionQuery);
  const hasLive = session != null && session.orgId !== null;
  return useMemo(() => {
    const cases = data?.pages.flatMap((page) => page.data) ?? [];
    const opened = cases.map(({ case_id, name }): Command => {
      const params = { caseId: case_id };
      return {
        label: CASE_COMMANDS.caseNamed(name),
        hint: CASE_COMMANDS.caseKind,
        run: () => void navigate({ to: '/cases/$caseId', params }),
      };
    });
    const compared = hasLive
      ? cases.map(
          ({ case_id, name }): Command => ({
            label: CASE_COMMANDS.compareWithLive(name),
            hint: CASE_COMMANDS.caseKind,
            run: () =>
              void navigate({
                to: '/cases/$caseId/compare',
                params: { caseId: case_id },
                search: { with: COMPARED_WITH_LIVE },
              }),
          }),
        )
      : [];
    const all = [...opened, ...compared];
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
  }, [caseId, data, hasLive, navigate]);
}
