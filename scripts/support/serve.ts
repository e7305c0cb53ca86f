import { main } from '../../src/cli/main.ts';

/** The command line from its sources, in a process that Node watches (scripts/dev.ts). */
process.exitCode = await main(process.argv.slice(2));
