import { _electron as driver, type Page } from 'playwright';
import { electronPath } from '../../scripts/support/capabilities.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { atEnd } from './cleanup.ts';
import { type DesktopOptions, DesktopProcess, environmentOf, type MainProcess } from './desktop-process.ts';
import { temporaryFolder } from './folders.ts';

/** The same with a new folder of user data by default. */
export type TestDesktopOptions = Partial<DesktopOptions>;

/** The desktop under the small host; it ends with the test file. */
export class HostedDesktop extends DesktopProcess implements OpenDesktop {
  constructor(options: TestDesktopOptions = {}) {
    super({ ...options, userData: options.userData ?? temporaryFolder() });
    atEnd(() => this.destroy());
  }
}

/** A running desktop, whatever hosts its main process: what specs need that run under both. */
export interface OpenDesktop {
  evaluate<R, A = undefined>(task: (all: MainProcess, argument: A) => R, argument?: A): Promise<Awaited<R>>;
  page(): Promise<Page>;
}

/** The desktop under Electron itself, by Playwright's driver; for the specs that need its binary. */
export async function launchElectron(options: TestDesktopOptions = {}): Promise<OpenDesktop> {
  const { userData = temporaryFolder(), args = [], environment, application = ROOT } = options;
  const electron = await driver.launch({
    executablePath: electronPath() ?? '',
    args: [application, `--user-data-dir=${userData}`, ...args],
    env: environmentOf(environment),
  });
  atEnd(() => electron.close().catch(() => undefined));
  return {
    // The real module has all that the host has, but `host`.
    evaluate: (task, argument) =>
      electron.evaluate(task as unknown as Parameters<typeof electron.evaluate>[0], argument) as never,
    page: () => electron.firstWindow(),
  };
}
