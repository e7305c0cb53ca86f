import { test } from 'vitest';
import { nodeCrypto } from '../../src/host/index.ts';
import { makeBundle, serviceKid, writeBundle } from '../support/bundle-maker.ts';
import { edits } from '../support/edits.ts';
import { remembering } from '../support/hosts.ts';
import { rootCauses, verifyFile } from '../support/verifying.ts';

const options = { crypto: remembering(nodeCrypto), trustedKids: [serviceKid(0)] };
test('t', async () => {
  const RICH = { agents: 2, epochs: [2, 3, 2], rotation: true };
  for (const plan of [RICH, { ...RICH, range: [2, 6] as const }, { ...RICH, onlyAgent: 1 }]) {
    const by = new Map<string, Map<string, string[]>>();
    const made = makeBundle(plan);
    for (const e of edits(made.bundle)) {
      const r = await verifyFile(JSON.stringify(e.bundle), options);
      const roots = [...new Set(rootCauses(r))].join('+') || r.verdict;
      const m = by.get(e.kind) ?? new Map();
      by.set(e.kind, m);
      m.set(roots, [...(m.get(roots) ?? []), e.path.replace(/[^0-9.]/g, '').replace(/\.+/g, '.')]);
    }
    console.log(JSON.stringify(plan));
    for (const [k, m] of by)
      console.log(k.padEnd(40), [...m].map(([r, p]) => r + (m.size > 1 ? ' @' + p.join(' ') : '')).join('   |   '));
  }
}, 100000);
