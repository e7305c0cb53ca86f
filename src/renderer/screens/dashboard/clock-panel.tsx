import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { askBefore } from '../../components/confirm.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { useTimeZone } from '../../lib/time-zone.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { timeWords } from '../../ui/time.tsx';
import { toast } from '../../ui/toasts.tsx';
import { CLOCK_PANEL } from './texts.ts';

/** What is wrong with the service's time, and what an owner of the home organization may do about it; nothing where all is right. */
export function ClockPanel() {
  const zone = useTimeZone();
  const health = useQuery(q('deepHealth'));
  const isWrong = health.data?.checks.clock.status === 'bad';
  const { data: clock } = useQuery({ ...q('getClock'), enabled: isWrong });
  if (!isWrong || clock === undefined || clock.state === 'right' || clock.id === null) return null;
  const { state, id, cause, reads, expected, latest, administered_here: isHome } = clock;
  const texts = CLOCK_PANEL[state];
  const what = state === 'in_doubt' ? CLOCK_PANEL.in_doubt[cause ?? 'jump'] : CLOCK_PANEL.ledger_ahead.what;
  return (
    <Panel title={texts.heading} actions={<Answer state={state} id={id} reason={isHome ? null : CLOCK_PANEL.guest} />}>
      <p className="coverage-mark">
        <Icon name="warning" />
        {what(timeWords(reads, zone), timeWords(expected ?? latest ?? reads, zone))}
      </p>
      <p className="muted">{texts.toDo}</p>
    </Panel>
  );
}

interface AnswerProps {
  readonly state: 'in_doubt' | 'ledger_ahead';
  readonly id: string;
  /** Why it is not for this person; null where it is. */
  readonly reason: string | null;
}

/** Asks for a reason, which is recorded, and answers the state that the panel shows. */
function Answer({ state, id, reason: notAllowed }: AnswerProps) {
  const client = useQueryClient();
  const texts = CLOCK_PANEL[state];
  const route = state === 'in_doubt' ? 'confirmClock' : 'correctClock';
  const act = async (reason: string): Promise<void> => {
    await call(route, { body: { id, reason } });
    toast(texts.done);
    await client.invalidateQueries();
  };
  return (
    <PermittedButton
      call={route}
      reason={notAllowed}
      onClick={() =>
        askBefore({
          title: texts.title,
          verb: texts.verb,
          wantsReason: true,
          act,
          children: <p>{texts.effect}</p>,
        })
      }
    >
      {texts.ask}
    </PermittedButton>
  );
}
