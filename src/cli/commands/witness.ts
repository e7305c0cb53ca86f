import type { CommandGroup } from '../command.ts';

/** The commands of a witness, and of a log that has one. */
export const witness: CommandGroup = {
  name: 'witness',
  commands: [
    {
      name: 'keys',
      summary: 'Print the keys of a witness; make its folder.',
      load: async () => (await import('../witness/sign.ts')).witnessKeys,
    },
    {
      name: 'request',
      summary: 'Write what a witness is asked to cosign.',
      load: async () => (await import('../witness/request.ts')).witnessRequest,
    },
    {
      name: 'sign',
      summary: 'Cosign a checkpoint, or refuse and prove why.',
      load: async () => (await import('../witness/sign.ts')).witnessSign,
    },
    {
      name: 'serve',
      summary: 'Cosign checkpoints that are sent by HTTP.',
      load: async () => (await import('../witness/serve.ts')).witnessServe,
    },
    {
      name: 'import',
      summary: 'Put cosignatures below the checkpoint that they are of.',
      load: async () => (await import('../witness/import.ts')).witnessImport,
    },
  ],
};
