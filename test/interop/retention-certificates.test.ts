// docs/retention.md, What is held against what: honest certificates and forged ones before three verifiers and the command.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  formatDigest,
  formatTime,
  judgeRetentionCertificate,
  parseRetentionCertificate,
  parseTime,
  type RetentionCertificate,
  type RetentionRule,
  retentionRulesDigest,
  sha256,
  utf8,
} from '../../src/protocol/index.ts';
import {
  type Contents,
  ORG_ID,
  otherDigest,
  otherSignature,
  START,
  serviceKid,
  uuid,
} from '../support/bundle-maker.ts';
import { run } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hasPython, type ProgramName, printedBy } from '../support/fuzz/verifier-process.ts';
import {
  certificateFile,
  DUE_AT_ONCE,
  HOLD_ID,
  type Logged,
  type MadeSweep,
  makeSweep,
  SWEEP_ID,
  signCertificate,
} from '../support/retention-certificates.ts';

const folder = temporaryFolder();
const PROGRAMS: readonly ProgramName[] = hasPython() ? ['single-file', 'python'] : ['single-file'];
const TRUSTED = serviceKid(0);

interface Said {
  readonly code: number;
  readonly verdict?: string;
  readonly statements?: readonly { readonly statement: string; readonly state: string; readonly code: string | null }[];
}

async function ask(program: ProgramName, args: readonly string[]): Promise<Said> {
  const { status, stdout } = await printedBy(program, ...args);
  return { code: status, ...(status === 2 ? {} : (JSON.parse(stdout) as object)) };
}

type Given = Pick<MadeSweep, 'file'> & { readonly against?: readonly string[]; readonly trusted?: readonly string[] };

let files = 0;
function kept(text: string): string {
  const path = join(folder, `file-${files++}`);
  writeFileSync(path, text);
  return path;
}

/** What three verifiers say, of which none differs in any statement. */
async function judged({ file, against = [], trusted = [TRUSTED] }: Given) {
  const path = kept(file);
  const args = [
    path,
    '--json',
    ...trusted.flatMap((kid) => ['--trust', kid]),
    ...against.flatMap((text) => ['--against', kept(text)]),
  ];
  const sources = against.map((text, n) => ({ name: `${n}`, source: () => [utf8(text)] }));
  const { verdict, statements } = await judgeRetentionCertificate(parseRetentionCertificate(utf8(file)), {
    trustedKids: trusted,
    against: sources,
  });
  const ours = statements.map(({ statement, state, code }) => ({ statement, state, code }));
  for (const program of PROGRAMS) {
    const said = await ask(program, args);
    expect({ program, verdict: said.verdict, statements: said.statements }).toEqual({
      program,
      verdict,
      statements: ours,
    });
    expect(said.code).toBe({ verified: 0, failed: 1, incomplete: 3 }[verdict]);
  }
  return {
    verdict,
    first: ours.find(({ code }) => code !== null)?.code ?? null,
    open: ours.filter(({ state }) => state === 'open').map(({ statement }) => statement),
  };
}

type Statement = Omit<RetentionCertificate, 'service_signature'>;
const says = (change: (statement: Statement) => Partial<Statement>) => (statement: Statement) => ({
  ...statement,
  ...change(statement),
});
const withEvents = (change: (events: readonly Logged[]) => readonly Logged[]) => makeSweep({ events: change });
/** The same hold on other records of agents. */
const holding =
  (selection: Readonly<Record<string, string>>) =>
  (event: Logged): Logged => ({ ...event, details: { ...event.details, selection: { kind: 'agent', ...selection } } });
/** A sweep over the first agent's records under a hold on records. @param selection of the event, besides its kind */
const underRecords = (selection: Logged['details'], more: Parameters<typeof makeSweep>[0] = {}): MadeSweep =>
  makeSweep({
    statement: says(({ holds }) => ({ holds: holds.map((hold) => ({ ...hold, kind: 'records' })) })),
    events: (events) =>
      events.map((event) =>
        event.action === 'retention.hold'
          ? { ...event, details: { ...event.details, kind: 'records', selection: { kind: 'records', ...selection } } }
          : event,
      ),
    ...more,
  });
/** Every second number from one on, as runs. */
const apart = (runs: number, from = 1): string => Array.from({ length: runs }, (_, n) => from + 2 * n).join(',');
const hide = (action: string) => (events: readonly Logged[]) =>
  events.map((event) => (event.action === action ? { ...event, withheld: true } : event));
const without = (action: string) => (events: readonly Logged[]) => events.filter((event) => event.action !== action);
/** A later act, so that the log reaches beyond the sweep. */
const LATER: Logged = {
  action: 'retention.rules',
  target_id: ORG_ID,
  details: {},
  created_at: parseTime('2026-05-01T13:30:00Z'),
};
const reordered = (events: readonly Logged[], extra: Logged): readonly Logged[] =>
  [...events, extra].sort((a, b) => a.created_at - b.created_at);
const rulesSay = (rules: readonly RetentionRule[], { begun_at, rules: stated }: Statement): Partial<Statement> => ({
  rules_digest: retentionRulesDigest(rules),
  rules: rules.map((rule, n) => ({
    rule,
    before: formatTime(parseTime(begun_at) - (rule.ceiling_days ?? 0) * 86_400_000),
    erased: n === 0 ? (stated[0]?.erased ?? 0) : 0,
  })),
});
/** The same bundle with its records before all other members that may follow them. */
function recordsFirst(text: string): string {
  const { format, records, ...rest } = JSON.parse(text) as { readonly [member: string]: unknown };
  return JSON.stringify({ format, records, ...rest });
}
const honest = makeSweep();
const honestLedger = () => JSON.parse(honest.before) as Contents;

/** A sweep under a hold on a range of times, after the clock was set back over the records behind No. 2. @param isBefore whether it was before the sweep */
function sweepAfterCorrection(range: Readonly<Record<'from_time' | 'to_time', string>>, isBefore = true): MadeSweep {
  const { records, epochs, admin_events: log } = honestLedger();
  const before = parseTime(epochs[0]?.end_time ?? '');
  const events = log.filter(({ created_at: time }) => time < before).length;
  const jump = { before, after: log[events]?.created_at ?? 0, seq_no: 2, epoch_no: 1, events };
  const until = { seq_no: records.length, epoch_no: epochs.length };
  const corrected = (created_at: number): Logged => ({
    action: 'ledger.clock_corrected',
    target_id: ORG_ID,
    created_at,
    details: { jumps: [jump], last_time: created_at, until },
  });
  const selection = { kind: 'range', ...range };
  return makeSweep({
    statement: says(({ holds }) => ({ holds: holds.map((hold) => ({ ...hold, kind: 'range' })) })),
    events: (events) => {
      const held = events.map((event) =>
        event.action === 'retention.hold'
          ? { ...event, details: { ...event.details, kind: 'range', selection } }
          : event,
      );
      const time = held.at(isBefore ? 0 : -1)?.created_at ?? 0;
      return isBefore ? [corrected(time), ...held] : [...held, corrected(time)];
    },
  });
}

describe('a certificate of retention', () => {
  it('is verified where a bundle from after the sweep confirms every statement', async () => {
    expect(await judged({ ...honest, against: [honest.after] })).toEqual({
      verdict: 'verified',
      first: null,
      open: [],
    });
    expect(await judged({ ...honest, against: [honest.before, honest.after] })).toMatchObject({ verdict: 'verified' });
  });

  it('is held against the whole log, wherever a bundle has it', async () => {
    expect(await judged({ ...honest, against: [recordsFirst(honest.after)] })).toMatchObject({ verdict: 'verified' });
  });

  it('is the word of the operator where nothing is given, and where the bundle ends before the sweep', async () => {
    const ofLog = ['logged', 'begun', 'stopped', 'rules', 'holds', 'erasures'];
    expect(await judged(honest)).toEqual({
      verdict: 'incomplete',
      first: null,
      open: [...ofLog, 'records', 'due', 'held'],
    });
    expect(await judged({ ...honest, against: [honest.before] })).toMatchObject({
      verdict: 'incomplete',
      open: expect.arrayContaining([...ofLog, 'records']),
    });
  });

  it('is not confirmed by a bundle of another organization, of an issuer whom nobody trusts, or a damaged one', async () => {
    const other = makeSweep({ orgId: 'org_other' });
    expect(await judged({ ...honest, against: [other.after] })).toMatchObject({ verdict: 'incomplete', first: null });
    expect(await judged({ ...other, against: [honest.after] })).toMatchObject({ verdict: 'incomplete', first: null });
    const trustsAnother = { ...honest, against: [honest.after], trusted: [serviceKid(5)] };
    expect(await judged(trustsAnother)).toMatchObject({
      verdict: 'incomplete',
      first: null,
      open: ['signature', 'logged', 'begun', 'stopped', 'rules', 'holds', 'erasures', 'records', 'due', 'held'],
    });
    const damaged = honest.after.replace('"nonce-3-', '"nonce-4-');
    expect(await judged({ ...honest, against: [damaged] })).toMatchObject({ verdict: 'incomplete', first: null });
  });

  const attacks: readonly (readonly [what: string, made: () => MadeSweep, first: string])[] = [
    ['signed by a key that the ledger does not have', () => makeSweep({ signer: 3 }), 'SIGNATURE_INVALID'],
    [
      'changed after it was signed',
      () => makeSweep({ certificate: (made) => ({ ...made, actor: uuid('somebody else') }) }),
      'SIGNATURE_INVALID',
    ],
    [
      'with a signature of nothing',
      () => makeSweep({ certificate: (made) => ({ ...made, service_signature: otherSignature() }) }),
      'SIGNATURE_INVALID',
    ],
    [
      'signed by a key that was retired before the sweep ended',
      () => makeSweep({ rotation: true }),
      'SIGNATURE_INVALID',
    ],
    [
      'said to have ended before its key was made',
      () =>
        makeSweep({
          rotation: true,
          signer: 1,
          statement: says(() => ({ ended_at: formatTime(START) })),
        }),
      'SIGNATURE_INVALID',
    ],
    [
      'with more records than its agents have',
      () => makeSweep({ statement: says(() => ({ records: 5 })) }),
      'SUMS_DIFFER',
    ],
    [
      'with runs that overlap',
      () => makeSweep({ statement: says(() => ({ agents: [{ agent_id: 'agent-1', records: 4, runs: '1-5,3-7' }] })) }),
      'SUMS_DIFFER',
    ],
    [
      'with an agent that is there twice',
      () =>
        makeSweep({
          statement: says(({ agents: [one] }) => ({
            agents: [
              { ...(one as Statement['agents'][number]), records: 2 },
              { ...(one as Statement['agents'][number]), records: 2 },
            ],
          })),
        }),
      'SUMS_DIFFER',
    ],
    [
      'with a time that its rule does not come to',
      () =>
        makeSweep({
          statement: says(({ rules, ended_at }) => ({ rules: rules.map((one) => ({ ...one, before: ended_at })) })),
        }),
      'SUMS_DIFFER',
    ],
    [
      'with counts beyond all records',
      () =>
        makeSweep({
          statement: says(({ rules }) => ({
            records: Number.MAX_SAFE_INTEGER,
            rules: rules.map((one) => ({ ...one, erased: Number.MAX_SAFE_INTEGER })),
            agents: [{ agent_id: 'agent-1', records: Number.MAX_SAFE_INTEGER, runs: `1-${Number.MAX_SAFE_INTEGER}` }],
          })),
        }),
      'ERASURES_DIFFER',
    ],
    [
      'with another digest than the log has',
      () => makeSweep({ certificate: ({ service_signature: _, ...rest }) => signCertificate({ ...rest, holds: [] }) }),
      'NOT_LOGGED',
    ],
    [
      'of a sweep that never was',
      () => withEvents((events) => [...events.filter(({ target_id: id }) => id !== SWEEP_ID), LATER]),
      'NOT_LOGGED',
    ],
    [
      'that is in the log twice',
      () => withEvents((events) => [...events, ...events.filter(({ action }) => action === 'retention.certificate')]),
      'NOT_LOGGED',
    ],
    ['whose beginning is not in the log', () => withEvents(without('retention.sweep')), 'SWEEP_DIFFERS'],
    [
      'begun by somebody else',
      () =>
        withEvents((events) =>
          events.map((one) => (one.action === 'retention.sweep' ? { ...one, actor: uuid('another') } : one)),
        ),
      'SWEEP_DIFFERS',
    ],
    [
      'with invented rules',
      () => makeSweep({ statement: says((made) => rulesSay([{ ...DUE_AT_ONCE, name: 'Another' }], made)) }),
      'SWEEP_DIFFERS',
    ],
    [
      'of rules that were not in force',
      () =>
        withEvents((events) =>
          events.map((one) =>
            one.action === 'retention.rules'
              ? { ...one, details: { ...one.details, rules_digest: otherDigest() } }
              : one,
          ),
        ),
      'RULES_DIFFER',
    ],
    ['stopped by nobody', () => makeSweep({ statement: says(() => ({ stopped_because: 'asked' })) }), 'STOP_DIFFERS'],
    [
      'that leaves out that somebody stopped it',
      () =>
        withEvents((events) =>
          reordered(events, {
            action: 'retention.stop',
            target_id: SWEEP_ID,
            details: {},
            created_at: parseTime(honest.certificate.begun_at) + 2000,
          }),
        ),
      'STOP_DIFFERS',
    ],
    ['with no holds', () => makeSweep({ statement: says(() => ({ holds: [] })) }), 'HOLDS_DIFFER'],
    [
      'with an invented hold',
      () =>
        makeSweep({
          statement: says(({ holds }) => ({
            holds: [...holds, { ...(holds[0] as Statement['holds'][number]), hold_id: uuid('invented') }],
          })),
        }),
      'HOLDS_DIFFER',
    ],
    [
      'with a hold of another selection',
      () =>
        makeSweep({
          statement: says(({ holds }) => ({
            holds: holds.map((one) => ({ ...one, selection_digest: otherDigest() })),
          })),
        }),
      'HOLDS_DIFFER',
    ],
    [
      'with a hold that was released before',
      () =>
        withEvents((events) =>
          reordered(events, {
            action: 'retention.release',
            target_id: HOLD_ID,
            details: {},
            created_at: parseTime(honest.certificate.begun_at) - 500,
          }),
        ),
      'HOLDS_DIFFER',
    ],
    [
      'that leaves out a hold under the id of one that was released',
      () =>
        makeSweep({
          statement: says(() => ({ holds: [] })),
          events: (events) =>
            events.flatMap((event) =>
              event.action === 'retention.hold'
                ? [
                    event,
                    { ...event, action: 'retention.release', details: {} },
                    holding({ agent_id: 'agent-1' })(event),
                  ]
                : [event],
            ),
        }),
      'HOLDS_DIFFER',
    ],
    [
      'with a hold that was placed again under its id',
      () =>
        withEvents((events) =>
          events.flatMap((event) =>
            event.action === 'retention.hold' ? [event, holding({ agent_id: 'agent-3' })(event)] : [event],
          ),
        ),
      'HOLDS_DIFFER',
    ],
    [
      'with fewer records than the log has erased',
      () =>
        makeSweep({
          statement: says(({ rules }) => ({
            records: 3,
            rules: rules.map((one) => ({ ...one, erased: 3 })),
            agents: [{ agent_id: 'agent-1', records: 3, runs: '1-5' }],
          })),
        }),
      'ERASURES_DIFFER',
    ],
    [
      'of records that another sweep erased before',
      () =>
        withEvents((events) =>
          reordered(events, {
            action: 'retention.erase',
            target_id: uuid('another sweep'),
            details: { seq_no: '2-3', records: 2 },
            created_at: parseTime(honest.certificate.begun_at) - 900,
          }),
        ),
      'ERASURES_DIFFER',
    ],
    [
      'of a sweep that names its numbers out of order',
      () =>
        withEvents((events) =>
          events.map((event) =>
            event.action === 'retention.erase' ? { ...event, details: { seq_no: '3,1,5,7', records: 4 } } : event,
          ),
        ),
      'ERASURES_DIFFER',
    ],
    [
      'of a sweep that counts a part of a record',
      () =>
        withEvents((events) =>
          events.flatMap((event) =>
            event.action === 'retention.erase' ? [event, { ...event, details: { seq_no: '', records: 0.5 } }] : [event],
          ),
        ),
      'ERASURES_DIFFER',
    ],
    [
      'of records that it erased twice, and held in between',
      () =>
        withEvents((events) =>
          events.flatMap((event) =>
            event.action === 'retention.erase'
              ? [
                  { ...event, details: { seq_no: '1-10', records: 10 } },
                  ...events
                    .filter(({ action }) => action === 'retention.hold')
                    .map(holding({ agent_id: 'agent-1' }))
                    .map((hold) => ({ ...hold, target_id: uuid('in between'), created_at: event.created_at })),
                  { ...event, details: { seq_no: '1-3', records: 3 } },
                ]
              : [event],
          ),
        ),
      'HOLDS_DIFFER',
    ],
    [
      'with the runs of other records',
      () => makeSweep({ statement: says(() => ({ agents: [{ agent_id: 'agent-2', records: 4, runs: '2-6' }] })) }),
      'RECORDS_DIFFER',
    ],
    [
      'with the operations of others',
      () => makeSweep({ statement: says(() => ({ operations_digest: formatDigest(sha256(utf8('others'))) })) }),
      'RECORDS_DIFFER',
    ],
    [
      'of records that are still shown',
      () => {
        const { records } = JSON.parse(honest.before) as { readonly records: readonly never[] };
        return makeSweep({ contents: (contents) => ({ ...contents, records }) });
      },
      'RECORDS_DIFFER',
    ],
    ['of records that no rule made due', () => makeSweep({ erased: [1, 2, 3] }), 'NOT_DUE'],
    [
      'of records that were younger than the floor',
      () => makeSweep({ rules: [{ ...DUE_AT_ONCE, floor_days: 183, ceiling_days: 183 }] }),
      'NOT_DUE',
    ],
    [
      'of records that a hold covered',
      () => makeSweep({ erased: [1, 2, 3], rules: [{ name: 'All', floor_days: 0, ceiling_days: 0 }] }),
      'ERASED_UNDER_HOLD',
    ],
    ['of records that a hold on records covered', () => underRecords({ runs: '2-3,6' }), 'ERASED_UNDER_HOLD'],
  ];

  it.each(attacks)('fails %s', async (_, make, first) => {
    const made = make();
    for (const bundle of [made.after, recordsFirst(made.after)]) {
      expect(await judged({ ...made, against: [bundle] })).toMatchObject({ verdict: 'failed', first });
    }
  });

  it('is incomplete where the log withholds what would confirm it', async () => {
    const cases = [
      ['retention.certificate', 'logged'],
      ['retention.sweep', 'begun'],
      ['retention.rules', 'rules'],
      ['retention.hold', 'holds'],
    ] as const;
    for (const [action, statement] of cases) {
      const { file, after } = withEvents(hide(action));
      expect(await judged({ file, against: [after] })).toMatchObject({
        verdict: 'incomplete',
        open: expect.arrayContaining([statement]),
      });
    }
  });

  it('is incomplete where only a payload would say which rule decided, until a bundle from before says it', async () => {
    const rules: readonly RetentionRule[] = [
      { name: 'By profile', profile: 'example.chat/1', floor_days: 0, ceiling_days: null },
      DUE_AT_ONCE,
    ];
    const made = makeSweep({
      rules,
      statement: says(({ rules: [first, second] }) => ({
        rules: [
          { ...(first as Statement['rules'][number]), erased: 0 },
          { ...(second as Statement['rules'][number]), erased: 4 },
        ],
      })),
    });
    expect(await judged({ ...made, against: [made.after] })).toMatchObject({ verdict: 'verified' });
    const both: readonly RetentionRule[] = [{ ...(rules[0] as RetentionRule), ceiling_days: 0 }, DUE_AT_ONCE];
    const open = makeSweep({
      rules: both,
      statement: says(({ rules: [first, second] }) => ({
        rules: [
          { ...(first as Statement['rules'][number]), erased: 0 },
          { ...(second as Statement['rules'][number]), erased: 4 },
        ],
      })),
    });
    expect(await judged({ ...open, against: [open.after] })).toMatchObject({ verdict: 'incomplete', open: ['due'] });
    expect(await judged({ ...open, against: [open.before, open.after] })).toMatchObject({ verdict: 'verified' });
  });

  it('is incomplete where the event of a hold on a person says which records of an agent it covers', async () => {
    const made = makeSweep({
      statement: says(({ holds }) => ({ holds: holds.map((hold) => ({ ...hold, kind: 'person' })) })),
      events: (events) =>
        events.map((event) =>
          event.action === 'retention.hold' ? { ...event, details: { ...event.details, kind: 'person' } } : event,
        ),
    });
    expect(await judged({ ...made, against: [made.after] })).toMatchObject({ verdict: 'incomplete', open: ['held'] });
  });

  it('is verified under a hold on other records', async () => {
    for (const runs of ['2,4,6', '2', '8-10000']) {
      const made = underRecords({ runs });
      expect(await judged({ ...made, against: [made.after] })).toMatchObject({ verdict: 'verified' });
    }
  });

  it('is incomplete under a hold on records whose event does not say which', async () => {
    const unclear: readonly Logged['details'][] = [
      { runs: '' },
      { runs: '2,2' },
      { runs: '4,2' },
      { runs: '2-1' },
      { runs: 'a' },
      { runs: 2 },
      { runs: '2', agent_id: 'agent-2' },
      { from_seq_no: 2 },
      { runs: apart(10_001, 8) },
    ];
    for (const selection of unclear) {
      const made = underRecords(selection);
      expect({ selection, ...(await judged({ ...made, against: [made.after] })) }).toEqual({
        selection,
        verdict: 'incomplete',
        first: null,
        open: ['held'],
      });
    }
    const most = underRecords({ runs: apart(10_000, 8) });
    expect(await judged({ ...most, against: [most.after] })).toMatchObject({ verdict: 'verified' });
  });

  it('is signed by the key that the service had when the sweep ended', async () => {
    const made = makeSweep({ rotation: true, signer: 1 });
    expect(await judged({ ...made, against: [made.after] })).toMatchObject({ verdict: 'verified' });
  });

  it.each([
    ['another one that holds by itself', makeSweep({ erased: [1, 3] }).after],
    ['one that breaks off', honest.after.slice(0, -1)],
    ['one with a part that cannot be read', honest.after.replace('"admin_events":[', '"admin_events":[0,')],
  ])('is not held against a bundle that changes after it was verified, into %s', async (_, other) => {
    for (const readings of [1, 2]) {
      let read = 0;
      const source = () => [utf8(read++ < readings ? honest.after : other)];
      const judging = judgeRetentionCertificate(honest.certificate, {
        trustedKids: [TRUSTED],
        against: [{ name: 'after', source }],
      });
      await expect(judging).rejects.toMatchObject({ name: 'SourceChanged' });
    }
  });

  it('is held against at most 1,024 runs of one event, of which a longer text names no number', async () => {
    const earlier = (runs: number) =>
      withEvents((events) =>
        reordered(events, {
          action: 'retention.erase',
          target_id: uuid('another sweep'),
          details: { seq_no: apart(runs), records: runs },
          created_at: parseTime(honest.certificate.begun_at) - 900,
        }),
      );
    for (const [runs, verdict] of [
      [1024, 'failed'],
      [1025, 'verified'],
    ] as const) {
      const made = earlier(runs);
      expect(await judged({ ...made, against: [made.after] })).toMatchObject({ verdict });
    }
  });

  it('is held against at most 1,048,576 runs of a log, of which a longer one says nothing about numbers', async () => {
    const erasing = (last: number) =>
      withEvents((events) =>
        events.flatMap((event) => {
          if (event.action !== 'retention.erase') return [event];
          const more = [...Array.from({ length: 1023 }, () => 1024), last];
          return [event, ...more.map((records) => ({ ...event, details: { seq_no: apart(records), records } }))];
        }),
      );
    // With the four of the honest event as many as there may be, and one more.
    const [held, beyond] = [erasing(1020), erasing(1021)];
    expect(await judged({ ...held, against: [held.after] })).toMatchObject({ first: 'ERASURES_DIFFER' });
    expect(await judged({ ...beyond, against: [beyond.after] })).toEqual({
      verdict: 'incomplete',
      first: null,
      open: ['erasures', 'records', 'held'],
    });
  });

  it('counts the runs of holds on records with those of the log', async () => {
    const holds = Array.from({ length: 4 }, (_, n) => uuid(`hold ${n}`));
    // Three runs of each hold meet the numbers from 1 to 7, and the log has four of the sweep: one too many with those below.
    const left = 1_048_576 - 4 * 3 - 4 + 1;
    const erasing = Array.from({ length: Math.ceil(left / 1024) }, (_, n) => Math.min(1024, left - n * 1024));
    const made = makeSweep({
      statement: says(({ holds: [hold] }) => ({
        holds: holds.map((hold_id) => ({ ...(hold as Statement['holds'][number]), kind: 'records', hold_id })),
      })),
      events: (events) =>
        events.flatMap((event) => {
          if (event.action === 'retention.erase')
            return [event, ...erasing.map((records) => ({ ...event, details: { seq_no: apart(records), records } }))];
          if (event.action !== 'retention.hold') return [event];
          const selection = { kind: 'records', runs: '2,4,6,8-9' };
          return holds.map((target_id) => ({
            ...event,
            target_id,
            details: { ...event.details, kind: 'records', selection },
          }));
        }),
    });
    expect(await judged({ ...made, against: [made.after] })).toMatchObject({
      first: null,
      open: ['erasures', 'records', 'held'],
    });
  });

  it('is not confirmed by bundles of a log that was forked', async () => {
    const kept = withEvents((events) =>
      events
        .slice(0, 2)
        .flatMap((event) =>
          event.action === 'retention.hold'
            ? [event, holding({ agent_id: 'agent-1' })({ ...event, target_id: uuid('left out') })]
            : [event],
        ),
    );
    for (const against of [
      [honest.after, kept.after],
      [kept.after, honest.after],
    ]) {
      expect(await judged({ ...honest, against })).toMatchObject({ verdict: 'incomplete', first: null });
    }
  });

  it('is stopped by whom the log has', async () => {
    const stop: Logged = {
      action: 'retention.stop',
      target_id: SWEEP_ID,
      details: {},
      created_at: parseTime(honest.certificate.begun_at) + 2000,
    };
    const made = makeSweep({
      statement: says(() => ({ stopped_because: 'asked' })),
      events: (events) => reordered(events, stop),
    });
    expect(await judged({ ...made, against: [made.after] })).toMatchObject({ verdict: 'verified' });
  });

  it('is of nothing under a hold on a time at which its records may have been received', async () => {
    const { records } = honestLedger();
    const last = parseTime(records.at(-1)?.ear.server_received_at ?? '');
    const [from_time, to_time] = [formatTime(last + 60_000), formatTime(last + 120_000)];
    const [first] = records.map(({ ear }) => parseTime(ear.server_received_at));
    const tooEarly = { from_time: formatTime((first ?? 0) - 120_000), to_time: formatTime((first ?? 0) - 60_000) };
    const under = async (...given: Parameters<typeof sweepAfterCorrection>) => {
      const made = sweepAfterCorrection(...given);
      const { first, open } = await judged({ ...made, against: [made.after] });
      return { first, open };
    };
    expect(await under({ from_time, to_time })).toEqual({ first: 'ERASED_UNDER_HOLD', open: [] });
    expect(await under({ from_time, to_time }, false)).toEqual({ first: null, open: [] });
    expect(await under(tooEarly)).toEqual({ first: null, open: [] });
  });

  it('is not called invented where the clock was set back: a later time may be an earlier moment', async () => {
    const made = withEvents((events) => [
      ...events.filter(({ target_id: id }) => id !== SWEEP_ID),
      { action: 'ledger.clock_corrected', target_id: ORG_ID, details: {}, created_at: LATER.created_at },
      LATER,
    ]);
    const { first } = await judged({ ...made, against: [made.after] });
    expect(first).toBeNull();
  });

  it('is read in any spelling, and refused where its shape is not that of one', async () => {
    const spaced = JSON.stringify(JSON.parse(honest.file), null, 2);
    expect(await judged({ file: spaced, against: [honest.after] })).toMatchObject({ verdict: 'verified' });
    const { records: _, ...lacking } = honest.certificate;
    const files = [
      certificateFile(lacking as RetentionCertificate),
      certificateFile({ ...honest.certificate, records: -1 }),
      certificateFile({ ...honest.certificate, extra: 1 } as RetentionCertificate),
      honest.file.replace('"records":4,"rules"', '"records":4,"records":4,"rules"'),
    ];
    for (const file of files) {
      const path = kept(file);
      for (const program of PROGRAMS) expect((await ask(program, [path, '--json'])).code).toBe(2);
      expect((await run('verify', path, '--no-trust-store')).code).toBe(2);
    }
  });

  it('is not parsed where it has more values than a record may have: the file is then something else', async () => {
    // The object itself, its type, the list: with 524,285 elements as many as there may be.
    const file = (elements: number): string =>
      JSON.stringify({
        type: 'countersign.retention-certificate.v1',
        agents: Array.from({ length: elements }, () => 0),
      });
    for (const [elements, says] of [
      [524_285, /certificate/],
      [524_286, /not a (Countersign )?bundle/],
    ] as const) {
      const path = kept(file(elements));
      for (const program of PROGRAMS) expect((await printedBy(program, path)).stderr).toMatch(says);
      expect((await run('verify', path, '--no-trust-store')).stderr).toMatch(says);
    }
  });

  it('says by the command who confirms each statement, and takes only bundles to be held against', async () => {
    const [path, after] = [kept(honest.file), kept(honest.after)];
    const given = ['verify', path, '--no-trust-store', '--trust', TRUSTED];
    const alone = await run(...given);
    expect(alone.code).toBe(3);
    expect(alone.stdout).toContain('the word of the operator');
    const held = await run(...given, '--against', after);
    expect([held.code, held.stdout.includes('Certificate: verified')]).toEqual([0, true]);
    for (const more of ['--receipts', '--checkpoint']) expect((await run(...given, more, after)).code).toBe(2);
  });
});
