import { type Option, type ParsedArgs, UsageError } from '../command.ts';

/** Which log of a data folder, at which size, and how its key is opened. */
export const LOG_OPTIONS: readonly Option[] = [
  { flag: 'organization', value: 'ORG_ID', help: 'whose log; the home organization without it' },
  { flag: 'size', value: 'NUMBER', help: 'a size at which an epoch ends; the newest without it' },
  { flag: 'key-passphrase-file', value: 'FILE', help: 'first line: the passphrase of the sealed service key' },
];

/** A size that an option names; undefined where it is left out. @throws UsageError */
export function sizeIn(args: ParsedArgs, flag: string, least = 1): number | undefined {
  const text = args.text(flag);
  if (text === undefined) return undefined;
  const size = /^(?:0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : -1;
  if (size < least || !Number.isSafeInteger(size)) {
    throw new UsageError(`--${flag} takes a number from ${least}, not ${JSON.stringify(text.slice(0, 40))}`);
  }
  return size;
}
