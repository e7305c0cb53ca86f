import { type FeedId, kindOfFeed, programName } from '../base/programs.ts';

const MAX_LENGTH = 128;

/** Room for the number of a further agent of the same name. */
const MAX_NAME = MAX_LENGTH - '-99'.length;

/**
 * The id of the agent of a program, user and machine, such as claudecode-ada-laptop: of the characters that the interface takes.
 * @param host without its domain: it says where the machine is today
 */
export function agentNameOf(feed: FeedId, user: string, host: string): string {
  const [machine = ''] = host.split('.');
  const kind = kindOfFeed(feed);
  const parts = [kind, kind === feed ? '' : plain(programName(feed)), plain(user), plain(machine)].filter(
    (part) => part !== '',
  );
  return parts.join('-').slice(0, MAX_NAME).replace(/-+$/, '');
}

function plain(text: string): string {
  const ascii = text.normalize('NFKD').replace(/\p{M}/gu, '');
  return ascii
    .replace(/[^A-Za-z0-9._]+/g, '-')
    .replace(/^[-._]+|[-._]+$/g, '')
    .toLowerCase();
}

/** The same for a further agent: name-2, name-3. */
export function furtherName(name: string, number: number): string {
  return number === 1 ? name : `${name}-${number}`;
}
