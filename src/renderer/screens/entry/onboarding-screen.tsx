import { useMutation } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { call } from '../../api/call.ts';
import { refreshSession } from '../../api/session.ts';
import { FormError } from '../../components/form-end.tsx';
import { Screen } from '../../components/screen.tsx';
import { Panel } from '../../ui/panel.tsx';
import { NewOrganization } from './new-organization.tsx';

/** For anyone who is signed in and belongs to no organization: create one, work alone, or join one with an invitation. */
export function OnboardingScreen() {
  return (
    <Screen title="Your organization" name="Your organization">
      <div className="stack">
        <p className="note">
          You belong to no organization yet. A ledger, its agents and its members belong to one, and so will you.
        </p>
        <div className="columns">
          <Panel title="With others">
            <NewOrganization />
          </Panel>
          <div className="stack">
            <Panel title="Invited">
              <div className="stack">
                <p>You have a code from somebody whose organization you are to join.</p>
                <div className="cluster">
                  <Link to="/join" search={{}} className="button">
                    Accept an invitation
                  </Link>
                </div>
              </div>
            </Panel>
            <Panel title="Alone">
              <Personal />
            </Panel>
          </div>
        </div>
      </div>
    </Screen>
  );
}

function Personal() {
  const navigate = useNavigate();
  const make = useMutation({
    mutationFn: () => call('onboardPersonal', { body: {} }),
    onSuccess: async () => {
      await navigate({ to: '/dashboard', search: {} });
      await refreshSession();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form className="stack" onSubmit={submit} aria-label="Personal workspace">
      <p>Your own workspace, called Personal Workspace. You can invite others later; the name stays.</p>
      <FormError error={make.error} />
      <div className="cluster">
        <button type="submit" disabled={make.isPending}>
          Create workspace
        </button>
      </div>
    </form>
  );
}
