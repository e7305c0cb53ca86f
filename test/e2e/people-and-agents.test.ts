// Administration of agents and people through the pages: each flow, with a role that lacks the right, with the service
// away in the middle, with hostile names, and by keyboard alone.
import type { Browser, BrowserContext, Page } from 'playwright';
import { beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../scripts/support/capabilities.ts';
import { publicKeyFromInput, toBase64Url } from '../../src/protocol/index.ts';
import {
  ADD_KEY,
  AGENT_KEYS,
  AGENT_TOKEN,
  AGENTS_SCREEN,
  ASSIGNMENTS,
  CHANGE_INTEGRATION,
  DELETE_AGENT,
  FIRST_OPERATION,
  FREEZE_AGENT,
  KEY_FIELDS,
  REGISTER_SCREEN,
  SNIPPET_TABS,
} from '../../src/renderer/screens/agents/texts.ts';
import {
  CODES_PANEL,
  INVITATIONS,
  INVITE_DIALOG,
  MEMBER_ACTIONS,
  PEOPLE_SCREEN,
  PERSON_SCREEN,
  ROLE_TEXTS,
} from '../../src/renderer/screens/people/texts.ts';
import { openBrowser, openPage, RENDERER_DIR, seriousIssuesInThemes, type WatchedPage } from '../support/browser.ts';
import { buttonOf, goByLetter, pointTo, tabTo, takesFocus } from '../support/by-hand.ts';
import { type Account, eventsOf, registerAgent, submitNext, TestService } from '../support/service.ts';
import { signInPage } from '../support/signed-in-page.ts';
import { newKey, pemOf, type Signer } from '../support/signer.ts';

/** Names that try to be script, to end what they stand in, to turn the text round them, or to be too long for their place. */
const HOSTILE = `<script>alert(1)</script>"'\`\${1}&amp; \u202e\u05d0\u05d1 مرحبا 𝒦🔑 ${'long-'.repeat(20)}`;

/** How the pages write it: what is not seen, by its number. */
const SHOWN = HOSTILE.replace('\u202e', 'U+202E');

const PASSWORD = 'correct horse battery';

describe.skipIf(chromiumPath() === undefined)('agents and people', () => {
  let service: TestService;
  let browser: Browser;
  let owner: Account;
  let watched: WatchedPage;
  let page: Page;
  let signer: Signer;
  let member: Account;
  const everyPage: WatchedPage[] = [];

  /** A browser of somebody's own, signed in or not. */
  async function open(account?: Account): Promise<{ context: BrowserContext; watched: WatchedPage }> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
    if (account !== undefined) await signInPage(context, service, account);
    const opened = await openPage(context);
    opened.page.on('dialog', (dialog) => {
      opened.complaints.push(`a dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    everyPage.push(opened);
    return { context, watched: opened };
  }

  beforeAll(async () => {
    service = await TestService.start({ rendererDir: RENDERER_DIR, epochIntervalSeconds: 3600 });
    browser = await openBrowser();
    owner = await service.signUp('ada');
    ({ watched } = await open(owner));
    page = watched.page;
    member = service.addMember(owner, 'integration_engineer');
    signer = await registerAgent(owner, 'billing-bot');
    await submitNext(owner, signer);
  });

  const go = (path: string, at = page) => at.goto(`${service.url}/#${path}`);
  const clipboard = (at = page) => at.evaluate(() => navigator.clipboard.readText());
  const button = (name: string | RegExp, at = page) => buttonOf(at, name);
  const dialog = (at = page) => at.getByRole('dialog');

  describe('agents', () => {
    it('registers a pasted key, and keeps a private one from being sent', async () => {
      const { seed, publicKey } = newKey();
      const sent: string[] = [];
      const note = (request: { postData: () => string | null }): void => {
        sent.push(request.postData() ?? '');
      };
      page.on('request', note);
      await go('/register-agent');
      await page.getByLabel('Agent', { exact: true }).fill('pasted-bot');
      await page.getByLabel('Paste a public key').check();
      await page.getByLabel('Public key', { exact: true }).fill(pemOf(seed));
      await page.getByText('This is a private key.').first().waitFor();
      await expect.poll(() => button(REGISTER_SCREEN.registerAgent).getAttribute('aria-disabled')).toBe('true');
      await page.keyboard.press('Enter');
      await page.getByLabel('Public key', { exact: true }).fill(`${'0'.repeat(63)}1`);
      await page
        .getByText(/This key is weak|Not an Ed25519 public key/)
        .first()
        .waitFor();
      const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), publicKey]).toString('base64');
      const pem = `-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`;
      await page.getByLabel('Public key', { exact: true }).fill(pem);
      await page.getByLabel('Integration').selectOption('claudecode');
      await button(REGISTER_SCREEN.registerAgent).click();
      await page.getByText('Waiting for the first operation of pasted-bot').waitFor();
      page.off('request', note);
      expect(sent.some((body) => body.includes('pasted-bot'))).toBe(true);
      for (const body of sent) expect(body).not.toContain('PRIVATE');
      const { agent, keys } = await owner.client.ok('getAgent', { params: { agent_id: 'pasted-bot' } });
      expect(agent.integration_type).toBe('claudecode');
      expect(keys[0]?.public_key).toBe(toBase64Url(publicKey));
    });

    it('keeps somebody from leaving a key behind by mistake', async () => {
      await go('/register-agent');
      await page.getByLabel('Agent', { exact: true }).fill('left-behind');
      await button(KEY_FIELDS.generateKey).click();
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await page.getByRole('dialog', { name: 'Leave without registering?' }).waitFor();
      await dialog().getByRole('button', { name: 'Cancel', exact: true }).click();
      await page.getByText(KEY_FIELDS.shownOnce).waitFor();
      await page.getByRole('link', { name: 'Dashboard' }).click();
      await button(REGISTER_SCREEN.leavePage).click();
      await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    });

    it('waits for the first operation, and shows its proof when it comes', async () => {
      const late = await registerAgent(owner, 'late-bot');
      await go('/agents/late-bot/connect');
      await page.getByText('Waiting for the first operation of late-bot').waitFor();
      await submitNext(owner, late);
      await page.getByRole('heading', { name: 'Received and countersigned' }).waitFor();
      await owner.client.ok('closeEpoch');
      await page.getByRole('heading', { name: /^All \d+ checks passed$/ }).waitFor();
      await page.getByRole('link', { name: FIRST_OPERATION.showProof }).click();
      await page.getByRole('heading', { name: /\/ Operation \d+$/ }).waitFor();
    });

    it('adds a key made here, and revokes it once its name was typed', async () => {
      await go('/agents/billing-bot');
      await button(AGENT_KEYS.addKey).click();
      await button(KEY_FIELDS.generateKey).click();
      const shown = await dialog().locator('.hash .text').innerText();
      const download = page.waitForEvent('download');
      await button('Save billing-bot.key-2.pem').click();
      expect((await download).suggestedFilename()).toBe('billing-bot.key-2.pem');
      await button(ADD_KEY.addKey).click();
      await page.getByText(ADD_KEY.added('key-2')).waitFor();
      const { keys } = await owner.client.ok('getAgent', { params: { agent_id: 'billing-bot' } });
      expect(toBase64Url(publicKeyFromInput(keys[1]?.public_key ?? ''))).toBe(shown);

      await button('Revoke key-2').click();
      await page.getByText(AGENT_KEYS.earlierStay).waitFor();
      await dialog().getByLabel('Reason').fill('left on a train');
      const revoke = button(AGENT_KEYS.revokeKeyPermanently);
      await expect.poll(() => revoke.isDisabled()).toBe(true);
      await dialog()
        .getByLabel(/^Type the name/)
        .fill('key-1');
      await expect.poll(() => revoke.isDisabled()).toBe(true);
      await dialog()
        .getByLabel(/^Type the name/)
        .fill('key-2');
      await revoke.click();
      await page.getByText('key-2 is revoked.').waitFor();
      await page.getByRole('row', { name: /key-2 revoked/ }).waitFor();
      const [event] = await eventsOf(owner, 'agent.revoke_key');
      expect(event?.details).toEqual({ kid: 'key-2', reason: 'left on a train' });
    });

    it('changes the integration, freezes and unfreezes', async () => {
      await go('/agents/billing-bot');
      await button(CHANGE_INTEGRATION.changeTitle).click();
      await dialog().getByLabel('Integration').selectOption('cursor');
      await button(CHANGE_INTEGRATION.changeIntegration).last().click();
      await page.getByText(CHANGE_INTEGRATION.changed('billing-bot', 'Cursor')).waitFor();
      await button('Freeze agent…').click();
      await dialog().getByLabel('Reason').fill('odd amounts');
      await button(FREEZE_AGENT.freezeAgent).click();
      await page.getByText('billing-bot is frozen.').waitFor();
      await button('Unfreeze agent…').click();
      await dialog().getByLabel('Reason').fill('cleared');
      await button(FREEZE_AGENT.unfreezeAgent).click();
      await page.getByText('billing-bot is active again.').waitFor();
      await button('Freeze agent…').waitFor();
    });

    it('says who looks after an agent, there and with the person', async () => {
      await go('/agents/billing-bot');
      await page.getByLabel('Member', { exact: true }).selectOption(member.userId);
      await button(ASSIGNMENTS.add).click();
      await page.getByRole('link', { name: 'A user', exact: true }).click();
      await page.getByRole('link', { name: 'billing-bot' }).click();
      await button('Remove A user').click();
      await button(ASSIGNMENTS.removeContact).click();
      await page.getByText(ASSIGNMENTS.removed('A user', 'billing-bot')).waitFor();
      await page.getByText(ASSIGNMENTS.none).waitFor();
      await owner.client.ok('removeMember', { params: { user_id: member.userId } });
    });

    it('deletes an agent once its name was typed, and says what stays', async () => {
      const doomed = await registerAgent(owner, 'doomed-bot');
      const { operation_id: operationId } = await submitNext(owner, doomed);
      await go('/agents/doomed-bot');
      await button(DELETE_AGENT.deleteAgent).click();
      await page.getByText(DELETE_AGENT.recordsStay).waitFor();
      await dialog().getByLabel(DELETE_AGENT.typeId).fill('doomed-bot');
      await button(DELETE_AGENT.deleteAgentPermanently).click();
      await page.getByText(DELETE_AGENT.deleted('doomed-bot')).waitFor();
      await page.getByRole('link', { name: 'billing-bot' }).waitFor();
      expect(await page.getByRole('link', { name: 'doomed-bot' }).count()).toBe(0);
      await go(`/operations/${operationId}`);
      await page.getByRole('heading', { name: 'No check failed, some cannot be made here' }).waitFor();
    });
  });

  describe('people', () => {
    const guest = 'grace.hopper@example.org';

    async function invite(email: string, role: string): Promise<string> {
      await button(PEOPLE_SCREEN.invitePerson).first().click();
      await dialog().getByLabel('E-mail address').fill(email);
      await dialog().getByLabel('Role').selectOption(role);
      await button(INVITE_DIALOG.submit).click();
      await page.getByText(CODES_PANEL.shownOnce).waitFor();
      await button(`Copy code for ${email}`).click();
      const code = await clipboard();
      expect(code).toMatch(/^csn_inv_/);
      return code;
    }

    it('invites, shows the code once, and revokes', async () => {
      await go('/people');
      const code = await invite('nobody@example.org', 'security_admin');
      await button('Copy link for nobody@example.org').click();
      await expect.poll(() => clipboard()).toBe(`${service.url}/#/join?code=${code}`);
      await button(CODES_PANEL.forget).click();
      expect(await page.getByText(code).count()).toBe(0);
      await page.getByRole('row', { name: /nobody@example.org security admin/ }).waitFor();
      await button(INVITATIONS.revokeOf('nobody@example.org')).click();
      await button(INVITATIONS.verb).click();
      await page.getByText(INVITATIONS.revoked).waitFor();
      await page.getByText(INVITATIONS.nobodyInvited).waitFor();
      const { watched: other } = await open();
      await go(`/join?code=${code}`, other.page);
      await other.page.getByLabel('Your name').fill('N');
      await other.page.getByLabel('Password').fill(PASSWORD);
      await button('Join', other.page).click();
      await other.page.getByRole('alert').filter({ hasText: 'revoked' }).waitFor();
      await expect.poll(() => other.page.getByLabel('Your name').inputValue()).toBe('N');
      await other.page.context().close();
    });

    it('takes somebody in by a code, changes the role, lets them go, and takes them in again', async () => {
      await go('/people');
      const code = await invite(guest, 'readonly_investigator');
      const { watched: theirs } = await open();
      // By hand, from the doors.
      await theirs.page.goto(service.url);
      await theirs.page.getByRole('link', { name: 'I have an invitation' }).click();
      await theirs.page.getByLabel('Invitation code').fill(`  ${code} `);
      await theirs.page.getByLabel('Your name').fill('Grace Hopper');
      await theirs.page.getByLabel('Password').fill(PASSWORD);
      await button('Join', theirs.page).click();
      await theirs.page.getByRole('heading', { name: 'Dashboard' }).waitFor();

      await page.reload();
      await button(MEMBER_ACTIONS.changeRoleOf('Grace Hopper')).click();
      await dialog().getByLabel('Role').selectOption('compliance_auditor');
      await button(MEMBER_ACTIONS.submit).click();
      await page.getByText(MEMBER_ACTIONS.changed('Grace Hopper', 'compliance auditor')).waitFor();
      await button('Remove Grace Hopper').click();
      await page.getByText('The account stays, without an organization.').waitFor();
      await button(MEMBER_ACTIONS.removeVerb).click();
      await page.getByText(MEMBER_ACTIONS.wasRemoved('Grace Hopper')).waitFor();

      await theirs.page.reload();
      await theirs.page.getByText('You do not belong to an organization yet.').first().waitFor();
      const again = await invite(guest, 'integration_engineer');
      await theirs.page.getByRole('link', { name: 'Accept an invitation' }).click();
      await theirs.page.getByText(`You accept as ${guest}`).waitFor();
      await theirs.page.getByLabel('Invitation code').fill(again);
      await button('Join', theirs.page).click();
      await theirs.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      await theirs.page.context().close();
    });

    it('takes in who has an account and is not signed in', async () => {
      const { members } = await owner.client.ok('listMembers');
      const userId = members.find(({ email }) => email === guest)?.user_id ?? '';
      await owner.client.ok('removeMember', { params: { user_id: userId } });
      const { code } = await owner.client.ok('invite', { body: { email: guest, role: 'org_owner' } });
      const { watched: theirs } = await open();
      await go(`/join?code=${code}`, theirs.page);
      await theirs.page.getByLabel('Your name').fill('Grace');
      await theirs.page.getByLabel('Password').fill(PASSWORD);
      await button('Join', theirs.page).click();
      await theirs.page.getByRole('alert').filter({ hasText: 'has an account' }).waitFor();
      await theirs.page.getByLabel('E-mail address').fill(guest);
      await button('Join', theirs.page).click();
      await theirs.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
      // With two owners, one may leave.
      await go('/people', theirs.page);
      await button('Leave the organization', theirs.page).click();
      await button(MEMBER_ACTIONS.leaveVerb, theirs.page).click();
      await theirs.page.getByText('You do not belong to an organization yet.').first().waitFor();

      await theirs.page
        .getByRole('textbox', { name: 'New organization' })
        .fill(HOSTILE.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '').slice(0, 120));
      await button('Invite somebody', theirs.page).click();
      await theirs.page.getByLabel('Invite 1: e-mail address').fill('alan@example.org');
      await theirs.page.getByLabel('Role 1').selectOption('org_owner');
      await button('Make the organization', theirs.page).click();
      await theirs.page.getByText(CODES_PANEL.shownOnce).waitFor();
      await theirs.page.getByRole('row', { name: /alan@example.org org owner/ }).waitFor();
      await theirs.page.context().close();
    });

    it('lets somebody work alone', async () => {
      const { watched: theirs } = await open(service.addUser(null));
      await go('/dashboard', theirs.page);
      await button('Create workspace', theirs.page).click();
      await theirs.page.getByText('Personal Workspace').waitFor();
      await theirs.page.getByRole('heading', { name: 'Begin with an agent' }).waitFor();
      await theirs.page.context().close();
    });

    it('never lets the last owner go, and grants nothing above the own role', async () => {
      await go('/people');
      const leave = button('Leave the organization');
      await expect.poll(() => leave.getAttribute('aria-disabled')).toBe('true');
      await pointTo(leave, page.locator('.tip').filter({ hasText: ROLE_TEXTS.lastOwner }));

      const admin = service.addMember(owner, 'security_admin');
      const { watched: theirs } = await open(admin);
      await go('/people', theirs.page);
      await button(MEMBER_ACTIONS.changeRoleOf('ada'), theirs.page).waitFor();
      await expect
        .poll(() => button(MEMBER_ACTIONS.changeRoleOf('ada'), theirs.page).getAttribute('aria-disabled'))
        .toBe('true');
      await button(PEOPLE_SCREEN.invitePerson, theirs.page).first().click();
      const owning = dialog(theirs.page).getByRole('option', { name: 'org owner – above your own' });
      await expect.poll(() => owning.isDisabled()).toBe(true);
      await theirs.page.context().close();
      await owner.client.ok('removeMember', { params: { user_id: admin.userId } });
    });
  });

  it('shows who lacks a right everything, disabled, with the reason', async () => {
    const reader = service.addMember(owner, 'readonly_investigator');
    const { watched: theirs } = await open(reader);
    const refused: string[] = [];
    theirs.page.on('response', (response) => {
      // The log is not for this role, and the page says so where it would stand.
      if (response.status() === 403 && !response.url().includes('/admin/events')) refused.push(response.url());
    });
    const disabled: Readonly<Record<string, readonly string[]>> = {
      '/agents': [AGENTS_SCREEN.registerAgent],
      '/agents/billing-bot': [
        'Freeze agent…',
        DELETE_AGENT.deleteAgent,
        AGENT_KEYS.addKey,
        'Revoke key-1',
        CHANGE_INTEGRATION.changeTitle,
      ],
      '/agents/billing-bot/connect': ['Create token', SNIPPET_TABS.copy],
      '/register-agent': [REGISTER_SCREEN.registerAgent],
      '/people': [PEOPLE_SCREEN.invitePerson, 'Remove ada', MEMBER_ACTIONS.changeRoleOf('ada')],
      '/cases': ['Import as a case', 'Refused'],
    };
    for (const [path, names] of Object.entries(disabled)) {
      await go(path, theirs.page);
      for (const name of names) {
        const found = button(name, theirs.page).first();
        await found.waitFor();
        expect(await found.getAttribute('aria-disabled'), `${path}: ${name}`).toBe('true');
        const reason = await found.evaluate(
          (element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
        );
        expect(reason, `${path}: ${name}`).toMatch(/^This needs the role “.+”; yours is “readonly investigator”\.$/);
      }
    }
    // One's own agents are for everybody.
    await go(`/people/${reader.userId}`, theirs.page);
    await theirs.page.getByText(PERSON_SCREEN.noAgents).waitFor();
    expect(refused).toEqual([]);
    await theirs.page.context().close();
    await owner.client.ok('removeMember', { params: { user_id: reader.userId } });
  });

  it('keeps what was entered while the service is away, and while the session is', async () => {
    await go('/register-agent');
    await page.getByLabel('Agent', { exact: true }).fill('patient-bot');
    await page.getByLabel('Name (optional)').fill('Patient');
    await button(KEY_FIELDS.generateKey).click();
    await button('Save patient-bot.pem').click();
    const publicKey = await page.locator('.hash .text').innerText();
    const { port } = new URL(service.url);
    await service.stop();
    await button(REGISTER_SCREEN.registerAgent).click();
    await page.getByRole('alert').filter({ hasText: 'The service cannot be reached' }).waitFor();
    await service.restart({ port: Number(port) });
    const password = 'correct horse battery';
    service.sql.prepare('DELETE FROM sessions').run();
    await button(REGISTER_SCREEN.registerAgent).click();
    const again = page.getByRole('dialog', { name: 'Your session has ended' });
    await again.getByLabel('Password').fill(password);
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    await button(REGISTER_SCREEN.registerAgent).click();
    await page.getByText('Waiting for the first operation of patient-bot').waitFor();
    const { token } = await service.client().ok('signIn', { body: { email: owner.email, password } });
    owner = { ...owner, client: service.client(token) };
    const { agent, keys } = await owner.client.ok('getAgent', { params: { agent_id: 'patient-bot' } });
    expect([agent.display_name, keys[0]?.public_key]).toEqual(['Patient', publicKey]);
    // Waiting goes on by itself once the service is back.
    await service.stop();
    await page.getByText('Not connected since').first().waitFor();
    await service.restart({ port: Number(port) });
    await page.getByText(FIRST_OPERATION.appearsHere).waitFor();
  });

  it('shows hostile names as they are, and nothing else', async () => {
    const { publicKey } = newKey();
    await go('/register-agent');
    await page.getByLabel('Agent', { exact: true }).fill('<script>alert(1)</script>');
    await page.getByLabel('Name (optional)').fill(HOSTILE);
    await page.getByLabel('Responsible person or team (optional)').fill(HOSTILE);
    await page.getByLabel(KEY_FIELDS.name).fill(HOSTILE);
    await page.getByLabel('Paste a public key').check();
    await page.getByLabel('Public key', { exact: true }).fill(toBase64Url(publicKey));
    await page.getByText('Begin with a letter or a digit.').first().waitFor();
    await page.getByLabel('Agent', { exact: true }).fill('hostile-bot');
    await button(REGISTER_SCREEN.registerAgent).click();
    await page.getByText('Waiting for the first operation of hostile-bot').waitFor();
    const narrow = async (): Promise<void> => {
      const overflow = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector('.body') ?? document.body;
        return scrollWidth - clientWidth;
      });
      expect(overflow, page.url()).toBeLessThanOrEqual(0);
    };
    await narrow();
    await go('/agents/hostile-bot');
    await page.getByText(SHOWN).first().waitFor();
    await narrow();
    await button(`Revoke ${HOSTILE}`.trim()).click();
    await dialog().getByLabel('Reason').fill(HOSTILE);
    await dialog()
      .getByLabel(/^Type the name/)
      .fill(HOSTILE);
    await button(AGENT_KEYS.revokeKeyPermanently).click();
    await page
      .getByRole('row', { name: /revoked/ })
      .first()
      .waitFor();
    const { code } = await owner.client.ok('invite', { body: { email: 'h@example.org', role: 'org_owner' } });
    const { watched: theirs } = await open();
    await go(`/join?code=${code}`, theirs.page);
    await theirs.page.getByLabel('Your name').fill(HOSTILE);
    await theirs.page.getByLabel('Password').fill(PASSWORD);
    await button('Join', theirs.page).click();
    await theirs.page.getByText(/^Name: must not hold .* characters that turn the direction of writing/).waitFor();
    const named = HOSTILE.replace('\u202e', '');
    await theirs.page.getByLabel('Your name').fill(named);
    await button('Join', theirs.page).click();
    await theirs.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await theirs.page.context().close();
    await go('/people');
    // What others did is seen with the next look.
    await page.reload();
    await page.getByText(named).first().waitFor();
    await narrow();
  });

  it('invites by keyboard alone', async () => {
    await go('/dashboard');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await goByLetter(page, 'p');
    await page.getByRole('heading', { name: 'People', exact: true }).waitFor();
    await tabTo(page, new RegExp(`^${PEOPLE_SCREEN.invitePerson}$`));
    await page.keyboard.press('Enter');
    await takesFocus(dialog());
    await page.keyboard.type('keyboard@example.org');
    await page.keyboard.press('Tab');
    await page.keyboard.type('compliance');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /keyboard@example.org/ }).waitFor();
    const { invitations } = await owner.client.ok('listInvitations');
    expect(invitations[0]).toMatchObject({ email: 'keyboard@example.org', role: 'compliance_auditor' });
  });

  it('has no serious issue for people with disabilities, light and dark', async () => {
    const issues: string[] = [];
    const look = async (what: string): Promise<void> => {
      issues.push(...(await seriousIssuesInThemes(page)).map((issue) => `${what}, ${issue}`));
    };
    await go('/register-agent');
    await page.getByLabel('Agent', { exact: true }).fill('axe-bot');
    await button(KEY_FIELDS.generateKey).click();
    await look('register');
    await page.getByLabel('Paste a public key').check();
    await page.getByLabel('Public key', { exact: true }).fill('not a key');
    await look('paste');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await look('leave');
    await button(REGISTER_SCREEN.leavePage).click();
    await page.getByRole('link', { name: 'hostile-bot' }).waitFor();
    await go('/agents/pasted-bot/connect');
    await button('Create token').click();
    await page.getByText(AGENT_TOKEN.shownOnce).waitFor();
    await look('connect');
    await go('/agents/billing-bot');
    await button('Revoke key-1').click();
    await look('revoke');
    await page.keyboard.press('Escape');
    await look('agent');
    await go('/people');
    await button(PEOPLE_SCREEN.invitePerson).first().click();
    await look('invite');
    await page.keyboard.press('Escape');
    await look('people');
    expect(issues).toEqual([]);
  });

  it('asks no other host, breaks no rule of its policy, and runs nothing that was typed', () => {
    for (const { complaints, origins } of everyPage) {
      expect(complaints).toEqual([]);
      expect([...origins].every((origin) => origin === new URL(service.url).origin)).toBe(true);
    }
  });
});
