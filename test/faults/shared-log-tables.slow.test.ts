// docs/shared-log.md, What is where: after every route was used at the active nodes, all nodes have the same ledger, row by row.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, it } from 'vitest';
import type { Service } from '../../src/service/index.ts';
import { rowsOf } from '../support/captured-changes.ts';
import { CHANGING, surroundings, useEveryRoute } from '../support/every-route/use.ts';
import { seedOf } from '../support/extent.ts';
import { TestService } from '../support/service.ts';
import { TestNode, TestPair } from '../support/shared-nodes.ts';
import { until } from '../support/until.ts';

const SEED = seedOf(43);

/** The service of whichever node is active. */
function following(active: () => TestNode): TestService {
  const running = (): Service => active().running;
  return TestService.over(
    {
      get url() {
        return running().url;
      },
      get kid() {
        return running().kid;
      },
      get dataDir() {
        return running().dataDir;
      },
      workstationLink: () => running().workstationLink(),
      setUpCode: () => running().setUpCode(),
      close: async () => undefined,
    },
    active().dataDir,
  );
}

it(`have the same rows in every table, whichever of them was active (seed ${SEED})`, async () => {
  const around = await surroundings();
  const pair = await TestPair.start(around.settings);
  const { log, a, b } = pair.folders;
  const node = (name: string, folder: string): TestNode => new TestNode(name, log, folder, around.settings);
  let active = pair.active;
  const used = await useEveryRoute(
    following(() => active),
    around,
    {
      seed: SEED,
      rounds: 2,
      between: async () => {
        await active.stop();
        active = await pair.standby.becomes('active');
        await node('a', a).becomes('standby');
      },
      owners: [pair.ownerAt(active)],
    },
  );
  expect(CHANGING.filter((name) => !used.succeeded.has(name))).toEqual([]);
  const tables = await until('both to have the same', () => {
    const [ofA, ofB] = [a, b].map((folder) => rowsOf(join(folder, 'ledger.sqlite')));
    return isDeepStrictEqual(ofA, ofB) && ofA;
  });
  // Some were emptied again by what was deleted and had its time.
  expect(Object.values(tables).filter((rows) => rows.length > 0).length).toBeGreaterThan(25);
}, 300_000);
