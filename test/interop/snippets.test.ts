// What the workspace offers to paste into a terminal, run by a real shell against a real service: with harmless names, and
// with names that try to end their literal or to hide in it.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeKeyPair } from '../../src/renderer/screens/agents/key-pair.ts';
import { SNIPPETS } from '../../src/renderer/snippets/all-snippets.ts';
import { keyFileName, type SnippetFacts, terminalText } from '../../src/renderer/snippets/snippet.ts';
import { temporaryFolder } from '../support/folders.ts';
import { PATIENCE_MS } from '../support/processes.ts';
import { type Account, TestService } from '../support/service.ts';
import { likeProjectFolder, pasteIntoShell } from '../support/terminal.ts';

/** A kid that ends literals of every kind, and one made of what is not seen or turns the direction of what is. */
const HOSTILE = `'"\`$(touch hacked)\${HOME}\\%s\n\tEND_OF_PROGRAM\nEND_OF_PROGRAM\n'; touch hacked; '</script>#{}`;
const UNSEEN = `\u202eright-to-left\u2069 مفتاح 𝒦🔑\u{e0041}\u2028\u0085 %d\\n'`;

describe('snippets', () => {
  let service: TestService;
  let account: Account;
  beforeAll(async () => {
    service = await TestService.start();
    account = await service.signUp();
  });

  const factsOf = (agentId: string, kid: string): SnippetFacts => ({
    serviceUrl: service.url,
    serviceKid: service.kid,
    orgId: account.orgId,
    agentId,
    kid,
    keyFile: keyFileName(agentId),
  });

  /** Registers an agent with a key made as the window makes it, which lies where the snippets look for it. */
  async function connect(
    agentId: string,
    kid: string,
  ): Promise<{ facts: SnippetFacts; folder: string; token: string }> {
    const { publicKey, privateKeyPem } = makeKeyPair();
    const keys = [{ kid, public_key: publicKey, algorithm: 'ed25519' }];
    await account.client.ok('registerAgent', { body: { agent_id: agentId, keys } });
    const folder = temporaryFolder();
    likeProjectFolder(folder);
    writeFileSync(join(folder, keyFileName(agentId)), privateKeyPem);
    // The token that the screen makes for them.
    const body = { ttl_seconds: 3600, scope: 'submit', agent_id: agentId };
    const { token } = await account.client.ok('createToken', { body });
    return { facts: factsOf(agentId, kid), folder, token };
  }

  async function expectOperations(agentId: string, kids: readonly string[]): Promise<void> {
    const { data } = await account.client.ok('agentChain', { params: { agent_id: agentId } });
    expect(data.map(({ agent_pubkey_kid }) => agent_pubkey_kid)).toEqual(kids);
    for (const { operation_id } of data) {
      const { valid } = await account.client.ok('verifyOperation', { params: { operation_id } });
      expect(valid).toBe(true);
    }
  }

  describe.each(SNIPPETS.map((make) => ({ make, name: make.name })))('$name', ({ make, name }) => {
    it('has operations countersigned, each building on the one before', { timeout: PATIENCE_MS }, async () => {
      const { facts, folder, token } = await connect(`${name}:plain@example`, 'key-1');
      for (const run of [1, 2]) {
        const { code, output } = await pasteIntoShell(terminalText(make(facts), token), folder);
        expect(code, `run ${run}: ${output}`).toBe(0);
        expect(output).toContain('seq_no');
      }
      await expectOperations(facts.agentId, ['key-1', 'key-1']);
    });

    it('does so under any name of a key', { timeout: PATIENCE_MS }, async () => {
      const kid = HOSTILE + UNSEEN;
      const { facts, folder, token } = await connect(`${name}-hostile`, kid);
      const { code, output } = await pasteIntoShell(terminalText(make(facts), token), folder);
      expect(code, output).toBe(0);
      expect(readdirSync(folder)).not.toContain('hacked');
      await expectOperations(facts.agentId, [kid]);
    });

    it('shows whatever is not seen by its number', () => {
      expect(make(factsOf('agent', UNSEEN)).program.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
    });

    it('says why the service refused, and fails', { timeout: PATIENCE_MS }, async () => {
      const { facts, folder } = await connect(`${name}-refused`, 'key-1');
      const { code, output } = await pasteIntoShell(terminalText(make(facts), 'csn_api_wrong'), folder);
      expect(code).not.toBe(0);
      expect(output).toMatch(/UNAUTHORIZED/);
    });
  });
});
