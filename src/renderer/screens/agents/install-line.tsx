import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { serviceAddress } from '../../api/service-address.ts';
import { FormError } from '../../components/form-end.tsx';
import { copyText } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { TextBlock } from '../../ui/text-block.tsx';
import { Time } from '../../ui/time.tsx';
import { integrationName } from './integration-names.ts';
import { type RecordedProgram, WITHOUT_HOOKS } from './recorded-programs.ts';

/** How long the token in the line is good for: long enough to paste it. */
const LIFETIME_SECONDS = 900;

/** The command that installs the recorder for a program, with a token that can register one agent, once. */
export function InstallLine({ program }: { readonly program: RecordedProgram }) {
  const label = integrationName(program);
  const refusal = useRefusal('registerAgent');
  const issue = useMutation({
    mutationFn: () =>
      call('createToken', {
        body: { scope: 'enrol', ttl_seconds: LIFETIME_SECONDS, name: `Installing the recorder for ${label}` },
      }),
  });
  const { data } = issue;
  if (data === undefined) {
    return (
      <div className="stack">
        <p className="note">
          The line registers an agent for {label} on this service, makes its key on the machine where you run it, and
          {WITHOUT_HOOKS.has(program)
            ? ' says what to point at the recorder.'
            : ` shows what it adds to the configuration of ${label} before it does so. `}
          {!WITHOUT_HOOKS.has(program) && <span className="code">countersign record uninstall {program}</span>}
          {!WITHOUT_HOOKS.has(program) && ' takes exactly that away again.'}
        </p>
        <div className="cluster">
          <PermittedButton
            call="createToken"
            className="button-primary"
            reason={refusal}
            disabled={issue.isPending}
            onClick={() => issue.mutate()}
          >
            Make the line
          </PermittedButton>
        </div>
        <FormError error={issue.error} />
      </div>
    );
  }
  const line = `npx countersign record install ${program} --service ${serviceAddress()} --token ${data.token}`;
  return (
    <div className="stack">
      <p className="note">Paste this into a terminal in the project folder of Countersign.</p>
      <TextBlock label="Command" text={line} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(line, 'Command')}>
          Copy
        </button>
        <button type="button" onClick={() => issue.reset()}>
          Make another
        </button>
      </div>
      <p className="muted note">
        The token in it can register one agent, once, until{' '}
        {data.expires_at === null ? 'you revoke it' : <Time value={data.expires_at * 1000} hasZone />}. The recorder
        keeps another one, which can only submit for this agent.
      </p>
    </div>
  );
}
