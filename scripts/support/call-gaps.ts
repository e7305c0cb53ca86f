import type { AgentProgramId } from './agent-programs.ts';

/** The kinds of calls that every program is run with (test/support/agents/plan.ts), by what is asked of them. */
export const CALL_KINDS = [
  'command',
  'file read',
  'file written',
  'file edited',
  'failing command',
  'missing file',
  'unknown tool',
  'bad input',
  'denied by a rule',
  'denied by a person',
  'sub-agent',
  'call of a sub-agent',
  'input of 5 MB',
  'output of 5 MB',
  'command of 20 s',
  'command from a heredoc',
  'typed into a running shell',
  'ended by Ctrl-C',
  'first after a kill',
] as const;

export type CallKind = (typeof CALL_KINDS)[number];

/** What the ledger has of a call in place of what happened, as a test finds it, and what people read of that. */
export const LEDGER_HAS = {
  'not made': 'was not tried',
  nothing: 'is not recorded',
  'no end': 'is recorded without its end',
  unknown: 'is recorded, and not how it ended',
  ok: 'is recorded as a success',
  error: 'is recorded as a failure',
} as const;

/** What the ledger does not have of a kind of call as it was. */
export interface CallGap {
  readonly of: CallKind;
  readonly ledger: keyof typeof LEDGER_HAS;
  /** Where the program's transcript does not have the call, so that a check of the session counts it. */
  readonly transcript?: 'nothing';
  readonly why: string;
}

const NO_PERSON: CallGap = {
  of: 'denied by a person',
  ledger: 'not made',
  why: 'without a terminal nobody is asked',
};
const NO_TYPING: CallGap = {
  of: 'typed into a running shell',
  ledger: 'not made',
  why: 'it has no tool that types into a running command',
};
const NO_RULE: CallGap = {
  of: 'denied by a rule',
  ledger: 'not made',
  why: 'it has no rules that deny a call',
};
const NO_END: CallGap = {
  of: 'ended by Ctrl-C',
  ledger: 'no end',
  why: 'no hook tells how the call ended',
};
const NO_SUB_AGENT: readonly CallGap[] = (['sub-agent', 'call of a sub-agent'] as const).map((of) => ({
  of,
  ledger: 'not made',
  why: 'the plan starts no sub-agent of it',
}));

/** For each program that is run with the plan, all of its gaps: a test finds these and no others. */
export const CALL_GAPS: Partial<Readonly<Record<AgentProgramId, readonly CallGap[]>>> = {
  claudecode: [NO_TYPING],
  codex: [NO_PERSON],
  gemini: [
    NO_PERSON,
    NO_TYPING,
    {
      of: 'ended by Ctrl-C',
      ledger: 'unknown',
      transcript: 'nothing',
      why: 'no hook tells how the call ended, and its transcript has calls once they have ended',
    },
  ],
  kimi: [
    NO_PERSON,
    NO_TYPING,
    { ...NO_RULE, why: 'without a terminal it carried out what a rule of its configuration denies' },
    NO_END,
  ],
  copilot: [{ ...NO_END, ledger: 'unknown' }, NO_PERSON, NO_TYPING],
  opencode: [
    NO_PERSON,
    NO_TYPING,
    NO_END,
    {
      of: 'unknown tool',
      ledger: 'nothing',
      why: 'it calls its tool `invalid` with the name and the error, and not with what was given',
    },
  ],
  qwen: [NO_PERSON, NO_TYPING],
  pi: [NO_PERSON, NO_TYPING, NO_RULE, ...NO_SUB_AGENT, NO_END],
  cline: [
    NO_PERSON,
    NO_TYPING,
    NO_RULE,
    ...NO_SUB_AGENT,
    { of: 'unknown tool', ledger: 'nothing', why: 'no hook tells of it' },
    { of: 'input of 5 MB', ledger: 'error', why: 'its editor refuses such a text, and writes nothing' },
  ],
};
