import type { Command, CommandGroup, Entry, Task } from './command.ts';

/**
 * Every command by the task it is for, in the order of the general help. Whoever verifies a bundle must not have the whole
 * service in memory, and the general help must not load anything: so each command's module is named and not imported.
 */
export const TASKS: readonly Task[] = [
  {
    title: 'Start',
    entries: [
      {
        name: 'demo',
        summary: 'See all of it in a temporary folder, up to a detected forgery.',
        load: async () => (await import('./commands/demo.ts')).demo,
      },
      {
        name: 'serve',
        summary: 'Run the audit service on this machine until Ctrl-C or SIGTERM.',
        load: async () => (await import('./commands/serve.ts')).serve,
      },
    ],
  },
  {
    title: 'Record',
    entries: [
      {
        name: 'record',
        summary: 'Record what AI agents do, as their programs report it.',
        load: async () => (await import('./commands/record.ts')).record,
      },
      {
        name: 'keygen',
        summary: 'Generate an Ed25519 key pair for an agent.',
        load: async () => (await import('./commands/keygen.ts')).keygen,
      },
    ],
  },
  {
    title: 'Verify',
    entries: [
      {
        name: 'verify',
        summary: 'Verify bundles, proofs and reports offline, or a stored ledger.',
        load: async () => (await import('./commands/verify.ts')).verify,
      },
      {
        name: 'forks',
        summary: 'Compare many files: who was shown which ledger, and where they part.',
        load: async () => (await import('./commands/forks.ts')).forks,
      },
      {
        name: 'timestamp',
        summary: 'Have an authority for time say when a checkpoint was there (RFC 3161).',
        load: async () => (await import('./commands/timestamp.ts')).timestamp,
      },
      {
        name: 'case',
        summary: 'Check a saved case: its items, its custody log, and who signed it.',
        load: async () => (await import('./commands/case.ts')).caseFile,
      },
      {
        name: 'import-transcripts',
        summary: 'Make a case of transcripts and logs as they are found on a disk.',
        load: async () => (await import('./commands/import-transcripts.ts')).importTranscriptsCommand,
      },
      {
        name: 'checkpoint',
        summary: "Write a signed checkpoint of a stored ledger's log.",
        load: async () => (await import('./commands/checkpoint.ts')).checkpoint,
      },
      {
        name: 'witness',
        summary: 'Have checkpoints cosigned, or cosign those of others.',
        load: async () => (await import('./commands/witness.ts')).witness,
      },
      {
        name: 'trust',
        summary: 'Keep the issuer keys that you trust.',
        load: async () => (await import('./commands/trust.ts')).trust,
      },
    ],
  },
  {
    title: 'Export and report',
    entries: [
      {
        name: 'report',
        summary: 'Write a report about a bundle, or about chosen records.',
        load: async () => (await import('./commands/report.ts')).report,
      },
      {
        name: 'export',
        summary: 'Write records of a bundle for another program, without proof.',
        load: async () => (await import('./commands/export.ts')).exportRecords,
      },
      {
        name: 'proof',
        summary: 'Write a proof of chosen records, which verifies by itself.',
        load: async () => (await import('./commands/proof.ts')).proof,
      },
    ],
  },
  {
    title: 'Examine the verifier',
    entries: [
      {
        name: 'qualify',
        summary: 'Alter copies of a bundle in many ways; show what is detected.',
        load: async () => (await import('./commands/qualify.ts')).qualify,
      },
    ],
  },
  {
    title: 'Operate',
    entries: [
      {
        name: 'backup',
        summary: 'Back up a data folder, or verify a backup.',
        load: async () => (await import('./commands/backup.ts')).backup,
      },
      {
        name: 'restore',
        summary: 'Create a data folder from a backup, after verifying it.',
        load: async () => (await import('./commands/restore.ts')).restore,
      },
      {
        name: 'shared',
        summary: 'Have several machines carry on one ledger, and one of them at a time.',
        load: async () => (await import('./commands/shared.ts')).shared,
      },
      {
        name: 'join',
        summary: "Make a further node of a shared log from another node's backup.",
        load: async () => (await import('./commands/shared.ts')).join,
      },
      {
        name: 'archive',
        summary: 'Ship sealed runs of many hosts to one place, and verify each once.',
        load: async () => (await import('./commands/archive.ts')).archive,
      },
      {
        name: 'completion',
        summary: 'Print a completion script for bash, zsh or fish.',
        load: async () => (await import('./commands/completion.ts')).completionOf(COMMANDS),
      },
    ],
  },
];

/** All of them, in the same order. */
export const COMMANDS: readonly Entry<Command | CommandGroup>[] = TASKS.flatMap(({ entries }) => entries);
