import {
  checkSession,
  FEED_IDS,
  type FeedId,
  installedAgent,
  isFeedId,
  PROGRAM_IDS,
  programName,
  RecordError,
  type SessionCheck,
} from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs, UsageError } from '../command.ts';
import { printable } from '../printable.ts';
import { suggestion } from '../suggestion.ts';
import type { Terminal } from '../terminal.ts';
import { givenToken } from './ask.ts';
import { surroundings } from './surroundings.ts';

/** The program that is named, or the only one installed. @throws UsageError */
function programOf(args: ParsedArgs, home: ReturnType<typeof surroundings>['home']): FeedId {
  const given = args.text('program');
  if (given !== undefined) {
    if (!isFeedId(given))
      throw new UsageError(`--program: there is no program "${printable(given)}"${suggestion(given, FEED_IDS)}`);
    return given;
  }
  const installed = PROGRAM_IDS.filter((feed) => installedAgent(home, feed) !== null);
  const [only, ...more] = installed;
  if (only === undefined || more.length > 0) {
    throw new UsageError(`name the program with --program: ${installed.join(', ') || 'none is installed'}`);
  }
  return only;
}

function show(check: SessionCheck, terminal: Terminal): void {
  terminal.line(terminal.style('bold', `${programName(check.feed)}, session ${printable(check.session)}`));
  for (const path of check.transcripts) terminal.line(`  transcript   ${printable(path)}`);
  terminal.line(`  calls in it  ${check.calls}, of which recorded: ${check.matched}`);
  terminal.line(`  in the ledger ${check.recorded}, of which not in the transcript: ${check.unknown.length}`);
  terminal.line(
    `  compared by  ${check.byId ? 'the ids of calls' : 'ids, and what calls were given where hooks have no ids'}`,
  );
  const cross = terminal.style('red', '✗');
  for (const call of check.missing) terminal.line(`  ${cross} not recorded: ${callText(call)}`);
  for (const call of check.unknown) terminal.line(`  ${cross} not in the transcript: ${callText(call)}`);
  for (const call of check.differing)
    terminal.line(`  ${cross} another input or output in the transcript: ${callText(call)}`);
  if (check.waiting > 0) terminal.line(`  ? records that wait for the service, not compared: ${check.waiting}`);
  if (check.hidden > 0) terminal.line(`  ? records whose payload is withheld or erased: ${check.hidden}`);
  if (check.unreadable > 0) terminal.line(`  ? lines of the transcript that could not be read: ${check.unreadable}`);
  if (check.untried.length > 0) {
    const versions = check.untried.map((one) => printable(one)).join(', ');
    terminal.line(`  ? written by a version whose transcripts were not tried: ${versions}`);
  }
  terminal.line(`  this result is recorded as operation ${check.operationId ?? 'none: the recorder did not take it'}`);
}

/** A call as people know it again: tool, what it was given, ids. */
function callText({ tool, input, callId, operationId }: SessionCheck['missing'][number]): string {
  const ids = [...(callId === null ? [] : [callId]), ...(operationId === null ? [] : [`operation ${operationId}`])];
  return printable(`${tool} ${input} (${ids.join(', ') || 'without an id'})`);
}

function exitCode({ missing, unknown, differing, waiting, hidden, unreadable }: SessionCheck): number {
  const isOpen = waiting > 0 || hidden > 0 || unreadable > 0;
  if (isOpen) return EXIT.incomplete;
  return missing.length + unknown.length + differing.length > 0 ? EXIT.failed : EXIT.ok;
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const around = surroundings();
  const [session, ...more] = args.positionals;
  if (session === undefined || more.length > 0) throw new UsageError('name one session by its id');
  const token = await givenToken(args.text('token'));
  if (token === null)
    throw new UsageError(
      'give --token with the token of a user who may read the ledger: the recorder itself may only submit',
    );
  const feed = programOf(args, around.home);
  const check = await checkSession(around, feed, session, token, args.list('transcript'), (read) =>
    terminal.progress('reading the ledger', read, null, 'records'),
  );
  if (args.on('json')) terminal.line(JSON.stringify(check, null, 2));
  else show(check, terminal);
  return exitCode(check);
}

/** Measures how complete a session was recorded. */
export const recordCheck: Command = {
  name: 'record check',
  synopsis: ['SESSION --token TOKEN [--program PROGRAM] [--transcript FILE]… [--json]'],
  options: [
    {
      flag: 'token',
      value: 'TOKEN',
      help: 'token of a user who may read the ledger; "-" reads it from standard input',
    },
    { flag: 'program', value: 'PROGRAM', help: 'the program of the session; needed if several are installed' },
    {
      flag: 'transcript',
      value: 'FILE',
      multiple: true,
      help: 'a file of the transcript, if it is not found by itself',
    },
    { flag: 'json', help: 'print the result as JSON' },
  ],
  notes: [
    'The transcripts of claudecode, codex, gemini, copilot, opencode and kimi can be read. The recorder must be running. Where a program says that a session ends, the recorder itself reads its transcript and records the result.',
  ],
  examples: [{ what: 'Check a session; the token is read from standard input:', args: 'SESSION-ID --token -' }],
  exitCodes: [
    ['0', 'every call is in the transcript and in the ledger'],
    ['1', 'some are missing on one side'],
    ['3', 'not all could be compared'],
    ['2', 'no recorder runs, the session or the ledger cannot be read, or wrong usage'],
  ],
  expected: [RecordError],
  run,
};
