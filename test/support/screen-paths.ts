import { SCREENS } from '../../src/api/index.ts';

/** The paths of all screens there are, over the ledger and over a case. */
export const EVERY_SCREEN: readonly string[] = Object.values(SCREENS).flatMap((screen) => [
  screen.path,
  ...('isOfLedger' in screen ? [`${SCREENS.case.path}${screen.path}`] : []),
]);

/** Whether an address is one of a screen, whose path may have parameters. */
function isAt(path: string, screen: string): boolean {
  const pattern = screen.replace(/\$\w+/g, '[^/]+');
  return new RegExp(`^${pattern}$`).test(path.split('?')[0] ?? '');
}

/** Of the paths of screens those that none of some addresses leads to. */
export function unvisited(screens: readonly string[], paths: readonly string[]): string[] {
  return screens.filter((screen) => !paths.some((path) => isAt(path, screen)));
}
