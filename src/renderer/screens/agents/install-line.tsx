import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { useRefusal } from '../../api/permission.ts';
import { serviceAddress } from '../../api/service-address.ts';
import { FormError } from '../../components/form.tsx';
import { copyText } from '../../components/hash.tsx';
import { PermittedButton } from '../../components/permitted.tsx';
import { fill } from '../../lib/fill.ts';
import { TextBlock } from '../../ui/text-block.tsx';
import { Time } from '../../ui/time.tsx';
import { integrationName } from './integration-names.ts';
import { type RecordedProgram, WITHOUT_HOOKS } from './recorded-programs.ts';
import { INSTALL_LINE } from './texts.ts';

/** How long the token in the line is good for: long enough to paste it. */
const LIFETIME_SECONDS = 900;

/** The command that installs the recorder for a program, with a token that can register one agent, once. */
export function InstallLine({ program }: { readonly program: RecordedProgram }) {
  const label = integrationName(program);
  const refusal = useRefusal('registerAgent');
  const issue = useMutation({
    mutationFn: () =>
      call('createToken', {
        body: { scope: 'enrol', ttl_seconds: LIFETIME_SECONDS, name: INSTALL_LINE.title(label) },
      }),
  });
  const { data } = issue;
  if (data === undefined) {
    return (
      <div className="stack">
        <p className="note">
          {INSTALL_LINE.explained(label)}{' '}
          {WITHOUT_HOOKS.has(program)
            ? INSTALL_LINE.otherEnd
            : fill(INSTALL_LINE.programEnd, {
                label,
                command: <span className="code">countersign record uninstall {program}</span>,
              })}
        </p>
        <div className="cluster">
          <PermittedButton
            call="createToken"
            className="button-primary"
            reason={refusal}
            disabled={issue.isPending}
            onClick={() => issue.mutate()}
          >
            {INSTALL_LINE.createCommand}
          </PermittedButton>
        </div>
        <FormError error={issue.error} />
      </div>
    );
  }
  const line = `npx countersign record install ${program} --service ${serviceAddress()} --token ${data.token}`;
  return (
    <div className="stack">
      <p className="note">{INSTALL_LINE.whereToPaste}</p>
      <TextBlock label={INSTALL_LINE.command} text={line} />
      <div className="cluster">
        <button type="button" className="button-primary" onClick={() => void copyText(line, INSTALL_LINE.command)}>
          {INSTALL_LINE.copy}
        </button>
        <button type="button" onClick={() => issue.reset()}>
          {INSTALL_LINE.another}
        </button>
      </div>
      <p className="muted note">
        {fill(INSTALL_LINE.tokenExplained, {
          expiresAt:
            data.expires_at === null ? INSTALL_LINE.youRevoke : <Time value={data.expires_at * 1000} hasZone />,
        })}
      </p>
    </div>
  );
}
