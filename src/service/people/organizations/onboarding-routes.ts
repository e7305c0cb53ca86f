import type { Role } from '../../../api/index.ts';
import type { Handlers } from '../../http/handler.ts';
import { ServiceError } from '../../store/base/service-error.ts';
import type { WritableStore } from '../../store/open.ts';
import type { Settings } from '../../store/settings/settings-type.ts';
import type { WriteAccess } from '../../store/write-access.ts';
import { extendSession } from '../identity/tokens.ts';
import { type IssuedInvitation, invite, type SendInvitations } from '../members/invitations.ts';
import { hasOrganization } from '../members/membership.ts';
import { createOrganization } from './create-organization.ts';
import type { Claim, SetUp } from './set-up.ts';

interface OnboardingDeps extends WriteAccess {
  readonly settings: Settings;
  readonly setUp: SetUp;
  readonly mailInvitations: SendInvitations;
}

interface Workspace {
  readonly name: string;
  readonly type: 'personal' | 'organization';
  readonly description?: string | undefined;
  readonly invitations: readonly { readonly email: string; readonly role: Role }[];
  readonly claim: Claim | null;
  readonly most: number;
}

/** Makes a user the owner of a new organization and invites others; within the writer's transaction. */
function createWorkspace(
  store: WritableStore,
  userId: string,
  { invitations, ...organization }: Workspace,
  now: number,
): { orgId: string; issued: IssuedInvitation[] } {
  if (hasOrganization(store, userId))
    throw new ServiceError('CONFLICT', 'onboarding is completed: you have an organization');
  const orgId = createOrganization(store, { ...organization, userId }, now);
  const actor = { orgId, userId, role: 'org_owner' } as const;
  return { orgId, issued: invitations.map(({ email, role }) => invite(store, actor, email, role, now)) };
}

export function onboardingRoutes(context: OnboardingDeps) {
  const { writer, now } = context;
  const { setUp } = context;
  const most = (): number => context.settings.quotaOrganizations;
  return {
    onboardingStatus: ({ caller }) => ({
      body: { onboarding_completed: caller.orgId === null ? 0 : 1, org_id: caller.orgId },
    }),

    onboardPersonal: async ({ caller, token, body, workstation, address }) => {
      const claim = await setUp.claimOf({ code: body.setup_code, workstation, address });
      const workspace: Workspace = {
        name: 'Personal Workspace',
        type: 'personal',
        invitations: [],
        claim,
        most: most(),
      };
      // A crash after it leaves the workspace made: the next request finds the caller in it.
      const { orgId } = await writer.transact((store) => createWorkspace(store, caller.userId, workspace, now()));
      if (claim !== null) setUp.spend();
      if (caller.by !== 'session' || token === null) return { body: { org_id: orgId } };
      // The session, and the browser's cookie, begin their lifetime again.
      // A crash after it leaves the session extended, and the cookie as it was.
      await writer.transact((tx) => extendSession(tx, token, now()));
      return { body: { org_id: orgId }, sessionToken: token };
    },

    onboardOrganization: async ({ body, caller, workstation, address }) => {
      const { org_name: name, description, invitations, setup_code: code } = body;
      const claim = await setUp.claimOf({ code, workstation, address });
      const workspace: Workspace = { name, type: 'organization', description, invitations, claim, most: most() };
      // A crash after it leaves workspace and invitations, whose codes nobody has seen: they are listed.
      const { orgId, issued } = await writer.transact((store) =>
        createWorkspace(store, caller.userId, workspace, now()),
      );
      if (claim !== null) setUp.spend();
      context.mailInvitations({ orgId, userId: caller.userId }, issued);
      const codes = issued.map(({ invitation: { invitation_id, email }, code }) => ({ invitation_id, email, code }));
      return { body: { org_id: orgId, invitations: codes } };
    },
  } satisfies Partial<Handlers>;
}
