import { recordAcpAgent } from '../../recorder/index.ts';
import { type Command, UsageError } from '../command.ts';
import { FEED_OPTION, PROGRAM_EXIT_CODES, proxyNames, runBetween, sayer } from './proxied.ts';

/** A recording proxy between a client of the Agent Client Protocol, such as an editor, and an agent. */
export const recordAcp: Command = {
  name: 'record acp',
  synopsis: ['[--feed FEED] [--name AGENT] -- COMMAND ARGS…'],
  options: [
    FEED_OPTION,
    { flag: 'name', value: 'AGENT', help: 'what the agent is called; default: the name it gives itself' },
  ],
  notes: [
    'What client and agent send each other is not changed. The recorder of this user does the recording, and is started where none runs; while it does not answer, the policy of the agent decides whether prompts, permission requests, files and commands may pass.',
  ],
  examples: [
    { what: 'Record an agent that an editor starts:', args: '--feed gemini -- gemini --acp' },
    { what: 'Record an agent by its adapter:', args: '-- npx @agentclientprotocol/claude-agent-acp' },
  ],
  exitCodes: [['2', 'wrong usage'], ...PROGRAM_EXIT_CODES, ['', "Any other is the agent's own."]],
  run: (args, terminal) => {
    if (args.positionals.length === 0) throw new UsageError('name the command of the agent after "--"');
    const say = sayer('record acp', terminal);
    const names = proxyNames(args, say);
    return runBetween(args.positionals, say, (between) => recordAcpAgent(names, between));
  },
};
