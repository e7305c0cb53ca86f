import { parseArgs } from 'node:util';
import { ATTACKS } from './support/hostile/attacks.ts';
import { type HostilePlan, underAttack } from './support/hostile/under-attack.ts';

/**
 * What a service does for everybody else while one program attacks it: how long /v1/health takes, how many submissions a
 * second go through beside an undisturbed run of the same service, memory, disk and log.
 *
 *     npm run bench:hostile -- [--only NAME,NAME] [--seconds 8]
 *
 * Each attack comes from its own process, over the loopback interface, against a service in a separate process, and is
 * ended after its time. The attacker's process has a lower priority than the others.
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    seconds: { type: 'string', default: '8' },
    batches: { type: 'string', default: '1500' },
  },
});
const plan: HostilePlan = { milliseconds: Number(values.seconds) * 1000, batches: Number(values.batches) };
const names = values.only?.split(',') ?? Object.keys(ATTACKS);
const unknown = names.filter((name) => ATTACKS[name] === undefined);
if (unknown.length > 0) throw new Error(`there is no attack ${unknown.join(', ')}`);

const attacks: Record<string, unknown>[] = [];
for (const name of names) {
  const figures = await underAttack(name, plan);
  // A line for each as it is done: the whole takes minutes.
  process.stderr.write(`${JSON.stringify(figures)}\n`);
  attacks.push(figures);
}
process.stdout.write(`${JSON.stringify({ bench: 'hostile', attacks }, null, 2)}\n`);
