import { defaultRules } from '../../../src/service/search/content-index/default-rules.ts';
import type { RecordSource, SourceRecord } from '../../../src/service/search/content-index/record-source.ts';

const START = Date.UTC(2026, 0, 1);
const TOOLS = [
  'get_user',
  'search_orders',
  'pay_invoice',
  'send_mail',
  'read_file',
  'write_file',
  'run_query',
  'think',
];
const SYLLABLES = [
  'ka',
  'lo',
  'mi',
  'ren',
  'tu',
  'ves',
  'or',
  'pha',
  'qui',
  'da',
  'sel',
  'bo',
  'nim',
  'gra',
  'te',
  'ux',
];

/** A number that looks random and is the same in each run. */
export function scattered(n: number, salt: number): number {
  const mixed = Math.imul(n ^ Math.imul(salt + 1, 0x9e37_79b9), 0x85eb_ca6b);
  return (Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35) ^ (mixed >>> 16)) >>> 0;
}

/** The word of a rank: 0 is the most frequent. */
export function vocabularyWord(rank: number): string {
  let word = '';
  for (let left = rank + 16; left > 0; left = Math.floor(left / 16)) word += SYLLABLES[left % 16] ?? '';
  return word;
}

const RANKS = 60_000;

/** A rank as words of a language are distributed: twice as far down the list, half as often. */
function rankOf(random: number): number {
  return Math.min(RANKS - 1, Math.floor(RANKS ** (random / 2 ** 32)) - 1);
}

function sentence(n: number, salt: number, length: number): string {
  let text = '';
  for (let i = 0; text.length < length; i++) text += `${vocabularyWord(rankOf(scattered(n, salt + i)))} `;
  return text;
}

/** What an agent did, in about this many bytes. */
export function payloadOf(n: number, bytes: number) {
  const tool = TOOLS[scattered(n, 1) % TOOLS.length] ?? 'think';
  const fails = scattered(n, 2) % 50 === 0;
  const fixed = {
    tool,
    session: `session-${Math.floor(n / 1000)}`,
    step: n % 1000,
    arguments: {
      user_id: `user_${scattered(n, 3) % 5000}`,
      reservation_id: `R${(scattered(n, 4) % 100_000).toString(36).padStart(5, '0')}`,
      amount: (scattered(n, 5) % 100_000) / 100,
      url: `https://host-${scattered(n, 6) % 200}.example/v1/items/${scattered(n, 7) % 1000}`,
      when: new Date(START + n * 1000).toISOString(),
    },
  };
  const left = bytes - JSON.stringify(fixed).length - 40;
  const request = sentence(n, 100, left * 0.3);
  return { ...fixed, request, result: (fails ? 'Error: ' : '') + sentence(n, 5000, left * 0.7) };
}

/** What records tell: each a call in a payload without a profile, or by twos the beginning and the end of a call. */
export type Shape = 'plain' | 'calls';

/** Records of a session, of which the questions about sessions say how many steps that are. */
const IN_SESSION: Readonly<Record<Shape, number>> = { plain: 1000, calls: 2000 };

/** The beginning of a call, or its end, in the profile of agent actions: each in about this many bytes. */
function halfOfCall(n: number, bytes: number) {
  const call = Math.ceil(n / 2);
  const { tool, arguments: members, request, result } = payloadOf(call, 2 * bytes);
  const of = {
    profile: 'countersign.agent-action/1',
    action_id: `00000000-0000-4000-8000-${String(call).padStart(12, '0')}`,
    session: { id: `session-${Math.floor(n / IN_SESSION.calls)}` },
    tool: { name: tool, type: 'function' },
  };
  const touched = [{ kind: 'account', id: members.user_id, access: 'write', amount: euros(members.amount) }];
  const text = `${request}${result}`;
  const half = text.lastIndexOf(' ', text.length / 2);
  if (n % 2 === 1) {
    return { ...of, phase: 'started', input: { value: { ...members, request: text.slice(0, half) } }, touched };
  }
  const fails = result.startsWith('Error');
  const outcome = fails ? { status: 'error', exit_code: 1 } : { status: 'ok', exit_code: 0 };
  return { ...of, phase: fails ? 'failed' : 'completed', output: { value: text.slice(half) }, outcome };
}

const euros = (amount: number) => ({ value: String(amount), currency: 'EUR' });

/** A ledger of which every record is made when it is read. */
export class MadeRecords implements RecordSource {
  readonly owner = 'org';
  readonly #records: number;
  readonly #bytes: number;
  readonly #shape: Shape;
  readonly erased: number[] = [];

  constructor(records: number, bytes: number, shape: Shape) {
    this.#records = records;
    this.#bytes = bytes;
    this.#shape = shape;
  }

  last(): number {
    return this.#records;
  }

  after(n: number, limit: number): SourceRecord[] {
    return Array.from({ length: Math.min(limit, this.#records - n) }, (_, i) => this.record(n + i + 1));
  }

  record(n: number): SourceRecord {
    const issuedMs = START + n * 1000;
    return {
      n,
      seqNo: n,
      operationId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      agentId: `agent-${scattered(this.#shape === 'calls' ? Math.floor(n / IN_SESSION.calls) : n, 8) % 20}`,
      kid: 'k1',
      isFirstOfAgent: false,
      operationType: 'tool.call',
      action: 'call',
      subject: `session-${Math.floor(n / IN_SESSION[this.#shape])}`,
      issuedAt: new Date(issuedMs).toISOString(),
      issuedMs,
      receivedMs: issuedMs + 20,
      disclosures: {},
      payload: this.erased.includes(n) ? null : this.#payload(n),
    };
  }

  #payload(n: number) {
    return this.#shape === 'calls' ? halfOfCall(n, this.#bytes) : payloadOf(n, this.#bytes);
  }

  extent() {
    return { allAgents: true, toHead: true };
  }

  agent(): undefined {
    return undefined;
  }

  heads(from: number, to: number): SourceRecord[] {
    return this.after(from - 1, to - from + 1);
  }

  leafHash(): Uint8Array {
    return new Uint8Array(32);
  }

  place(): null {
    return null;
  }

  erasedAfter(event: number): { readonly ns: readonly number[]; readonly to: number } {
    return { ns: this.erased.slice(event), to: this.erased.length };
  }

  rules() {
    return defaultRules();
  }
}
