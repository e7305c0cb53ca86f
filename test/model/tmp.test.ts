import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import * as adversary from './adversaries.ts';
import { QUICK } from './bounds.ts';
import { Exploration } from './exploring.ts';
import { KNOWLEDGE, TRUSTING_THE_SECOND, TRUSTING_THE_SERVICE } from './knowledge.ts';
it('all', async () => {
  let out = '';
  const all = { cuts: [adversary.cuts(QUICK), KNOWLEDGE], lies: [adversary.lies(QUICK), KNOWLEDGE], forked: [adversary.forkedKeys(QUICK), KNOWLEDGE.slice(1)], stolen: [adversary.stolenKey(QUICK), [TRUSTING_THE_SECOND]], outsider: [adversary.outsider(QUICK), [TRUSTING_THE_SERVICE]], rewritten: [adversary.rewritten(QUICK), KNOWLEDGE] } as const;
  for (const [name, [attempts, readers]] of Object.entries(all)) {
    const x = new Exploration();
    const t0 = performance.now(); const c0 = process.cpuUsage();
    for (const attempt of attempts) await x.try(attempt, readers);
    out += `\n== ${name} bundles ${x.bundles} breaking ${x.breaking} ${((performance.now() - t0) / 1000).toFixed(1)} s wall, ${(process.cpuUsage(c0).user / 1e6).toFixed(1)} cpu, false greens ${x.falseGreens.length}\n`;
    const groups = Map.groupBy(x.falseGreens, (g) => `${g.reader} | ${g.broken.replace(/\d+/g, 'N').replace(/shows.*/, '')}`);
    for (const [k, v] of groups) out += `${v.length} ${k}\n       ${v.slice(0, 4).map((g) => g.steps.join(' ; ') + ' => ' + g.broken).join('\n       ')}\n`;
    out += `${[...x.heldBy].map(([c, { count, example }]) => `   ${c} ${count}: ${example.steps.join(';')} | ${example.reader} | ${example.broken}`).join('\n')}\n`;
    out += `   also met: ${[...x.metBy].filter(([c]) => !x.heldBy.has(c)).map(([c, n]) => `${c} ${n}`).join(', ')}\n`;
    writeFileSync('/tmp/model-out.txt', out);
  }
}, 900000);
