import { planInstall, planUninstall, RecordError, systemSurroundings } from '../../../src/recorder/index.ts';

/*
 * Root at a terminal, in a process of its own, below a folder that stands for `/`: `installing.ts ROOT install|uninstall USER SERVICE`
 * with the token in COUNTERSIGN_TOKEN. Prints `done`, or the code of what was refused.
 */
const [root = '', action, person = '', service = ''] = process.argv.slice(2);
const { COUNTERSIGN_TOKEN: token = null, ...environment } = process.env;

async function act(): Promise<string> {
  const isRemoving = action === 'uninstall';
  const around = await systemSurroundings(person, { environment, cwd: root, isRemoving }, root);
  if (isRemoving) {
    await (await planUninstall(around, 'gemini', token)).carryOut();
    return 'done';
  }
  const options = { feed: 'gemini', service, token, serviceKid: null, policy: {}, inProject: false } as const;
  await (await planInstall(around, options)).carryOut();
  await around.keeper.enable();
  return 'done';
}

try {
  process.stdout.write(await act());
} catch (error) {
  if (!(error instanceof RecordError)) throw error;
  process.stdout.write(error.code);
  process.stderr.write(error.message);
}
