import type { CommandGroup } from '../command.ts';

/** The commands of the recorder, which records what AI agents do as their programs report it. */
export const record: CommandGroup = {
  name: 'record',
  commands: [
    {
      name: 'install',
      summary: 'Register an agent for a program of this user, and have the program report to the recorder.',
      load: async () => (await import('../record/install.ts')).recordInstall,
    },
    {
      name: 'uninstall',
      summary: 'Remove what installation added to the configuration of a program.',
      load: async () => (await import('../record/uninstall.ts')).recordUninstall,
    },
    {
      name: 'run',
      summary: 'Run the recorder of this user until Ctrl-C or SIGTERM.',
      load: async () => (await import('../record/run.ts')).run,
    },
    {
      name: 'status',
      summary: 'Show whether the recorder is running, and how many records of each agent are pending.',
      load: async () => (await import('../record/status.ts')).status,
    },
    {
      name: 'doctor',
      summary: 'Find what keeps actions from being recorded.',
      load: async () => (await import('../record/doctor.ts')).recordDoctor,
    },
    {
      name: 'check',
      summary: 'Compare a session in a transcript with its records in the ledger, call by call.',
      load: async () => (await import('../record/check.ts')).recordCheck,
    },
    {
      name: 'mcp',
      summary: 'Record the calls that a program makes to an MCP server.',
      load: async () => (await import('../record/mcp.ts')).recordMcp,
    },
    {
      name: 'acp',
      summary: 'Record what an agent does that an editor runs over the Agent Client Protocol.',
      load: async () => (await import('../record/acp.ts')).recordAcp,
    },
  ],
};
