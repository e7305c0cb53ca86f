import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Signer } from '../../../test/support/signer.ts';
import { durations } from '../figures.ts';
import { type Answered, runLoad } from '../http-load.ts';
import { ServiceProcess } from '../service-process.ts';
import { batchRequests, makeWorkspace } from '../workspace.ts';

/** How long an attack lasts, and how much is submitted before and during it. */
export interface HostilePlan {
  readonly milliseconds: number;
  readonly batches: number;
}

/** What the program that asks for /v1/health prints: how long its answers took, in milliseconds. */
interface Probes {
  readonly kept: number[];
  readonly fresh: number[];
  readonly refused: number;
  readonly broken: number;
}

const BATCH_SIZE = 50;
const CONNECTIONS = 2;

/** How long submission continues undisturbed, to be compared with, in milliseconds. */
const UNDISTURBED_MS = 4000;

/** So long an answer may come after its time is over. */
const LATE_MS = 3000;

function program(name: string, args: readonly string[]): ChildProcess {
  const path = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return spawn(process.execPath, [path, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
}

async function printed(child: ChildProcess): Promise<unknown> {
  const { stdout } = child;
  if (stdout === null) throw new Error('the program has no output');
  return JSON.parse(await text(stdout));
}

/** Bytes of all files in a folder, whatever goes and comes meanwhile. */
function bytesIn(folder: string): number {
  const sizes = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(
    (name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0,
  );
  return sizes.reduce((all, size) => all + size, 0);
}

/** Submits batches, each connection its own, until the time is over or there are no more. @returns records a second */
async function submitFor(port: number, queues: Buffer[][], milliseconds: number) {
  const endsAt = performance.now() + milliseconds;
  const refused: Record<string, number> = {};
  let accepted = 0;
  function* untilThen(queue: Buffer[]): Generator<Buffer> {
    while (queue.length > 0 && performance.now() < endsAt) yield queue.shift() as Buffer;
  }
  const check = ({ status, body }: Answered): void => {
    if (status === 200) {
      const { results } = JSON.parse(body.toString()) as { results: { status: number }[] };
      accepted += results.filter((one) => one.status === 201).length;
    } else refused[status] = (refused[status] ?? 0) + 1;
  };
  const began = performance.now();
  const done = runLoad(port, queues.map(untilThen), check).catch(() => null);
  // A service that stands still answers long after the attack: what comes then does not count.
  await Promise.race([done, setTimeout(milliseconds + LATE_MS, null, { ref: false })]);
  const seconds = (performance.now() - began) / 1000;
  return { perSecond: accepted / seconds, refused };
}

/** Searches of the home organization, one after the other, until the time is over. @returns how long each took, in milliseconds */
async function searchFor(service: ServiceProcess, token: string, milliseconds: number): Promise<number[]> {
  const endsAt = performance.now() + milliseconds;
  const times: number[] = [];
  for (let n = 0; performance.now() < endsAt; n++) {
    const began = performance.now();
    await service.call('POST', '/v1/audit/query', token, { query: `module-${n % 37}`, limit: 50 });
    times.push(performance.now() - began);
    await setTimeout(100);
  }
  return times;
}

/** An automaton has to keep many places of such a text in mind. */
const LETTERS = Array.from({ length: 2000 }, (_, n) => 'ab'[((n * n) % 7) % 2]).join('');

interface Guest {
  readonly token: string;
  readonly user: { readonly orgId: string };
}

/** 4,000 records of a guest, over which it searches. */
async function makeRecords(service: ServiceProcess, { token, user }: Guest): Promise<void> {
  const agent = new Signer(user.orgId, 'searched');
  await service.call('POST', '/v1/agents/register', token, agent.registration);
  for (let batch = 0; batch < 40; batch++) {
    const records = Array.from({ length: 100 }, () => agent.next({ payload: { text: LETTERS } }));
    await service.call('POST', '/v1/operations/batch', token, { records });
  }
  await service.call('POST', '/v1/audit/query', token, { query: 'text: aba*', limit: 1 });
}

/** How long after the end of an attack the home organization's searches are looked at, in milliseconds. */
const AFTERWARDS_MS = 5000;

/**
 * What the home organization's searches take before, during and after another attack, while nobody submits: a search waits for the
 * index to come after with what was submitted. Then how long a stop takes during a third one, in milliseconds.
 */
async function searchAndStop(
  service: ServiceProcess,
  token: string,
  { attackArgs, plan }: { readonly attackArgs: readonly string[]; readonly plan: HostilePlan },
): Promise<Record<string, unknown>> {
  // The index comes after first.
  await searchFor(service, token, UNDISTURBED_MS);
  const before = durations(await searchFor(service, token, UNDISTURBED_MS));
  const second = printed(program('attacker', attackArgs));
  const during = durations(await searchFor(service, token, plan.milliseconds));
  await second;
  const after = durations(await searchFor(service, token, AFTERWARDS_MS));
  const third = program('attacker', attackArgs);
  await setTimeout(2000);
  const began = performance.now();
  await service.stop({ keep: true });
  third.kill('SIGKILL');
  return { homeSearches: { before, during, after }, stopMs: Math.round(performance.now() - began) };
}

/** One attack on a separate service, which has nothing to do with others before. */
export async function underAttack(name: string, plan: HostilePlan): Promise<Record<string, unknown>> {
  const logs = mkdtempSync(join(tmpdir(), 'countersign-bench-log-'));
  const log = openSync(join(logs, 'service.log'), 'w');
  // With the limits that people have, unless told otherwise.
  const service = await ServiceProcess.start(null, ['--rate-limit', '12000'], log);
  try {
    const workspace = await makeWorkspace(service, CONNECTIONS);
    const account = { email: 'guest@example.org', password: 'the guest password', name: 'G', org_name: 'Guest' };
    const guest = (await service.call('POST', '/api/auth/sign-up/email', null, account)) as Guest;
    const isSearched = name === 'searches';
    if (isSearched) await makeRecords(service, guest);
    const queues = batchRequests(service, workspace, plan.batches, BATCH_SIZE);
    // The first batches find nothing compiled.
    await submitFor(service.port, queues, 1000);
    const before = await submitFor(service.port, queues, UNDISTURBED_MS);
    const diskBefore = bytesIn(service.dataDir);
    const prober = program('prober', [String(service.port)]);
    const probes = printed(prober) as Promise<Probes>;
    const attackArgs = [name, String(service.port), guest.token, guest.user.orgId, String(plan.milliseconds)];
    const attacker = program('attacker', attackArgs);
    const attackAnswers = printed(attacker);
    // Until it has made its bodies.
    await setTimeout(500);
    const disturbed = await submitFor(service.port, queues, plan.milliseconds - 500);
    const answers = await attackAnswers;
    prober.stdin?.end();
    const diskGrowth = bytesIn(service.dataDir) - diskBefore;
    // The machine is not the same all the time either: the attack lies between the two that it is compared with.
    const after = await submitFor(service.port, queues, UNDISTURBED_MS);
    const undisturbed = (before.perSecond + after.perSecond) / 2;
    const { kept, fresh, refused, broken } = await probes;
    const peakMb = Math.round(service.memory().peakMb);
    return {
      attack: name,
      ...(isSearched ? await searchAndStop(service, workspace.token, { attackArgs, plan }) : {}),
      health: { asked: kept.length, refused, broken, ...durations(kept) },
      healthOnNewConnections: { asked: fresh.length, ...durations(fresh) },
      submissionsPerSecond: Math.round(disturbed.perSecond),
      ratioToUndisturbed: Number((disturbed.perSecond / undisturbed).toFixed(2)),
      submissionsRefused: disturbed.refused,
      attackAnswers: answers,
      peakMb,
      // With what was submitted meanwhile, some 2 kB a record.
      diskGrowthMb: Number((diskGrowth / 1e6).toFixed(1)),
      logMb: Number((bytesIn(logs) / 1e6).toFixed(2)),
    };
  } finally {
    // On the spot: what it still has to do of the attack may take minutes.
    if (service.isRunning) await service.kill();
    rmSync(service.dataDir, { recursive: true, force: true });
    closeSync(log);
    rmSync(logs, { recursive: true, force: true });
  }
}
