import { homedir } from 'node:os';
import { recorderHome, type Surroundings } from '../../record/index.ts';

/** What the commands of the recorder see of this process. */
export function surroundings(): Surroundings {
  const { env: environment } = process;
  const userHome = environment['HOME'] ?? homedir();
  return { home: recorderHome(environment), environment, userHome, cwd: process.cwd() };
}
