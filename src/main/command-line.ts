import { isScreenPath } from '../api/light.ts';

/** What a start of the application is for. */
export type Task =
  | { readonly kind: 'desktop'; readonly file: string | null; readonly link: string | null; readonly hidden: boolean }
  /** The command line of the same name: `serve`, `verify` and the others. */
  | { readonly kind: 'command'; readonly args: readonly string[] }
  | { readonly kind: 'self-test' };

const FILE = /\.(csbundle|csbundle\.gz|pdf|jsonl)$/i;
const LINK = /^countersign:\/\//i;

/** What follows the program in an argument list: packaged it is the program itself, else an entry comes first. */
function ownArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const rest = argv.slice(1);
  if (isPackaged) return rest;
  const entry = rest.findIndex((argument) => !argument.startsWith('--'));
  return rest.filter((_, index) => index !== entry);
}

/**
 * Reads the arguments of a start, also those that a second instance hands over. Whatever is not known is passed over:
 * systems and Chromium put switches of their own in.
 */
export function taskOf(argv: readonly string[], isPackaged: boolean): Task {
  const args = ownArguments(argv, isPackaged);
  const cli = args.indexOf('--cli');
  if (cli >= 0) return { kind: 'command', args: args.slice(cli + 1) };
  const headless = args.indexOf('--headless');
  if (headless >= 0) return { kind: 'command', args: ['serve', ...args.slice(headless + 1)] };
  if (args.includes('--self-test')) return { kind: 'self-test' };
  const given = args.filter((argument) => !argument.startsWith('--'));
  return {
    kind: 'desktop',
    file: given.find((argument) => FILE.test(argument)) ?? null,
    link: given.find((argument) => LINK.test(argument)) ?? null,
    hidden: args.includes('--hidden'),
  };
}

/** The screen that a `countersign://` link names, such as `countersign://operations/ID`; null for any other link. */
export function screenOfLink(link: string): string | null {
  if (link.length > 2048 || !LINK.test(link)) return null;
  const path = `/${link.replace(LINK, '').replace(/\/+$/, '')}`;
  return isScreenPath(path) ? path : null;
}
