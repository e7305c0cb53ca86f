import {
  examine,
  FEED_IDS,
  type FeedId,
  type Finding,
  installedFeeds,
  programName,
  RecordError,
  standingOf,
} from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { feedOf, SERVICE_OPTION } from './install.ts';
import { surroundings } from './surroundings.ts';

/** Notes that say what was tried and is right; others only say how things are. */
const CHECKED: ReadonlySet<Finding['code']> = new Set(['CANARY_RECORDED', 'FAILS_OPEN', 'FAILS_CLOSED']);

function show(found: readonly Finding[], terminal: Terminal): void {
  let feed: FeedId | null = null;
  for (const { code, level, feed: of, text } of found) {
    if (of !== feed) terminal.line(terminal.style('bold', `${programName(of)}${standingOf(of)}`));
    feed = of;
    const mark =
      level === 'problem' ? terminal.style('red', '✗') : CHECKED.has(code) ? terminal.style('green', '✓') : '-';
    terminal.line(`  ${mark} ${code.padEnd(20)}  ${printable(text)}`);
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const around = surroundings();
  const feeds = args.positionals.length > 0 ? [feedOf(args)] : [...installedFeeds(around.home)];
  const found: Finding[] = [];
  for (const feed of feeds) found.push(...(await examine(around, feed, !args.on('look-only'))));
  if (args.on('json')) terminal.line(JSON.stringify({ findings: found }, null, 2));
  else if (feeds.length === 0) terminal.line('No agent is installed: countersign record install PROGRAM');
  else show(found, terminal);
  return found.some(({ level }) => level === 'problem') || feeds.length === 0 ? EXIT.failed : EXIT.ok;
}

/** Finds what keeps actions from being recorded. */
export const recordDoctor: Command = {
  name: 'record doctor',
  synopsis: ['[PROGRAM] [--look-only] [--json]'],
  firstArgument: FEED_IDS,
  options: [
    SERVICE_OPTION,
    { flag: 'look-only', help: 'do not run the hook' },
    { flag: 'json', help: 'print the findings as JSON: {findings: [{code, level, feed, text}]}' },
  ],
  notes: [
    'The installed hook is run twice: once with an event that is recorded as a note, once with a recorder that does not exist.',
  ],
  examples: [{ what: 'Look at everything that is installed:', args: '' }],
  exitCodes: [
    ['0', 'no problem was found'],
    ['1', 'a problem was found, or nothing is installed'],
    ['2', 'the configuration cannot be read, or wrong usage'],
  ],
  expected: [RecordError],
  run,
};
