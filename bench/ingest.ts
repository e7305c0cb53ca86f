import { parseArgs } from 'node:util';
import { batchesRun, singlesRun } from './support/ingest-runs.ts';
import { nativeRate } from './support/native-rate.ts';

/**
 * Durable receipts a second: one record a request over 64 keep-alive connections, and batches of 100 over 4, against a
 * service in a process of its own. Signing is done before the clock runs.
 */
const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '40000' },
    connections: { type: 'string', default: '64' },
    'batch-size': { type: 'string', default: '100' },
    only: { type: 'string' },
  },
});
const records = Number(values.records);
const native = nativeRate();
const output: Record<string, unknown> = { bench: 'ingest', nativeVerifyPerSecond: Math.round(native) };

if (values.only !== 'batch') {
  output['single'] = await singlesRun({ records, connections: Number(values.connections), native });
}
if (values.only !== 'single') {
  output['batches'] = await batchesRun({ records, connections: 4, batchSize: Number(values['batch-size']), native });
}
output['nativeVerifyPerSecondAfter'] = Math.round(nativeRate());
process.stdout.write(`${JSON.stringify(output, null, 2)}\n`);
