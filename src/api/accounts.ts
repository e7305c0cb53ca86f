import { z } from 'zod';
import { agentId, email, emailToSignIn, id, isoTime, name, properName, text } from './fields.ts';
import { LIMITS } from './limits.ts';
import { role } from './roles.ts';

const password = text(LIMITS.password.min, LIMITS.password.max);
const personName = properName(LIMITS.personName);
const orgName = properName(LIMITS.orgName);

/**
 * The one-time code that makes an organization the home organization, which administers the service; without it, and without
 * a workstation session, it is a guest.
 */
const setUpCode = z
  .string()
  .min(1)
  .max(LIMITS.setUpCode)
  .optional()
  .meta({ description: 'the one-time set-up code of the service: makes this the organization that administers it' });

export const signUpBody = z.strictObject({
  email,
  password,
  name: personName,
  org_name: orgName,
  setup_code: setUpCode,
});

/** The limits of a password are not told to whoever tries to sign in. */
export const signInBody = z.strictObject({ email: emailToSignIn, password: z.string().max(1024) });

export const PROVIDERS = ['google', 'github'] as const;
export type Provider = (typeof PROVIDERS)[number];

export const socialBody = z.strictObject({ provider: z.enum(PROVIDERS), callbackURL: z.string().min(1).max(2048) });
/** The providers that people can sign in with here. */
export const providersAnswer = z.strictObject({ providers: z.array(z.enum(PROVIDERS)) });

export const socialAnswer = z.strictObject({ url: z.string(), redirect: z.boolean() });

/** What a provider sends a browser back with (RFC 6749 §4.1.2); providers may add more. */
export const callbackQuery = z.looseObject({ state: z.string().max(512), code: z.string().max(4096).optional() });

/** A user as sign-up answers; without organization and role until onboarding. */
export const user = z.strictObject({ id, email: z.string(), orgId: z.string().nullable(), role: role.nullable() });
export const signUpAnswer = z.strictObject({ token: z.string(), user });
export const sessionAnswer = user.extend({ createdAt: isoTime });
/** An organization as its members see it. */
export const organizationAnswer = z.strictObject({
  org_id: id,
  name: z.string(),
  separate_duties: z.boolean().meta({
    description:
      'compliance_auditor writes nothing into the ledger, readonly_investigator may search it and read the log',
  }),
});
export type OrganizationAnswer = z.infer<typeof organizationAnswer>;
export const changeOrganizationBody = z.strictObject({ separate_duties: z.boolean() });

export const sessionTokenAnswer = z.strictObject({ token: z.string() });
export type SignUpAnswer = z.infer<typeof signUpAnswer>;
export type SessionAnswer = z.infer<typeof sessionAnswer>;

/**
 * What a token may be used for: all that its user may do, to submit for one agent and nothing else, or to register one agent,
 * once.
 */
const tokenScope = z.enum(['full', 'submit', 'enrol']);
export type TokenScope = z.infer<typeof tokenScope>;

export const createTokenBody = z
  .strictObject({
    ttl_seconds: z.int().min(1).max(LIMITS.tokenTtlSeconds).nullable().default(null),
    name: name(LIMITS.tokenName).optional(),
    scope: tokenScope.default('full'),
    agent_id: agentId.optional().meta({ description: 'with the scope submit, and only there' }),
  })
  .refine(({ scope, agent_id }) => scope !== 'submit' || agent_id !== undefined, {
    path: ['agent_id'],
    message: 'names the agent that a token with the scope submit is for',
  })
  .refine(({ scope, agent_id }) => scope === 'submit' || agent_id === undefined, {
    path: ['agent_id'],
    message: 'needs the scope submit',
  })
  .refine(({ scope, ttl_seconds: ttl }) => scope !== 'enrol' || (ttl !== null && ttl <= LIMITS.enrolTtlSeconds), {
    path: ['ttl_seconds'],
    message: `a token with the scope enrol needs a lifetime of at most ${LIMITS.enrolTtlSeconds}`,
  });

const expiresAt = z.int().nullable().meta({ description: 'seconds since the Unix epoch; null never expires' });
/** `name`, `scope` and `agent_id` stand where they were asked for. */
export const tokenAnswer = z.strictObject({
  token: z.string(),
  expires_at: expiresAt,
  name: z.string().optional(),
  scope: tokenScope.optional(),
  agent_id: id.optional(),
});

/** A token as it is listed: without the token itself, which only its holder has. */
export const tokenRow = z.strictObject({
  id,
  name: z.string().nullable(),
  scope: tokenScope,
  agent_id: z.string().nullable().meta({ description: 'the only agent that the token submits for' }),
  created_at: z.int().meta({ description: 'seconds since the Unix epoch' }),
  expires_at: expiresAt,
  ttl_seconds: z.int().nullable(),
  last_used_at: z.int().nullable().meta({ description: 'seconds since the Unix epoch, to a minute; null for never' }),
  last_used_from: z.string().nullable().meta({ description: 'the address of its last use' }),
});
export const tokensAnswer = z.strictObject({ tokens: z.array(tokenRow) });

/** The same for whoever administers the organization: with whose it is. */
export const organizationTokenRow = tokenRow.extend({ user_id: id, email: z.string() });
export const organizationTokensAnswer = z.strictObject({ tokens: z.array(organizationTokenRow) });
export type OrganizationTokenRow = z.infer<typeof organizationTokenRow>;

/** What a page must know to lead its visitors: whether there is a home organization, and whether sign-up is open. */
export const setUpAnswer = z.strictObject({ has_home: z.boolean(), takes_sign_ups: z.boolean() });

const invitee = z.strictObject({ email, role });

export const onboardingStatus = z.strictObject({
  onboarding_completed: z.union([z.literal(0), z.literal(1)]),
  org_id: z.string().nullable(),
});

export const onboardPersonalBody = z.strictObject({ setup_code: setUpCode });

export const onboardOrganizationBody = z.strictObject({
  org_name: orgName,
  description: text(0, LIMITS.orgDescription).optional(),
  invitations: z.array(invitee).max(LIMITS.invitationsAtOnboarding).default([]),
  setup_code: setUpCode,
});

/** The codes of the invitations, shown this once, for a machine that sends no mail (docs/interface.md, Members). */
export const onboardingAnswer = z.strictObject({
  org_id: id,
  invitations: z.array(z.strictObject({ invitation_id: id, email: z.string(), code: z.string() })).optional(),
});

export const member = z.strictObject({
  member_id: id,
  user_id: id,
  role,
  joined_at: isoTime,
  email: z.string(),
  display_name: z.string(),
});
export const membersAnswer = z.strictObject({ members: z.array(member) });
export type Member = z.infer<typeof member>;

export const inviteBody = invitee;
export const changeRoleBody = z.strictObject({ role });
export const memberAnswer = z.strictObject({ member });

export const invitation = z.strictObject({
  invitation_id: id,
  email: z.string(),
  role,
  status: z.enum(['pending', 'accepted', 'expired', 'revoked']),
  inviter_id: id,
  created_at: isoTime,
  expires_at: isoTime,
});
export const invitationsAnswer = z.strictObject({ invitations: z.array(invitation) });
export const invitationAnswer = z.strictObject({ invitation, code: z.string() });
export type Invitation = z.infer<typeof invitation>;

/** With a session or token the code alone; without, what a new account needs. */
export const acceptInvitationBody = z.strictObject({
  code: z.string().min(1).max(256),
  name: personName.optional(),
  password: password.optional(),
});
export const acceptInvitationAnswer = z.strictObject({ token: z.string().optional(), user });
