import type { Access } from '../fields/codes.ts';
import { commandsIn, type SimpleCommand } from './command-words.ts';
import { hostOf } from './hosts.ts';

/** What a command names with certainty. */
interface NamedInCommand {
  readonly kind: 'host' | 'file' | 'account';
  readonly id: string;
  readonly access: Access;
}

type Word = string | null;
type Add = (kind: NamedInCommand['kind'], id: Word | undefined, access: Access) => void;
/** @param isFed whether something is handed to the program to read */
type Read = (args: readonly Word[], add: Add, isFed: boolean) => void;

const MAX_NAMED = 64;
const MAX_DEPTH = 3;
const MAX_ID = 1024;

/** `user@host:path` or `host:path`, as scp, rsync and git write a place on another host. */
const REMOTE = /^(?:([\w.-]{1,64})@)?([\w.-]{2,253}|\[[0-9a-fA-F:.]+\]):(?!\/\/)(.*)$/s;
const LOGIN = /^(?:([\w.-]{1,64})@)?([\w.-]{1,253}|\[[0-9a-fA-F:.]+\])$/;
/** A host without a scheme, as curl takes it. */
const BARE_HOST = /^(?:[a-z0-9-]+\.)+[a-z]{2,24}(?::[0-9]{1,5})?(?:[/?].*)?$/i;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

/** Arguments without options: those of `valued` take the next word with them. A word that only a shell knows stays in its place. */
function operands(args: readonly Word[], valued = ''): Word[] {
  const found: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? null;
    if (word === '--') return [...found, ...args.slice(at + 1)];
    if (word === null || !word.startsWith('-') || word === '-') found.push(word);
    else if (word.length === 2 && valued.includes(word.slice(1))) at++;
  }
  return found;
}

function login(word: Word | undefined, add: Add, access: Access): void {
  const [, user, host] = (word?.startsWith('ssh://') ? null : LOGIN.exec(word ?? '')) ?? [];
  if (host !== undefined) add('host', host, access);
  else if (word?.includes('://')) add('host', word, access);
  add('account', user, 'mentioned');
}

/** A place of scp, rsync or git. @returns whether it is on another host */
function remote(word: Word, add: Add, access: Access): boolean {
  if (word === null || /^[A-Za-z]:[\\/]/.test(word)) return false;
  const [, user, host] = REMOTE.exec(word) ?? [];
  if (host === undefined && !/^(?:https?|ssh|git|rsync):\/\//.test(word)) return false;
  add('host', host ?? word, access);
  if (user !== 'git') add('account', user, 'mentioned');
  return true;
}

const files =
  (access: Access, { valued = '', from = 0 } = {}): Read =>
  (args, add) => {
    for (const word of operands(args, valued).slice(from)) add('file', word, access);
  };

const hosts =
  (access: Access, valued = ''): Read =>
  (args, add) =>
    login(operands(args, valued)[0], add, access);

/** Copies from all operands but the last to that one; between hosts too. */
const copies =
  (valued: string, moves = false): Read =>
  (args, add) => {
    const places = operands(args, valued);
    const to = places.at(-1);
    if (places.length < 2 || to === undefined) return;
    const isSent = remote(to, add, 'send');
    for (const from of places.slice(0, -1)) {
      if (!remote(from, add, 'read')) add('file', from, isSent ? 'send' : moves ? 'delete' : 'read');
    }
    if (!isSent) add('file', to, 'write');
  };

/** `-h HOST`, `--host HOST` and `--host=HOST`, as clients of databases take it. */
const hostOption: Read = (args, add) => {
  args.forEach((word, at) => {
    if (word === '-h' || word === '--host') add('host', args[at + 1], 'mentioned');
    else if (word?.startsWith('--host=')) add('host', word.slice(7), 'mentioned');
    else if (word?.startsWith('-h') && word.length > 2 && !word.startsWith('-h='))
      add('host', word.slice(2), 'mentioned');
  });
};

/** Programs that hand on to a host what they are given to read. */
const handsOn =
  (valued = ''): Read =>
  (args, add, isFed) =>
    login(operands(args, valued)[0], add, isFed ? 'send' : 'mentioned');

/** Addresses that a mail program is given. */
const mails: Read = (args, add, isFed) => {
  for (const word of operands(args, 'sabcrS'))
    if (word?.includes('@')) add('account', word, isFed ? 'send' : 'mentioned');
};

/** Options of curl and wget whose value is sent; */
const SENDS = /^(?:-[dFT]|--(?:data(?:-\w+)*|json|form(?:-string)?|upload-file|(?:post|body)-(?:data|file)))$/;
/** the same with their value in one word. */
const SENDS_WITH = /^--(?:data(?:-\w+)*|json|form(?:-string)?|upload-file|(?:post|body)-(?:data|file))=/;
/** Options of curl and wget without a value. */
const FLAGS =
  /^(?:-[sSLfkviIOgGjJ#q]+|--(?:silent|location|fail|insecure|compressed|show-error|head|remote-name|quiet|no-check-certificate))$/;

const transfer: Read = (args, add) => {
  const sends = args.some(
    (word, at) =>
      (word !== null && (SENDS.test(word) || SENDS_WITH.test(word))) ||
      ((word === '-X' || word === '--request') && /^(?:POST|PUT|PATCH)$/.test(args[at + 1] ?? '')),
  );
  args.forEach((word, at) => {
    if (word === null) return;
    const before = args[at - 1];
    if (
      before === '-o' ||
      before === '--output' ||
      (before === '-O' && word.includes('/') && !word.includes('://') && !BARE_HOST.test(word))
    ) {
      add('file', word, 'write');
    } else if (before === '-T' || before === '--upload-file') add('file', word, 'send');
    else if (before !== null && before !== undefined && SENDS.test(before)) {
      const [, path] = /^(?:[^=@]*=)?@([^;]+)/.exec(word) ?? [];
      if (path !== undefined && before !== '--data-raw') add('file', path, 'send');
    } else if (/^(?:https?|ftp):\/\//i.test(word)) add('host', word, sends ? 'send' : 'read');
    else if (
      BARE_HOST.test(word) &&
      (before === undefined || before === null || !before.startsWith('-') || FLAGS.test(before))
    ) {
      // Without a scheme it is one for these programs alone.
      add('host', `http://${word}`, sends ? 'send' : 'read');
    }
  });
};

const git: Read = (args, add) => {
  const [command, ...rest] = operands(args, 'Cc');
  const access: Access = command === 'push' ? 'send' : command === 'remote' ? 'mentioned' : 'read';
  if (['clone', 'push', 'pull', 'fetch', 'remote', 'ls-remote', 'submodule'].includes(command ?? '')) {
    for (const word of rest) remote(word, add, access);
  }
};

const PROGRAMS: Readonly<Record<string, Read>> = {
  curl: transfer,
  wget: transfer,
  ssh: handsOn('bcDEeFIiJLlmOopQRSWw'),
  sftp: (args, add, isFed) => {
    const [place] = operands(args, 'BbcDFiJloPRSs');
    const access = isFed ? 'send' : 'mentioned';
    if (!remote(place ?? null, add, access)) login(place, add, access);
  },
  'ssh-copy-id': hosts('send', 'iopF'),
  telnet: handsOn(),
  nc: handsOn('pwsXxiq'),
  ncat: handsOn('pwsXxiq'),
  netcat: handsOn('pwsXxiq'),
  mail: mails,
  mailx: mails,
  sendmail: mails,
  ping: hosts('mentioned', 'ciIsWwt'),
  traceroute: hosts('mentioned'),
  scp: copies('cDFiJloPSX'),
  rsync: copies('efMTB'),
  git,
  psql: hostOption,
  mysql: hostOption,
  mysqldump: hostOption,
  pg_dump: hostOption,
  'redis-cli': hostOption,
  cat: files('read'),
  less: files('read'),
  more: files('read'),
  head: files('read', { valued: 'nc' }),
  tail: files('read', { valued: 'nc' }),
  wc: files('read'),
  stat: files('read', { valued: 'cf' }),
  md5sum: files('read'),
  sha256sum: files('read'),
  source: files('read'),
  rm: files('delete'),
  rmdir: files('delete'),
  unlink: files('delete'),
  shred: files('delete', { valued: 'ns' }),
  touch: files('write', { valued: 'drt' }),
  mkdir: files('write', { valued: 'm' }),
  tee: files('write'),
  truncate: files('write', { valued: 'sr' }),
  chmod: files('write', { from: 1 }),
  chown: files('write', { from: 1 }),
  cp: copies('St'),
  mv: copies('St', true),
};

/** Programs that run what follows, with those of their options that have a value. */
const RUNNERS: Readonly<Record<string, { readonly valued: string; readonly skip?: number }>> = {
  sudo: { valued: 'ugpCDhRrTtU' },
  doas: { valued: 'uC' },
  env: { valued: 'uCS' },
  nohup: { valued: '' },
  time: { valued: 'fo' },
  nice: { valued: 'n' },
  exec: { valued: 'a' },
  command: { valued: '' },
  timeout: { valued: 'ks', skip: 1 },
  stdbuf: { valued: 'ioe' },
};
const SHELLS = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash']);

/** The words that a runner runs, after its options and what it takes itself. */
function runBy(program: string, args: readonly Word[], add: Add): readonly Word[] {
  const { valued, skip = 0 } = RUNNERS[program] ?? { valued: '' };
  let at = 0;
  let user: Word = 'root';
  for (; at < args.length; at++) {
    const word = args[at] ?? null;
    if (word === null || !(word.startsWith('-') || ASSIGNMENT.test(word))) break;
    if (word === '--') {
      at++;
      break;
    }
    const isValued = word.length === 2 && valued.includes(word.slice(1));
    if (word === '-u') user = args[at + 1] ?? null;
    if (isValued) at++;
  }
  // What has no -u runs as root.
  if (program === 'sudo' || program === 'doas') add('account', user, 'mentioned');
  return args.slice(at + skip);
}

function readSimple({ words, redirections, isFed }: SimpleCommand, depth: number, add: Add): void {
  for (const { writes, target } of redirections) add('file', target, writes ? 'write' : 'read');
  const begin = words.findIndex((word) => word === null || !ASSIGNMENT.test(word));
  if (begin >= 0) readWords(words.slice(begin), depth, add, isFed);
}

function readWords(words: readonly Word[], depth: number, add: Add, isFed: boolean): void {
  const [first, ...args] = words;
  const program = first?.slice(first.lastIndexOf('/') + 1) ?? '';
  if (depth > MAX_DEPTH) return;
  if (Object.hasOwn(RUNNERS, program)) readWords(runBy(program, args, add), depth + 1, add, isFed);
  else if (SHELLS.has(program)) {
    const at = args.findIndex((word) => word !== null && /^-[a-z]*c$/.test(word));
    const script = at < 0 ? null : args[at + 1];
    for (const each of typeof script === 'string' ? commandsIn(script) : []) readSimple(each, depth + 1, add);
  } else if (Object.hasOwn(PROGRAMS, program)) PROGRAMS[program]?.(args, add, isFed);
}

const isFileName = (word: string): boolean =>
  word !== '' && word !== '-' && !word.startsWith('/dev/') && !word.includes('://') && !/[\n\r]/.test(word);

/**
 * Hosts, files and accounts that a command names, as far as its words tell without a shell: what is expanded when it runs is not known.
 * Pure, and bounded in what it gives back.
 * @param command the text of a command, or its words as a program is given them
 */
export function namedInCommand(command: string | readonly string[]): readonly NamedInCommand[] {
  const found: NamedInCommand[] = [];
  const add: Add = (kind, word, access) => {
    if (word == null || word.length > MAX_ID || found.length >= MAX_NAMED) return;
    const id = kind === 'host' ? hostOf(word) : kind === 'file' && !isFileName(word) ? null : word;
    if (id !== null && id !== '') found.push({ kind, id, access });
  };
  const simple =
    typeof command === 'string' ? commandsIn(command) : [{ words: command, redirections: [], isFed: false }];
  for (const each of simple) readSimple(each, 0, add);
  return found;
}
