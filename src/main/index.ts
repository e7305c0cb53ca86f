import { app } from 'electron';
import { taskOf } from './command-line.ts';
import { runDesktop } from './lifecycle.ts';

// Everything the desktop keeps, in another place: for several workstations on one account, and for tests.
const userData = app.commandLine.getSwitchValue('user-data-dir');
if (userData !== '') app.setPath('userData', userData);

const task = taskOf(process.argv, app.isPackaged);
if (task.kind === 'desktop') runDesktop(task);
// Loaded when it is called for: the window must not wait for commands.
else {
  const { runCommand, selfTest } = await import('./run-command.ts');
  await (task.kind === 'self-test' ? runCommand(selfTest) : runCommand((main) => main(task.args)));
}
