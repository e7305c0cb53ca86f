import { randomBytes } from 'node:crypto';
import { PAGE_HEADER, type Provider } from '../../../src/api/index.ts';
import { Authenticator } from '../authenticator.ts';
import { errorOf } from '../client.ts';
import { registerAgent } from '../service.ts';
import { Signer } from '../signer.ts';
import type { Act, World } from './world.ts';

const account: Act = async (world) => {
  const { email, password, client } = await world.signUp();
  const page = { [PAGE_HEADER]: randomBytes(32).toString('base64url') };
  const { token } = await world.clientWith(page).ok('signIn', { body: { email, password } });
  const other = world.client(token);
  const { sessions } = await client.ok('listSessions');
  const ended = sessions.find(({ is_current: isCurrent }) => !isCurrent);
  await client.ok('endSession', { params: { session_id: ended?.id ?? '' } });
  errorOf(await other.call('session'));
  errorOf(await world.client().call('signIn', { body: { email, password: 'wrong' } }));
  const again = await world.client().ok('signIn', { body: { email, password } });
  const { token: extended } = await world.client(again.token).ok('refreshSession');
  await client.ok('endOtherSessions');
  errorOf(await world.client(extended).call('session'));
  await client.ok('fresh', { body: { password } });
  const changed = await client.ok('changePassword', {
    body: { current_password: password, new_password: world.name('another password'), end_tokens: world.chance(0.5) },
  });
  await world.client(changed.token).ok('signOut');
};

const address: Act = async (world) => {
  const { email, client } = await world.signUp();
  await client.ok('mailAddressCode');
  await client.ok('verifyAddress', { body: { code: world.mailed(email, 'Code') } });
};

const tokens: Act = async (world) => {
  const { client } = world.pick(world.owners);
  const issue = () => client.ok('createToken', { body: { ttl_seconds: 1000 + world.random.below(1000) } });
  const ids = async () => (await client.ok('listTokens')).tokens.map(({ id }) => id);
  const { token } = await issue();
  const rotated = await world.client(token).ok('rotateToken');
  await world.client(rotated.token).ok('session');
  const before = await ids();
  await issue();
  await issue();
  const [own = '', byAdministrator = ''] = (await ids()).filter((id) => !before.includes(id));
  await client.ok('revokeToken', { params: { token_id: own } });
  await client.ok('revokeOrganizationToken', { params: { token_id: byAdministrator } });
};

/** By the three kinds of caller; the token of the last is revoked with the full token that issued it. */
const enrolments: Act = async (world) => {
  const { client, orgId } = world.pick(world.owners);
  const { token: enrols } = await client.ok('createToken', { body: { scope: 'enrol', ttl_seconds: 900 } });
  const { token: full } = await client.ok('createToken', { body: { ttl_seconds: 777 } });
  for (const by of [client, world.client(enrols), world.client(full)]) {
    const { registration } = new Signer(orgId, world.name('agent'));
    await by.ok('enrolAgent', { body: registration });
  }
  const rotated = world.client((await world.client(full).ok('rotateToken')).token);
  const { id = '' } = (await client.ok('listTokens')).tokens.find((row) => row.ttl_seconds === 777) ?? {};
  await rotated.ok('session');
  await client.ok('revokeToken', { params: { token_id: id } });
};

/** Signs somebody in at a provider, who has no account here yet. @returns the session token */
async function signInAt(world: World, provider: Provider): Promise<string> {
  const begun = await world.client().call('signInSocial', { body: { provider, callbackURL: '/' } });
  const cookie = begun.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const consent = await fetch(begun.body.url, { redirect: 'manual' });
  const back = new URL(consent.headers.get('location') ?? '');
  const answer = await world.clientWith({ cookie }).send({ path: back.pathname + back.search });
  const session = answer.headers['set-cookie']?.find((line) => line.startsWith('countersign_session='));
  return /^countersign_session=([^;]+)/.exec(session ?? '')?.[1] ?? '';
}

const onboarding: Act = async (world) => {
  const client = world.client(await signInAt(world, 'google'));
  const invitations = [{ email: `${world.name('invited')}@example.org`, role: 'integration_engineer' }];
  const { org_id } = await client.ok('onboardOrganization', {
    body: { org_name: world.name('Onboarded'), invitations },
  });
  world.meet('org_id', org_id);
  await world.client(await signInAt(world, 'github')).ok('onboardPersonal', { body: {} });
};

const members: Act = async (world) => {
  const owner = await world.signUp();
  const { client } = owner;
  const email = `${world.name('member')}@example.org`;
  await client.ok('invite', { body: { email, role: 'readonly_investigator' } });
  const { code } = await client.ok('invite', { body: { email, role: 'compliance_auditor' } });
  const taken = await client.ok('invite', { body: { email: `not-${email}`, role: 'readonly_investigator' } });
  await client.ok('revokeInvitation', { params: { invitation_id: taken.invitation.invitation_id } });
  const accepted = await world.client().call('acceptInvitation', {
    body: { code, name: 'A member', password: 'correct horse battery' },
  });
  const member = { user_id: accepted.body.user.id };
  await client.ok('changeRole', { params: member, body: { role: world.pick(['security_admin', 'org_owner']) } });
  const { agentId } = await registerAgent(owner, world.name('agent'));
  await client.ok('assign', { params: { agent_id: agentId }, body: member });
  if (world.chance(0.5)) await client.ok('unassign', { params: { agent_id: agentId, ...member } });
  await client.ok('removeMember', { params: member });
};

const separation: Act = async (world) => {
  const owner = await world.signUp();
  const { agentId } = await registerAgent(owner, world.name('agent'));
  await owner.client.ok('assign', { params: { agent_id: agentId }, body: { user_id: owner.userId } });
  await owner.client.ok('unassign', { params: { agent_id: agentId, user_id: owner.userId } });
  await owner.client.ok('changeOrganization', { body: { separate_duties: world.chance(0.8) } });
};

const passkeys: Act = async (world) => {
  const { client } = await world.signUp();
  const authenticator = new Authenticator(world.service.url.replace('127.0.0.1', 'localhost'));
  const { options } = await client.ok('passkeyCreation');
  const body = { name: 'Key', use: 'alone', response: authenticator.create(options) };
  const { passkey } = await client.ok('addPasskey', { body });
  const params = { passkey_id: passkey.id };
  await client.ok('changePasskey', { params, body: { name: world.name('Key') } });
  const proof = await client.ok('freshOptions');
  await client.ok('fresh', { body: { response: authenticator.sign(proof.options) } });
  const asked = await world.client().ok('passkeyOptions', { body: {} });
  const { token } = await world.client().ok('passkeySignIn', { body: { response: authenticator.sign(asked.options) } });
  await world.client(token).ok('removePasskey', { params });
};

/** What people do about accounts, members and sign-ins. */
export const PEOPLE: readonly Act[] = [account, address, tokens, enrolments, onboarding, members, separation, passkeys];
