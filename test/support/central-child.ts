/**
 * A central node in a process of its own that looks at an archive once, and ends itself as a power cut would behind a step:
 * `node central-child.ts DATA_DIR FOLDER STEP COUNT KID…`. COUNT is at which of these steps.
 * With KEEPS=1 its organization's rules decide how long payloads stay.
 */
import { CentralNode, type CentralStep } from '../../src/cli/archive/central.ts';
import { FolderStore } from '../../src/service/archive/folder-store.ts';
import { startService } from '../../src/service/index.ts';
import { LEAST_COST } from './password-cost.ts';

const [dataDir = '', folder = '', step = '', count = '1', ...trustedKids] = process.argv.slice(2);
let left = Number(count);
const onStep = (done: CentralStep): void => {
  if (done === step && --left === 0) process.kill(process.pid, 'SIGKILL');
};
const settings = { dataDir, port: 0, rateLimit: null, logLevel: 'silent', trustStore: '' } as const;
const service = await startService(settings, { passwordCost: LEAST_COST });
/** The organizations of the folder: their ledgers are searched. */
const readers = (await new FolderStore(folder).list()).flatMap(({ name }) =>
  name === null ? [] : [{ organization: name.orgId, reader: null }],
);
const from = { at: folder, spool: dataDir };
const keepers = process.env['KEEPS'] === '1' ? readers : [];
const options = { from, readers, keepers, trustedKids, onAccepted: () => {}, onRefused: () => {}, onStep };
const node = await CentralNode.open(service, options);
await node.follow(true, new AbortController().signal);
await node.settled();
await node.close();
await service.close();
