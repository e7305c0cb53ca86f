import { Coherence, type CoherenceReport, checkPayload } from '../../src/actions/profile/index.ts';
import { canonicalize, type Json } from '../../src/protocol/index.ts';
import type { Prepared, PreparedCall } from '../../src/recorder/content/prepared.ts';
import { shapeOf } from '../../src/recorder/content/preparer.ts';
import type { Draft, Joined } from '../../src/recorder/joining/draft.ts';
import { Joiner } from '../../src/recorder/joining/joiner.ts';
import { RecorderKeys } from '../../src/recorder/redact/recorder-keys.ts';

const KEYS = new RecorderKeys(new Uint8Array(32).fill(7));

/** A value as the room before hands it on: nothing in it to be replaced or cut. */
export function preparedContent(value: Json, form?: string): NonNullable<PreparedCall['input']> {
  const canonical = canonicalize(value);
  const bytes = Buffer.byteLength(canonical);
  return {
    canonical,
    shape: shapeOf(value),
    kept: value,
    truncated: false,
    bytes,
    binary: null,
    same: KEYS.same(canonical),
    ...(form !== undefined && { form }),
  };
}

/** What an event may say besides; the rest is the same for all. */
type Given<S> = Partial<Omit<S, 'kind'>>;

/** Events of one agent, one after the other, and the records that were made of them. */
export class Watching {
  readonly drafts: Draft[] = [];
  #joiner: Joiner;
  readonly #state = new Map<string, Json>();
  #now = Date.parse('2026-11-22T10:00:00Z');
  #events = 0;
  readonly #before: 'all' | 'changes' | 'none';

  constructor(before: 'all' | 'changes' | 'none' = 'all') {
    this.#before = before;
    this.#joiner = this.#begin();
  }

  #begin(): Joiner {
    const joiner = new Joiner({
      feed: 'claudecode',
      agentId: 'claudecode-ada',
      user: 'ada',
      before: this.#before,
      keys: KEYS,
      operationOf: (seen) =>
        seen.kind === 'call'
          ? { operationType: `tool.${seen.tool.type}`, subject: seen.tool.name, changes: seen.tool.type !== 'file' }
          : { operationType: `session.${seen.kind}`, subject: 'session', changes: false },
    });
    joiner.load([...this.#state].map(([key, value]) => ({ key, value })));
    return joiner;
  }

  #took({ drafts, changes }: Joined): readonly Draft[] {
    this.drafts.push(...drafts);
    for (const { key, value } of changes) {
      if (value === null) this.#state.delete(key);
      else this.#state.set(key, JSON.parse(JSON.stringify(value)));
    }
    return drafts;
  }

  /** The recorder is killed and begins again with what it had written. */
  restart(): void {
    this.#joiner = this.#begin();
  }

  get kept(): readonly string[] {
    return [...this.#state.keys()];
  }

  #common(): Omit<Prepared, 'kind'> & { session: { id: string } } {
    this.#events++;
    this.#now += 1000;
    return {
      source: 'hook',
      witness: null,
      event_id: `event ${this.#events}`,
      raw_event: 'test',
      raw_digest: `sha256:${'0'.repeat(64)}`,
      redactions: [],
      observed_at: new Date(this.#now).toISOString(),
      session: { id: 's1' },
      sub_agent: null,
      model: null,
      program_version: '1.0',
      cwd: '/w',
      trace: null,
      extra: null,
    };
  }

  /** A moment of a call. */
  call(
    stage: PreparedCall['stage'],
    given: Given<PreparedCall> & { readonly given?: Json; readonly gave?: Json; readonly form?: string },
  ): readonly Draft[] {
    const { given: input, gave: output, form, ...rest } = given;
    const tool = { name: 'Bash', type: 'shell', server: null } as const;
    const seen: PreparedCall = {
      ...this.#common(),
      kind: 'call',
      stage,
      tool,
      call_id: 'c1',
      touched: [],
      ...(input === undefined ? {} : { input: preparedContent(input) }),
      ...(output === undefined ? {} : { output: preparedContent(output, form) }),
      ...rest,
    };
    return this.#took(this.#joiner.take(seen, this.#now));
  }

  session(
    kind: 'session_started' | 'session_ended',
    given: { readonly session?: { readonly id: string; readonly parent?: string } } = {},
  ): readonly Draft[] {
    return this.#took(this.#joiner.take({ ...this.#common(), kind, reason: null, ...given }, this.#now));
  }

  decide(
    decision: 'approved' | 'denied',
    given: { readonly call_id?: string | null; readonly given?: Json } = {},
  ): readonly Draft[] {
    const { call_id = 'c1', given: input } = given;
    return this.#took(
      this.#joiner.take(
        {
          ...this.#common(),
          kind: 'decision',
          tool: { name: 'Bash', type: 'shell', server: null },
          call_id,
          decision,
          by: { kind: 'human', id: 'ada' },
          reason: null,
          ...(input === undefined ? {} : { input: preparedContent(input) }),
        },
        this.#now,
      ),
    );
  }

  /** The recorder's note of a transcript that was read to its end. */
  checked(): readonly Draft[] {
    const common = { ...this.#common(), source: 'transcript' } as const;
    return this.#took(this.#joiner.take({ ...common, kind: 'note', name: 'session.check', text: 'Read.' }, this.#now));
  }

  tools(digit: string): readonly Draft[] {
    const tools = { server: 'files', count: 2, definitions_sha256: digit.repeat(64) };
    return this.#took(this.#joiner.take({ ...this.#common(), kind: 'tools', ...tools }, this.#now));
  }

  later(ms: number): readonly Draft[] {
    this.#now += ms;
    return this.#took(this.#joiner.tick(this.#now));
  }

  block(actionId: string): readonly Draft[] {
    return this.#took(this.#joiner.block(actionId, 'the agent is frozen', this.#now));
  }

  /** What is at odds among the records: each must be of the profile. */
  report(): CoherenceReport {
    const coherence = new Coherence({ allAgents: true });
    for (const [index, { operationId, payload }] of this.drafts.entries()) {
      const check = checkPayload(payload, true);
      if (!check.ok) throw new Error(`record ${index + 1}: ${check.problem.pointer} ${check.problem.message}`);
      coherence.take({
        seq_no: index + 1,
        operation_id: operationId,
        agent_id: 'claudecode-ada',
        kid: 'k1',
        issued_at: index,
        first_of_agent: index === 0,
        payload,
        withheld: 0,
      });
    }
    return coherence.report({ toHead: true, named: () => undefined });
  }
}
