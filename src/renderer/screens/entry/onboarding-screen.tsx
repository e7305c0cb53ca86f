import { Link, useNavigate } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { refreshSession } from '../../api/session.ts';
import { Form } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { Panel } from '../../ui/panel.tsx';
import { NewOrganization } from './new-organization.tsx';
import { ONBOARDING_SCREEN } from './texts.ts';

/** For anyone who is signed in and belongs to no organization: create one, work alone, or join one with an invitation. */
export function OnboardingScreen() {
  return (
    <Screen title={ONBOARDING_SCREEN.title} name={ONBOARDING_SCREEN.title}>
      <div className="stack">
        <p className="note">{ONBOARDING_SCREEN.explained}</p>
        <div className="columns">
          <Panel title={ONBOARDING_SCREEN.withOthers}>
            <NewOrganization />
          </Panel>
          <div className="stack">
            <Panel title={ONBOARDING_SCREEN.invited}>
              <div className="stack">
                <p>{ONBOARDING_SCREEN.invitedText}</p>
                <div className="cluster">
                  <Link to="/join" search={{}} className="button">
                    {ONBOARDING_SCREEN.acceptInvitation}
                  </Link>
                </div>
              </div>
            </Panel>
            <Panel title={ONBOARDING_SCREEN.alone}>
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
  const make = async (): Promise<void> => {
    await call('onboardPersonal', { body: {} });
    await navigate({ to: '/dashboard', search: {} });
    await refreshSession();
  };
  return (
    <Form label={ONBOARDING_SCREEN.personalWorkspace} act={make} verb={ONBOARDING_SCREEN.createWorkspace} look="">
      <p>{ONBOARDING_SCREEN.workspaceExplained}</p>
    </Form>
  );
}
