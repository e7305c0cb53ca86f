import type { CommandGroup } from '../command.ts';

/** The commands of an archive: sealed runs of many hosts in one place. */
export const archive: CommandGroup = {
  name: 'archive',
  commands: [
    {
      name: 'ship',
      summary: 'Ship what a host has sealed to the folder of an archive.',
      load: async () => (await import('../archive/ship.ts')).archiveShip,
    },
    {
      name: 'export',
      summary: 'Write runs of a host into a new folder, such as one on a stick.',
      load: async () => (await import('../archive/ship.ts')).archiveExport,
    },
    {
      name: 'add',
      summary: 'Add files of runs that came on a stick to an archive.',
      load: async () => (await import('../archive/add.ts')).archiveAdd,
    },
    {
      name: 'check',
      summary: 'Verify every run of an archive against the one before it.',
      load: async () => (await import('../archive/check.ts')).archiveCheck,
    },
    {
      name: 'parquet',
      summary: 'Write the records of an archive for programs that search.',
      load: async () => (await import('../archive/parquet.ts')).archiveParquet,
    },
    {
      name: 'serve',
      summary: 'Run the central node of an archive until Ctrl-C or SIGTERM.',
      load: async () => (await import('../archive/serve.ts')).archiveServe,
    },
    {
      name: 'trial',
      summary: 'Try an archive out: two hosts, a folder, a central node.',
      load: async () => (await import('../archive/trial.ts')).archiveTrial,
    },
  ],
};
