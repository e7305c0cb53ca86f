import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import { q } from '../../api/query.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.tsx';
import { SEPARATE_DUTIES } from './texts.ts';

/** Whether auditors write and investigators search: off, as the ladder of roles has it, or on. */
export function SeparateDuties() {
  const organization = useQuery(q('organization'));
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (separate: boolean) => call('changeOrganization', { body: { separate_duties: separate } }),
    onSuccess: async (now) => {
      client.setQueryData(q('organization').queryKey, now);
      toast(now.separate_duties ? SEPARATE_DUTIES.separated : SEPARATE_DUTIES.notSeparated);
      await client.invalidateQueries();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <Answer query={organization} what={SEPARATE_DUTIES.organization}>
      {({ separate_duties: isOn }) => (
        <Panel
          title={SEPARATE_DUTIES.separationDuties}
          actions={
            <>
              <Mark outcome={isOn ? 'pass' : 'not_checked'} word={isOn ? SEPARATE_DUTIES.on : SEPARATE_DUTIES.off} />
              <PermittedButton
                call="changeOrganization"
                className="button-small"
                disabled={change.isPending}
                onClick={() => change.mutate(!isOn)}
              >
                {isOn ? SEPARATE_DUTIES.stopSeparating : SEPARATE_DUTIES.separateDuties}
              </PermittedButton>
            </>
          }
        >
          <p>{SEPARATE_DUTIES.explained}</p>
        </Panel>
      )}
    </Answer>
  );
}
