import { parseArgs } from 'node:util';
import { bareRun, batchesRun, contentIndexRuns, singlesRun } from './support/ingest-runs.ts';
import { hostRate, nativeRate } from './support/native-rate.ts';

/**
 * Durable receipts a second: one record a request over 64 keep-alive connections, and batches of 100 over 2, which is as many
 * as keep it busy, against a service in a separate process. Signing is done before the clock runs. Beside them, what the bare minimum of work comes to
 * with the same libraries (support/bare-service.ts), and the native verification of one core alone, before and after,
 * and with the library that the service verifies with. With `--only content-index` what the content index costs instead: batches of
 * records with payloads of 2 KiB, turn by turn with it and without.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '40000' },
    connections: { type: 'string', default: '64' },
    'batch-size': { type: 'string', default: '100' },
    'batch-connections': { type: 'string', default: '2' },
    only: { type: 'string' },
    rounds: { type: 'string', default: '4' },
  },
});
const records = Number(values.records);
const native = await nativeRate();
const output: Record<string, unknown> = { bench: 'ingest', nativeVerifyPerSecond: Math.round(native) };
output['hostVerifyPerSecond'] = Math.round(await hostRate());

if (values.only === undefined || values.only === 'single') {
  output['single'] = await singlesRun({ records, connections: Number(values.connections), native });
}
if (values.only === undefined || values.only === 'bare') {
  output['bareSingle'] = await bareRun({ records, connections: Number(values.connections), native });
}
if (values.only === undefined || values.only === 'batch') {
  const connections = Number(values['batch-connections']);
  output['batches'] = await batchesRun({ records, connections, batchSize: Number(values['batch-size']), native });
}
if (values.only === 'content-index') {
  const plan = {
    records,
    connections: Number(values['batch-connections']),
    batchSize: Number(values['batch-size']),
    native,
  };
  output['contentIndex'] = await contentIndexRuns(plan, Number(values.rounds));
}
output['nativeVerifyPerSecondAfter'] = Math.round(await nativeRate());
process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
