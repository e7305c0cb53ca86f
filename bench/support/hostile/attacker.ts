/** The process of one attack: prints how its requests were answered as a line of JSON. */
import { setPriority } from 'node:os';
import { ATTACKS } from './attacks.ts';

const [name = '', port = '', token = '', orgId = '', milliseconds = ''] = process.argv.slice(2);
const attack = ATTACKS[name];
if (attack === undefined) throw new Error(`there is no attack ${name}`);

// An attacker on another machine takes no processor from the service: neither does this one, where there is none to spare.
setPriority(10);

const answers: Record<string, number> = {};
const target = {
  port: Number(port),
  token,
  orgId,
  endsAt: performance.now() + Number(milliseconds),
  count: (status: number): void => {
    answers[status] = (answers[status] ?? 0) + 1;
  },
};
// Answers that never come must not keep the bench waiting.
const patience = setTimeout(() => finish(), Number(milliseconds) + 3000);

function finish(): void {
  clearTimeout(patience);
  process.stdout.write(`${JSON.stringify(answers)}\n`, () => process.exit(0));
}

await attack(target);
finish();
