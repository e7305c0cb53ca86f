/** Generated actions of many agents: a ledger as large as `COUNTERSIGN_ACTIONS` asks for, signed and submitted like any other. */
import { type Account, registerAgent } from './service.ts';

const AGENTS = 12;
const TOOLS = ['get_order', 'update_order', 'send_mail', 'refund', 'get_stock', 'reserve_stock'] as const;
const BATCH = 1000;
const HOUR_MS = 3_600_000;
/** All are issued within so long before they are submitted. */
const SPAN_MS = 20 * HOUR_MS;
const RECORDS = Number(process.env['COUNTERSIGN_ACTIONS'] ?? '12000');
/** A tenth of all, by one agent, within a fiftieth of the time. */
const BURST = { agent: 'worker-07', from: 0.6, to: 0.62 };
const RARE = 'ORD-4417-X';
const RARE_EVERY = Math.floor(RECORDS / 7);

interface Generated {
  readonly agent: string;
  readonly tool: string;
  /** Between 0, the first, and 1, the last. */
  readonly at: number;
  readonly order: string;
}

function agentName(n: number): string {
  return `worker-${String(n).padStart(2, '0')}`;
}

/** One of them; the same number makes the same action. */
function generated(n: number): Generated {
  const mixed = Math.imul(n ^ 0x9e37_79b9, 0x85eb_ca6b) >>> 0;
  const isBurst = n >= RECORDS * BURST.from && n < RECORDS * (BURST.from + 0.1);
  const place = n / RECORDS;
  const inBurst = (place - BURST.from) / 0.1;
  const at = isBurst
    ? BURST.from + inBurst * (BURST.to - BURST.from)
    : place < BURST.from
      ? place
      : BURST.to + (place - BURST.from - 0.1) * ((1 - BURST.to) / (0.9 - BURST.from));
  return {
    agent: isBurst ? BURST.agent : agentName(mixed % AGENTS),
    tool: TOOLS[(mixed >>> 8) % TOOLS.length] ?? 'get_order',
    at,
    order: n % RARE_EVERY === 5 ? RARE : `ORD-${mixed % 9000}`,
  };
}

export const GENERATED = {
  records: RECORDS,
  burst: BURST,
  rare: {
    text: RARE,
    records: Array.from({ length: RECORDS }, (_, n) => generated(n)).filter(({ order }) => order === RARE),
  },
} as const;

/** Submits all of them. */
export async function addGeneratedActions(account: Account): Promise<void> {
  const signers = await Promise.all(Array.from({ length: AGENTS }, (_, n) => registerAgent(account, agentName(n))));
  const begin = Date.now() - SPAN_MS;
  for (let from = 0; from < RECORDS; from += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, RECORDS - from) }, (_, offset) => {
      const n = from + offset;
      const { agent, tool, at, order } = generated(n);
      const signer = signers.find(({ agentId }) => agentId === agent);
      if (signer === undefined) throw new Error(`no agent ${agent}`);
      return signer.next({
        operation_type: `shop.${tool}`,
        action: tool,
        subject: order,
        issued_at: new Date(begin + at * SPAN_MS).toISOString(),
        ttl_ms: 24 * HOUR_MS,
        payload: {
          session: `shift-${Math.floor(n / 40)}`,
          tool,
          arguments: { order, quantity: (n % 9) + 1, note: `Line ${n} of the order book` },
          result: JSON.stringify({ status: 'ok', order, total: (n % 4000) / 100 }),
        },
      });
    });
    await account.client.ok('submitBatch', { body: { records } });
  }
}
