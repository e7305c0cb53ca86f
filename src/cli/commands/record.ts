import type { CommandGroup } from '../command.ts';

/** Evidence that comes in by itself: what AI agents do, as their programs tell it. */
export const record: CommandGroup = {
  name: 'record',
  summary: 'Record what AI agents do, as their programs tell it.',
  commands: [
    { name: 'run', load: async () => (await import('../record/run.ts')).run },
    { name: 'install', load: async () => (await import('../record/install.ts')).recordInstall },
    { name: 'uninstall', load: async () => (await import('../record/uninstall.ts')).recordUninstall },
    { name: 'status', load: async () => (await import('../record/status.ts')).status },
    { name: 'doctor', load: async () => (await import('../record/doctor.ts')).recordDoctor },
    { name: 'check', load: async () => (await import('../record/check.ts')).recordCheck },
    { name: 'mcp', load: async () => (await import('../record/mcp.ts')).recordMcp },
  ],
};
