// protocol F151: what an organization's directory may take in a bundle is refused before it is more.
import { describe, expect, it } from 'vitest';
import { MAX_DIRECTORY_BYTES } from '../../src/protocol/index.ts';
import { registerAgent } from '../../src/service/people/agents/registry.ts';
import { TestLedger } from '../support/ledger.ts';
import { codeOf } from '../support/ledger-checks.ts';
import { Signer } from '../support/signer.ts';

/** What every bundle has to have room for: agents and, up to their limit, service keys. */
const SERVICE_KEYS = 1024 * 700;

/** Fills an organization with agents without keys, called by long names, until this many bytes of a directory are left. */
function fill({ store, orgId }: TestLedger, left: number): void {
  const name = 'x'.repeat(256);
  const insert = store.sqlite.prepare(
    `INSERT INTO agents (org_id, agent_id, display_name, responsible_entity, integration_type, status, created_at, updated_at)
     VALUES (?, ?, ?, ?, 'sdk', 'active', 1, 1)`,
  );
  const each = 350 + 8 + 258 + 38 + 5 + 2;
  const entity = 3000 - each;
  const count = Math.floor((MAX_DIRECTORY_BYTES - SERVICE_KEYS - left) / 3000);
  store.sqlite.transaction(() => {
    for (let n = 0; n < count; n++) insert.run(orgId, `a${String(n).padStart(5, '0')}`, name, 'y'.repeat(entity));
  })();
}

describe('the directory of an organization', () => {
  it('takes no agent whose names would make it larger than a bundle may have, and one with short names', async () => {
    const test = await TestLedger.open();
    fill(test, 4000);
    const { store, writer, key, orgId, actor } = test;
    const context = { store, writer, key, now: () => test.clock };
    const register = (agentId: string, text: string) => {
      const { registration } = new Signer(orgId, agentId);
      const named = { ...registration, integration_type: 'sdk' as const, display_name: text, responsible_entity: text };
      return registerAgent(context, orgId, actor, named);
    };
    expect(await codeOf(register('long', '\u0416'.repeat(2000)))).toBe('QUOTA_EXCEEDED');
    expect(await codeOf(register('short', 'short'))).toBe('accepted');
  });
});
