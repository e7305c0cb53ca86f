import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { utf8 } from '../../src/protocol/index.ts';
import { builtChild } from '../support/built-command.ts';
import { atEnd } from '../support/cleanup.ts';
import { temporaryFolder } from '../support/folders.ts';
import { type CommandProcess, PATIENCE_MS, serve } from '../support/processes.ts';
import { installAgent, openRecorder, receiptsIn } from '../support/recorder.ts';
import { bundleOf, firstOwner, verifyWith } from '../support/service.ts';
import { until } from '../support/until.ts';

const EVENTS = 4000;
const WITNESSES = 8;

/**
 * After how many events what is killed, with SIGKILL: the recorder is away for a moment, the service until the recorder has missed it. A witness
 * that is started again hands in again what it handed in before.
 */
const KILLS = [
  { after: 400, what: 'recorder' },
  { after: 1000, what: 'service' },
  { after: 1300, what: 'witness' },
  { after: 1600, what: 'recorder' },
  { after: 2200, what: 'everything' },
  { after: 2800, what: 'recorder' },
  { after: 3400, what: 'service' },
] as const;

function child(
  name: 'recorder' | 'witness',
  environment: Readonly<Record<string, string>>,
  ...args: string[]
): ChildProcess {
  const env = { ...process.env, ...environment };
  const started = spawn(process.execPath, [builtChild(`${name}-child`), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  atEnd(() => started.kill('SIGKILL'));
  return started;
}

/** A witness's output: a dot for each event that was answered, and a line with their operations. */
function outputOf(witness: ChildProcess): { text: string } {
  const output = { text: '' };
  witness.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output.text += text;
  });
  return output;
}

async function kill(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'exit');
}

it(
  'keeps 4,000 events of eight witnesses, once each, while recorder, service and witnesses are killed',
  async () => {
    const dataDir = join(temporaryFolder(), 'data');
    let service: CommandProcess = serve(dataDir, '--log-level', 'silent');
    const url = await service.listening();
    const owner = await firstOwner(url, dataDir);
    const [serviceKid = ''] = (await owner.client.ok('jwks')).keys.map(({ kid }) => kid);
    const { home, agent } = await installAgent(owner, serviceKid);
    const environment = { COUNTERSIGN_RECORDER: home.folder };
    let recorder = child('recorder', environment);
    const witness = (at: number): ChildProcess =>
      child('witness', {}, home.socket, String(EVENTS / WITNESSES), `witness ${at}`);
    const witnesses = Array.from({ length: WITNESSES }, (_, at) => witness(at));
    const outputs = witnesses.map(outputOf);
    const killWitness = async (at: number): Promise<void> => {
      const killed = witnesses[at];
      if (killed?.exitCode === null) await kill(killed);
      const again = witness(at);
      witnesses[at] = again;
      outputs[at] = outputOf(again);
    };
    const answered = (): number => outputs.reduce((sum, { text }) => sum + text.split('.').length - 1, 0);

    for (const { after, what } of KILLS) {
      await until(`${after} events`, () => answered() >= after);
      const isAll = what === 'everything';
      if (isAll || what === 'service') await service.kill('SIGKILL');
      if (isAll || what === 'recorder') await kill(recorder);
      if (what === 'witness') await killWitness(0);
      if (isAll) for (const at of witnesses.keys()) await killWitness(at);
      if (isAll || what === 'recorder') recorder = child('recorder', environment);
      if (!isAll && what !== 'service') continue;
      // Some come while the service is away.
      const before = answered();
      await until('more events', () => answered() >= Math.min(before + 50, EVENTS));
      service = serve(dataDir, '--log-level', 'silent', '--port', new URL(url).port);
      await service.listening();
    }

    await until('all events', () => outputs.every(({ text }) => text.endsWith(']\n')));
    await kill(recorder);
    const last = openRecorder(home);
    await until('the spool to be empty', () => last.status().waiting === 0);
    await last.close();

    const operations = outputs.flatMap(({ text }) => JSON.parse(text.split('\n')[1] ?? '') as string[]);
    expect(new Set(operations).size).toBe(EVENTS);
    const bundle = await bundleOf(owner);
    const receipts = readFileSync(join(home.receipts, `${agent.agent_id}.jsonl`), 'utf8');
    const report = await verifyWith(serviceKid, bundle, [{ name: 'receipts', source: () => [utf8(receipts)] }]);
    expect(report.findings).toEqual([]);
    expect(report).toMatchObject({ verdict: 'verified', bundle: { records: EVENTS } });
    const { records } = JSON.parse(bundle.toString('utf8')) as { records: { eor: { operation_id: string } }[] };
    expect(records.map(({ eor }) => eor.operation_id).toSorted()).toEqual(operations.toSorted());
    const kept = new Set(receiptsIn(receipts).map(({ operation_id }) => operation_id));
    expect(kept.size).toBe(EVENTS);
    expect(await service.kill('SIGTERM')).toMatchObject({ code: 0 });
  },
  2 * PATIENCE_MS,
);
