import { FEED_IDS, planUninstall, RecordError, type TokenEnd } from '../../recorder/index.ts';
import { type Command, EXIT, type ParsedArgs } from '../command.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../terminal.ts';
import { agreed, givenToken } from './ask.ts';
import { feedOf, SERVICE_OPTION } from './install.ts';
import { shownDiff } from './shown-diff.ts';
import { SYSTEM_OPTIONS, surroundings, surroundingsOfSystem } from './surroundings.ts';

function describeEnd(end: TokenEnd): string {
  switch (end.kind) {
    case 'revoked':
      return 'The token of the recorder is revoked.';
    case 'none':
      return 'There was no token of a recorder.';
    case 'replaced':
      return 'The token of the recorder works no longer. An entry for it stays in the list of tokens until somebody revokes it there.';
    case 'unknown':
      return `The token of the recorder may still work (${end.why}): revoke it in the list of tokens.`;
  }
}

async function run(args: ParsedArgs, terminal: Terminal): Promise<number> {
  const feed = feedOf(args);
  const system = await surroundingsOfSystem(args, true);
  const plan = await planUninstall(system ?? surroundings(), feed, await givenToken(args.text('token')));
  for (const { diff } of plan.edits) if (diff !== '') terminal.line(shownDiff(diff));
  if (plan.kept !== null) terminal.note(`Warning: the configuration of the program stays: ${printable(plan.kept)}`);
  terminal.line(
    plan.agent === null
      ? 'No agent is installed: what an installation left that was not finished is taken away.'
      : `The agent ${plan.agent.agent_id}, its records and its receipts stay. Its key on this machine is deleted.`,
  );
  if (!args.on('yes') && !(await agreed('Do this?'))) {
    terminal.note('Nothing was changed.');
    return EXIT.failed;
  }
  terminal.line(describeEnd(await plan.carryOut()));
  if (system !== null) {
    const { state } = system.keeper.places;
    terminal.line(`The account of the recorder stays, with the receipts in ${printable(state)}.`);
  }
  return EXIT.ok;
}

/** Takes away what installation did to a program. */
export const recordUninstall: Command = {
  name: 'record uninstall',
  synopsis: ['PROGRAM [--yes] [--token TOKEN] [--system --for USER]'],
  firstArgument: FEED_IDS,
  options: [
    SERVICE_OPTION,
    { flag: 'yes', help: 'do not ask' },
    {
      flag: 'token',
      value: 'TOKEN',
      help: 'token of the user who installed the recorder, to revoke the recorder\'s own token; "-" reads it from standard input',
    },
    ...SYSTEM_OPTIONS,
  ],
  examples: [{ what: 'Stop recording Claude Code:', args: 'claudecode' }],
  exitCodes: [
    ['0', 'done'],
    ['1', 'you did not agree, and nothing was changed'],
    ['2', 'the program or the service refused, or wrong usage'],
  ],
  expected: [RecordError],
  run,
};
