import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call, sentenceOf } from '../../api/call.ts';
import { KEYS } from '../../api/keys.ts';
import { organizationQuery } from '../../api/queries.ts';
import { Answer } from '../../components/answer.tsx';
import { Mark } from '../../components/mark.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { Panel } from '../../ui/panel.tsx';
import { toast } from '../../ui/toasts.tsx';

/** Whether auditors write and investigators search: off, as the ladder of roles has it, or on. */
export function SeparateDuties() {
  const organization = useQuery(organizationQuery);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (separate: boolean) => call('changeOrganization', { body: { separate_duties: separate } }),
    onSuccess: async (now) => {
      client.setQueryData(KEYS.organization, now);
      toast(now.separate_duties ? 'Duties are separated.' : 'Duties are no longer separated.');
      await client.invalidateQueries();
    },
    onError: (error) => toast(sentenceOf(error), 'failed'),
  });
  return (
    <Answer query={organization} what="the organization">
      {({ separate_duties: isOn }) => (
        <Panel
          title="Separation of duties"
          actions={
            <>
              <Mark outcome={isOn ? 'pass' : 'not_checked'} word={isOn ? 'On' : 'Off'} />
              <PermittedButton
                call="changeOrganization"
                className="button-small"
                disabled={change.isPending}
                onClick={() => change.mutate(!isOn)}
              >
                {isOn ? 'Stop separating duties' : 'Separate duties'}
              </PermittedButton>
            </>
          }
        >
          <p>
            When duties are separated, a compliance auditor no longer registers agents, adds keys or submits operations,
            and a readonly investigator can search operations and read the admin log. Each change is recorded in the
            admin log.
          </p>
        </Panel>
      )}
    </Answer>
  );
}
