import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../service/index.ts';
import { ArchiveError, openRunStore, shipRuns } from '../../service/light.ts';
import { type Command, EXIT, UsageError } from '../command.ts';
import { runLedger } from '../demo/run-ledger.ts';
import { scenario } from '../demo/scenario.ts';
import { inTemporaryFolder } from '../interruptible.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { type CentralNode, startCentral } from './central.ts';
import { refusalWords } from './check.ts';

const HOSTS = ['host-a', 'host-b'] as const;
/** Both hosts have records with this word. */
const WORD = 'linen';

const caseList = z.looseObject({ data: z.array(z.looseObject({ case_id: z.string(), archive: z.unknown() })) });
const found = z.looseObject({
  data: z.array(z.looseObject({ subject: z.string(), details: z.looseObject({ issuer: z.string().nullable() }) })),
});

/** Asks the archive as its page does. @returns how many records of each host a word finds */
async function search({ owner }: CentralNode, word: string): Promise<Map<string, number>> {
  const { data: cases } = caseList.parse(await owner.get('/v1/cases'));
  const caseId = cases.find(({ archive }) => archive !== null)?.case_id ?? '';
  const { data } = found.parse(await owner.post(`/v1/cases/${caseId}/audit/query`, { query: word, details: true }));
  const counts = new Map<string, number>();
  for (const { details } of data) counts.set(details.issuer ?? '', (counts.get(details.issuer ?? '') ?? 0) + 1);
  return counts;
}

async function tryOut(folder: string, port: string, isOnce: boolean, terminal: Terminal): Promise<number> {
  const step = (title: string): void => terminal.line(terminal.style('bold', title));
  const place = { at: join(folder, 'archive'), spool: folder };
  const store = await openRunStore(place);
  await mkdir(join(folder, 'archive'));
  const kids: string[] = [];
  const organizations = new Set<string>();
  for (const host of HOSTS) {
    step(`${host}: records, seals and ships`);
    const dataDir = join(folder, host, 'data');
    const quiet = { started: () => {}, submitted: () => {}, exported: () => {} };
    await mkdir(join(folder, host));
    const { kid, agents } = await runLedger(join(folder, host), scenario(), quiet, host);
    kids.push(kid);
    terminal.line(`  ${scenario().length} records of ${agents} agents`);
    await shipRuns({
      dataDir,
      store,
      withNewest: true,
      passphraseFile: null,
      now: Date.now,
      onRun: ({ path, orgId }) => {
        organizations.add(orgId);
        terminal.line(`  shipped ${printable(path)}`);
      },
      signal: new AbortController().signal,
    });
  }
  const words = await refusalWords();
  step('central node: verifies each run, and makes it searchable');
  const { service, node } = await startCentral(
    { dataDir: join(folder, 'central'), port },
    {
      from: place,
      readers: [...organizations].map((organization) => ({ organization, reader: null })),
      trustedKids: kids,
      onAccepted: ({ kid, records }) => terminal.line(`  accepted ${records} records of ${kid}`),
      onRefused: (run) => terminal.line(words.describe(run)),
    },
  );
  try {
    const refused = await node.follow(true, new AbortController().signal);
    await node.settled();
    step(`search for "${WORD}"`);
    for (const [kid, count] of await search(node, WORD)) terminal.line(`  ${count} records of ${kid}`);
    if (refused.length > 0) return EXIT.failed;
    terminal.line();
    terminal.line(`Open ${service.url} and sign in, then open the case "Archive"`);
    terminal.line(`  email     ${node.email}`);
    terminal.line(`  password  ${node.password}`);
    if (isOnce) return EXIT.ok;
    terminal.line('Ctrl-C ends the trial and removes what it made');
    await new Promise<never>(() => {});
    return EXIT.ok;
  } finally {
    await node.close();
    await service.close();
  }
}

/** Shows an archive at work: two hosts, a folder, a central node. */
export const archiveTrial: Command = {
  name: 'archive trial',
  synopsis: ['[--port PORT] [--once]'],
  options: [
    { flag: 'port', value: 'PORT', help: 'port of the central node' },
    { flag: 'once', help: 'end once the archive was searched' },
  ],
  notes: ['Everything is made in a temporary folder, which is removed at the end.'],
  examples: [{ what: 'Try an archive out:', args: '' }],
  exitCodes: [
    ['0', 'both hosts were accepted and found'],
    ['1', 'a run was refused'],
    ['2', 'the services cannot start, or wrong usage'],
  ],
  expected: [ArchiveError, StartError],
  run: async (args, terminal) => {
    if (args.positionals.length > 0) throw new UsageError('archive trial takes no arguments');
    return inTemporaryFolder('countersign-archive-', terminal, (folder) =>
      tryOut(folder, args.text('port') ?? '0', args.on('once'), terminal),
    );
  },
};
