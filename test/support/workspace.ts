import type { Page } from 'playwright';
import { ARE_TAKEN } from './pictures.ts';
import type { Account, TestService } from './service.ts';
import { registerAgent } from './service.ts';
import type { Signer } from './signer.ts';

export const OWNER = {
  org_name: ARE_TAKEN ? 'Halden Marine Supplies' : 'Prüfstelle Beispiel – مكتب التدقيق',
  name: 'Ada Lovelace',
  email: 'ada.lovelace@audit.example.org',
  password: 'correct horse battery',
} as const;

/** Sets the workstation up through the page, as its first person does. @returns the same account for HTTP */
export async function setUp(page: Page, service: TestService): Promise<Account> {
  await page.goto(new URL('/#/set-up', service.url).href);
  await page.getByRole('heading', { name: 'Set up this workstation' }).waitFor();
  const code = service.setUpCode();
  await page.getByLabel('Organization').fill(OWNER.org_name);
  await page.getByLabel('Your name').fill(OWNER.name);
  await page.getByLabel('E-mail address').fill(OWNER.email);
  await page.getByLabel('Password').fill(OWNER.password);
  // The desktop's window needs none.
  const codeField = page.getByLabel('Set-up code');
  if (code !== null && (await codeField.isVisible())) await codeField.fill(code);
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const { email, password } = OWNER;
  const { token } = await service.client().ok('signIn', { body: { email, password } });
  const client = service.client(token);
  const { id, orgId } = await client.ok('session');
  return { email, password, userId: id, orgId: orgId ?? '', client };
}

const HOUR = 3_600_000;
/** A trader's agents at work: orders, invoices and their payment. */
const STORY = [
  { operation_type: 'invoice.create', action: 'create', subject: 'invoice/2026-1107' },
  { operation_type: 'order.confirm', action: 'confirm', subject: 'order/88421 · Fjordline Shipping' },
  { operation_type: 'payment.release', action: 'release', subject: 'payment/40213 · Baltic Rope Works' },
  { operation_type: 'mail.send', action: 'send', subject: 'Delivery date of order 88421' },
  { operation_type: 'contract.sign', action: 'sign', subject: 'contract/2026-031 · Harbour storage, Gdańsk' },
] as const;
const EXTREMES = [
  { operation_type: 'invoice.create', action: 'create', subject: 'invoice/2026-1107' },
  { operation_type: 'file.write', action: 'write', subject: '/var/lib/ledger/exports/2026/Q4/annual-report-draft.pdf' },
  { operation_type: 'payment.release', action: 'release', subject: '支付/订单-88421 · 上海分公司' },
  { operation_type: 'mail.send', action: 'send', subject: 'إشعار بالدفع رقم ٤٥٦' },
  { operation_type: 'contract.sign', action: 'sign', subject: `договор/${'поставка-'.repeat(12)}№7` },
] as const;

const DEEDS = ARE_TAKEN ? STORY : EXTREMES;
const LONG_NAME = ARE_TAKEN
  ? 'procurement-agent'
  : `procurement.agent:eu-central-1@${'very-long-cluster-name-'.repeat(3)}01`;

/** The agents of a filled ledger, by what they are for. */
export interface Filled {
  readonly billing: Signer;
  readonly longName: Signer;
  /** Frozen. */
  readonly idle: Signer;
}

/** A ledger with some life in it: three agents, one of them frozen for a while, records over two days, sealed epochs. */
export async function fill(account: Account): Promise<Filled> {
  const { client } = account;
  const billing = await registerAgent(account, 'billing-bot');
  const longName = await registerAgent(account, LONG_NAME);
  const idle = await registerAgent(account, 'archive-reader');
  const now = Date.now();
  const submit = async (from: number, to: number): Promise<void> => {
    const records = Array.from({ length: to - from }, (_, offset) => {
      const n = from + offset;
      const deed = DEEDS[n % DEEDS.length] ?? DEEDS[0];
      // Two waves, as work by day has them.
      const age = (1 - n / 400) * 20 * HOUR + Math.sin(n / 32) * 2 * HOUR + 2 * HOUR;
      return (n % 3 === 0 ? longName : billing).next({
        ...deed,
        issued_at: new Date(now - age).toISOString(),
        ttl_ms: 24 * HOUR,
        payload: {
          total: 1250.5 + n,
          currency: 'EUR',
          approved_by: ['ada', ARE_TAKEN ? 'marek' : '王芳'],
          lines: [{ sku: `A-${n}`, count: n % 7 }],
        },
      });
    });
    await client.ok('submitBatch', { body: { records } });
  };
  await submit(0, 240);
  await client.ok('closeEpoch');
  const params = { agent_id: billing.agentId };
  await client.ok('freezeAgent', { params, body: { reason: 'Unusual amounts; checked by Ada' } });
  await client.ok('unfreezeAgent', { params, body: { reason: 'Cleared' } });
  await submit(240, 390);
  await client.ok('closeEpoch');
  await submit(390, 400);
  await client.ok('freezeAgent', { params: { agent_id: idle.agentId }, body: { reason: 'Out of service' } });
  return { billing, longName, idle };
}
