// Makes the sample case in resources/sample from a file of logged tool calls, one JSON object a line, in the form that
// `countersign demo --from` takes. The calls are submitted to a separate service on a temporary folder, by agents that sign
// them; what the service exports is verified; then one record is altered. Licence and source: resources/sample/README.md.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { parseActions } from '../src/cli/demo/action.ts';
import { runLedger } from '../src/cli/demo/run-ledger.ts';
import { nodeCrypto } from '../src/node/index.ts';
import { verifyBundle } from '../src/protocol/index.ts';
import { ROOT } from './support/paths.ts';
import { plantForgery } from './support/plant-forgery.ts';

const ORGANIZATION = 'Sample: airline customer service';
const MAX_BYTES = 3_000_000;
const READABLE = { mode: 0o644 };

const [from] = process.argv.slice(2);
if (from === undefined) {
  console.error('usage: node scripts/sample-case.ts ACTIONS.jsonl');
  process.exit(2);
}

const actions = parseActions(await readFile(from, 'utf8'), from);
const folder = await mkdtemp(join(tmpdir(), 'countersign-sample-'));
try {
  const quiet = { started: () => {}, submitted: () => {}, exported: () => {} };
  const { bundle, kid, agents } = await runLedger(folder, actions, quiet, ORGANIZATION);
  const check = (bytes: Uint8Array) => verifyBundle(() => [bytes], { crypto: nodeCrypto, trustedKids: [kid] });
  const { verdict } = await check(bundle);
  if (verdict !== 'verified') throw new Error(`the bundle is ${verdict} before anything was altered`);

  const {
    bundle: altered,
    seqNo,
    originals,
  } = plantForgery(bundle, {
    tool: 'send_certificate',
    user: 'mei_brown_7075',
    from: 200,
    to: 20,
  });
  const report = await check(altered);
  if (report.verdict !== 'failed') throw new Error(`the altered bundle is ${report.verdict}`);

  const file = gzipSync(altered, { level: constants.Z_BEST_COMPRESSION });
  if (file.length > MAX_BYTES) throw new Error(`the file has ${file.length} bytes`);
  const target = join(ROOT, 'resources', 'sample');
  await writeFile(join(target, 'airline-agents.csbundle.gz'), file, READABLE);
  const about = { service_kid: kid, records: actions.length, agents, forged_seq_no: seqNo, originals };
  await writeFile(join(target, 'sample.json'), `${JSON.stringify(about, null, 2)}\n`, READABLE);
  console.log(`${actions.length} records of ${agents} agents, ${file.length} bytes; record ${seqNo} is altered`);
} finally {
  await rm(folder, { recursive: true, force: true });
}
