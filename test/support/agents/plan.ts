import type { CallKind } from '../../../scripts/support/call-gaps.ts';
import type { ModelCall } from './conversation.ts';

/** How a program's tools are called. What it leaves out it does not have: then a gap of the program says so. */
export interface Spelling {
  shell(command: string): ModelCall;
  read(path: string): ModelCall;
  write(path: string, text: string): ModelCall;
  /** Replaces a line. */
  edit?(path: string, from: string, to: string): ModelCall;
  /** A call of a tool that exists, with members that it does not take. */
  badInput(mark: string): ModelCall;
  /** A call that the program's own rules do not allow, by its files or arguments. */
  forbids?(file: string): ModelCall;
  /** A call that a person is asked about at a terminal. */
  asks?(mark: string): ModelCall;
  /** Has a sub-agent do what it is told. */
  subAgent?(told: string): ModelCall;
  /** A shell that stays open, and what is typed into it; `said` is all that the program told the model so far, as JSON. */
  readonly typing?: { open(mark: string): ModelCall; type(said: string, text: string): ModelCall };
  /** What comes from a heredoc, where that is not what every shell does with one. */
  heredoc?(path: string): string;
}

/** A call that the model asks for. */
export interface PlannedCall {
  /** Stands in what the call is given, and in no other. */
  readonly mark: string;
  readonly kind: CallKind;
  call(said: string): ModelCall;
}

export interface PlannedTurn {
  /** What happens around the program before. */
  readonly before?: 'kill and start' | 'kill' | 'stop service' | 'start service';
  readonly calls: readonly PlannedCall[];
  /** What the sub-agent does that is started in this turn. */
  readonly within?: readonly PlannedCall[];
}

export interface CallPlan {
  readonly turns: readonly PlannedTurn[];
  /** Of a second run, which is ended while it is carried out. */
  readonly interrupted: PlannedCall;
  /** The file that this one makes as it begins. */
  readonly running: string;
  /** Of a third run, at a terminal, where a person does not allow it. */
  readonly asked: PlannedCall | null;
  /** Kinds that the program has no call for: a command is run instead. */
  readonly notMade: ReadonlySet<CallKind>;
}

/** By this a sub-agent's conversation is known. */
export const SUB_TASK = 'List the files of the sub task.';
const MIB_5 = 5 * 1024 * 1024;

/** Forty calls: all kinds, in turns between which the recorder is killed three times and the service is away for 30 s. */
export function planOf(spelling: Spelling, project: string): CallPlan {
  let count = 0;
  const notMade = new Set<CallKind>();
  const at = (name: string): string => `${project}/${name}`;
  const call = (kind: CallKind, made: (mark: string, said: string) => ModelCall): PlannedCall => {
    const mark = `m${String(++count).padStart(2, '0')}k`;
    return { mark, kind, call: (said) => made(mark, said) };
  };
  const shell = (kind: CallKind, command: (mark: string) => string): PlannedCall =>
    call(kind, (mark) => spelling.shell(command(mark)));
  const echo = (kind: CallKind = 'command'): PlannedCall => shell(kind, (mark) => `echo ${mark}`);
  const where = (kind: CallKind, made: ((mark: string, said: string) => ModelCall) | undefined): PlannedCall => {
    if (made !== undefined) return call(kind, made);
    notMade.add(kind);
    return echo();
  };
  const { edit, forbids, subAgent, typing } = spelling;
  const typed = (text: (mark: string) => string): PlannedCall =>
    where('typed into a running shell', typing && ((mark, said) => typing.type(said, text(mark))));
  const inner = [
    (mark: string) => spelling.shell(`echo ${mark}`),
    (mark: string) => spelling.read(at(`${mark}.txt`)),
  ].map((made) => where('call of a sub-agent', subAgent && made));
  const hereText = spelling.heredoc ?? ((path) => `cat > ${path} <<'EOF'\ngröße 数\nEOF`);

  const turns: PlannedTurn[] = [
    {
      calls: [
        ...Array.from({ length: 4 }, () => shell('command', (mark) => `echo ${mark}; sleep 0.2`)),
        ...Array.from({ length: 2 }, () => call('file read', (mark) => spelling.read(at(`${mark}.txt`)))),
      ],
    },
    {
      calls: [
        shell('failing command', (mark) => `echo ${mark}; exit 3`),
        shell('failing command', (mark) => `ls /nonexistent-${mark}; exit 3`),
        shell('failing command', (mark) => `echo "größe 数 ${mark}"; exit 3`),
        call('missing file', (mark) => spelling.read(at(`missing-${mark}.txt`))),
      ],
    },
    {
      calls: [
        ...[0, 1].map(() => where('denied by a rule', forbids && ((mark) => forbids(`${mark}.txt`)))),
        call('unknown tool', (mark) => ({ name: 'levitate', input: { x: mark } })),
        call('bad input', (mark) => spelling.badInput(mark)),
      ],
    },
    {
      calls: [
        call('file written', (mark) => spelling.write(at('größe-数.txt'), `hello\ngröße 数 ${mark}\n`)),
        shell('command', (mark) => `echo "größe 数 ${mark}"`),
      ],
    },
    { calls: [where('file edited', edit && ((mark) => edit(at('größe-数.txt'), 'hello', `數 ${mark}`))), echo()] },
    {
      before: 'kill and start',
      calls: [shell('output of 5 MB', (mark) => `yes 'größe ${mark}' | head -c ${MIB_5}`)],
    },
    {
      calls: [
        call('input of 5 MB', (mark) =>
          spelling.write(at(`large-${mark}.txt`), `${mark} ${'größe 数 '.repeat(MIB_5 / 12)}`),
        ),
      ],
    },
    { calls: [shell('command from a heredoc', (mark) => hereText(at(`here-${mark}.txt`)))] },
    {
      calls: [where('typed into a running shell', typing && ((mark) => typing.open(mark))), echo()],
    },
    { calls: [typed((mark) => `echo ${mark} größe\n`)] },
    { calls: [typed((mark) => `exit 0 # ${mark}\n`)] },
    {
      before: 'stop service',
      calls: [
        where('sub-agent', subAgent && ((mark) => subAgent(`${SUB_TASK} ${mark}`))),
        ...(subAgent === undefined ? inner : []),
      ],
      within: subAgent === undefined ? [] : inner,
    },
    { before: 'kill', calls: [echo('first after a kill'), echo('first after a kill')] },
    { calls: [shell('command of 20 s', (mark) => `echo ${mark}; sleep 20`)] },
    { before: 'kill and start', calls: [shell('command', (mark) => `echo ${mark}; sleep 10`), echo()] },
    { before: 'start service', calls: [echo(), echo(), echo()] },
    { calls: [call('file written', (mark) => spelling.write(at(`${mark}-last.txt`), `${mark}\n`)), echo()] },
    { calls: [echo()] },
  ];
  const running = at('running');
  const interrupted = shell('ended by Ctrl-C', (mark) => `touch ${running}; echo ${mark}; sleep 300`);
  const { asks } = spelling;
  const asked = asks === undefined ? null : call('denied by a person', asks);
  if (asked === null) notMade.add('denied by a person');
  return { turns, interrupted, running, asked, notMade };
}
