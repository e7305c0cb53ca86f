import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { RouteName } from '../../contract/index.ts';
import { call, sentenceOf } from '../api/call.ts';
import { addressOf } from '../api/ledger/places.tsx';
import { useRefusals } from '../api/permission.ts';
import { agentsQuery, sessionQuery } from '../api/queries.ts';
import { signOut } from '../api/session.ts';
import { toast } from '../ui/toasts.tsx';
import { storeAppearance, storedAppearance } from './appearance.ts';
import { useCaseCommands } from './case-commands.ts';
import type { Command } from './command.ts';
import { isOfEveryLedger, NAV } from './screens-list.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Everything the palette offers for what was typed so far; the best first. */
export function useCommands(typed: string, showKeys: () => void): readonly Command[] {
  const navigate = useNavigate();
  const { data: session } = useQuery(sessionQuery);
  const { data: agents } = useQuery({ ...agentsQuery, enabled: session != null && session.orgId !== null });
  const ofCases = useCaseCommands();
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
      return refusal === null ? command : { ...command, hint: 'locked', run: () => toast(refusal, 'failed') };
    };
    const screens = NAV.filter(({ isOpen }) => hasAccount || isOpen).map(({ label, to, key, needs }) => {
      // In a case the letter leads to the case's own.
      const hint = ofCases.caseId !== null && isOfEveryLedger(to) ? 'live ledger' : `g ${key}`;
      return permitted({ label, hint, run: () => void navigate({ to }) }, needs);
    });
    const ofLedger: readonly (readonly [Command, RouteName?])[] = [
      [
        {
          label: 'Verify the stored ledger',
          hint: 'job',
          run: () => void act('The verification has begun.', () => call('verifyLedger', { body: {} })),
        },
        'verifyLedger',
      ],
      [
        {
          label: 'Seal pending records now',
          hint: 'job',
          run: () => void act('The open epoch is closed.', () => call('closeEpoch', { body: {} })),
        },
        'closeEpoch',
      ],
      [
        {
          label: 'Make an export',
          hint: 'evidence',
          run: () => void navigate({ to: '/exports', search: { new: true } }),
        },
        'createExport',
      ],
      [{ label: 'Sign out', hint: 'session', run: () => void act('Signed out.', signOut) }],
    ];
    const actions: Command[] = [
      ...(hasAccount ? ofLedger.map(([command, needs]) => permitted(command, needs)) : []),
      { label: 'Open the sample case', hint: 'sample', run: () => void navigate({ to: '/sample' }) },
      { label: 'Theme: light', hint: 'appearance', run: () => storeAppearance({ ...appearance, theme: 'light' }) },
      { label: 'Theme: dark', hint: 'appearance', run: () => storeAppearance({ ...appearance, theme: 'dark' }) },
      {
        label: 'Theme: as the system',
        hint: 'appearance',
        run: () => storeAppearance({ ...appearance, theme: 'system' }),
      },
      {
        label: 'High contrast on or off',
        hint: 'appearance',
        run: () => storeAppearance({ ...appearance, contrast: appearance.contrast === 'more' ? 'normal' : 'more' }),
      },
      { label: 'Keys', hint: '?', run: showKeys },
    ];
    const ofAgents = (agents?.agents ?? []).flatMap(({ agent_id: agentId, display_name: name }): Command[] => [
      {
        label: name === agentId ? `Agent ${agentId}` : `Agent ${name} (${agentId})`,
        hint: 'agent',
        run: () => void navigate({ to: '/agents/$agentId', params: { agentId } }),
      },
      {
        label: `Chain of ${agentId}`,
        hint: 'chain',
        run: () => void navigate({ to: '/agents/$agentId/chain', params: { agentId }, search: {} }),
      },
    ]);
    const word = typed.trim();
    const all = [...ofCases.here, ...screens, ...ofCases.all, ...actions, ...ofAgents];
    return [...jumps(word, ofCases.caseId, navigate), ...matching(all, word)].slice(0, 60);
  }, [typed, agents, ofCases, session, navigate, showKeys, refusals]);
}

/** What an identifier or number that was typed or pasted leads to, in the ledger or case at hand. */
function jumps(word: string, caseId: string | null, navigate: ReturnType<typeof useNavigate>): Command[] {
  const goTo = (place: Parameters<typeof addressOf>[1]) => () => void navigate(addressOf({ caseId }, place));
  if (UUID.test(word)) {
    const operationId = word.toLowerCase();
    return [
      {
        label: `Operation ${operationId}`,
        hint: 'open',
        run: goTo({ to: '/operations/$operationId', params: { operationId } }),
      },
      {
        label: `Epoch ${operationId}`,
        hint: 'open',
        run: goTo({ to: '/epochs/$epochId', params: { epochId: operationId } }),
      },
    ];
  }
  if (/^#?[1-9]\d{0,14}$/.test(word)) {
    const seqNo = Number(word.replace('#', ''));
    return [
      {
        label: `Record ${seqNo} in the search`,
        hint: 'seq_no',
        run: goTo({ to: '/search', search: { beforeSeq: seqNo + 1 } }),
      },
    ];
  }
  return [];
}

/** What was typed finds labels: those that have it as it stands come first, then those with its letters. */
function matching(commands: readonly Command[], typed: string): Command[] {
  const has = ({ label }: Command): boolean => label.toLowerCase().includes(typed.toLowerCase());
  const found = commands.filter(({ label }) => matches(label, typed));
  return [...found.filter(has), ...found.filter((command) => !has(command))];
}

/** Whether all letters of what was typed are in the label, in order: `vsl` finds "Verify the stored ledger". */
function matches(label: string, typed: string): boolean {
  const text = label.toLowerCase();
  let at = 0;
  for (const letter of typed.toLowerCase().replace(/\s/g, '')) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
