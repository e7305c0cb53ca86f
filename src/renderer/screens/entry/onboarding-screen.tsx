import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { LIMITS, type Role } from '../../../api/index.ts';
import { call } from '../../api/call.ts';
import { refreshSession } from '../../api/session.ts';
import { Form } from '../../components/form.tsx';
import { Screen } from '../../components/screen.tsx';
import { TextField } from '../../ui/field.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { keepCodes } from '../people/issued-codes.ts';
import { roleOptions } from '../people/roles.ts';
import { NEW_ORGANIZATION, ONBOARDING_SCREEN } from './texts.ts';

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

interface Invitee {
  readonly key: number;
  readonly email: string;
  readonly role: Role;
}

/** Makes an organization, and invites others to it. Their codes then stand on the screen of its people. */
function NewOrganization() {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [invitees, setInvitees] = useState<readonly Invitee[]>([]);
  const navigate = useNavigate();
  const make = async (): Promise<void> => {
    const { invitations = [] } = await call('onboardOrganization', {
      body: {
        org_name: name,
        ...(description === '' ? {} : { description }),
        invitations: invitees.map(({ email, role }) => ({ email, role })),
      },
    });
    keepCodes(invitations.map(({ invitation_id, email, code }) => ({ invitationId: invitation_id, email, code })));
    await navigate(invitations.length === 0 ? { to: '/dashboard', search: {} } : { to: '/people', search: {} });
    await refreshSession();
  };
  const change = (key: number, part: Partial<Invitee>): void =>
    setInvitees((before) => before.map((one) => (one.key === key ? { ...one, ...part } : one)));
  const add = (): void =>
    setInvitees((before) => [
      ...before,
      { key: (before.at(-1)?.key ?? 0) + 1, email: '', role: 'readonly_investigator' },
    ]);
  return (
    <Form label={NEW_ORGANIZATION.title} act={make} verb={NEW_ORGANIZATION.submit}>
      <TextField
        label={NEW_ORGANIZATION.title}
        required
        dir="auto"
        maxLength={LIMITS.orgName}
        hint={NEW_ORGANIZATION.nameHint}
        value={name}
        onChange={setName}
      />
      <TextField
        label={NEW_ORGANIZATION.description}
        dir="auto"
        maxLength={LIMITS.orgDescription}
        value={description}
        onChange={setDescription}
      />
      {invitees.map(({ key, email, role }, index) => (
        <div key={key} className="invitee">
          <TextField
            label={NEW_ORGANIZATION.inviteAddress(index + 1)}
            type="email"
            required
            autoComplete="off"
            maxLength={LIMITS.email}
            value={email}
            onChange={(value) => change(key, { email: value })}
          />
          <SelectField
            label={NEW_ORGANIZATION.roleOf(index + 1)}
            options={roleOptions('org_owner')}
            value={role}
            onChange={(value) => change(key, { role: value })}
          />
          <button
            type="button"
            aria-label={NEW_ORGANIZATION.removeInvitation(index + 1)}
            onClick={() => setInvitees((before) => before.filter((one) => one.key !== key))}
          >
            ×
          </button>
        </div>
      ))}
      <div className="cluster">
        <button type="button" disabled={invitees.length >= LIMITS.invitationsAtOnboarding} onClick={add}>
          {NEW_ORGANIZATION.inviteSomebody}
        </button>
      </div>
    </Form>
  );
}
