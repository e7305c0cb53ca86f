import { type ExactJson, isMembers } from '../../protocol/light.ts';
import type { Body } from './body.ts';
import { absolutePath } from './paths.ts';
import { programOf } from './shell-program.ts';
import type { SeenTool, Touched } from './tool.ts';
import { categoryOf } from './tools.ts';

/** How many resources a call may touch in the payload profile. */
const MAX_TOUCHED = 256;
/** How many characters of a text are searched for what it names. */
const SEARCHED = 262_144;

const PATH_MEMBERS = [
  'file_path',
  'filePath',
  'path',
  'absolute_path',
  'notebook_path',
  'target_file',
  'targetFile',
  'dir_path',
  'directory',
  'source_path',
  'destination_path',
  'paths',
  'file_paths',
  'filePaths',
];
const COMMAND_MEMBERS = ['command', 'cmd', 'script'];
const PATCH_MEMBERS = ['input', 'patch', 'patchText', 'command'];
const URL_MEMBERS = ['url', 'urls', 'uri', 'prompt'];

/** The resources that a call of a tool uses, as far as what the tool was given tells. */
export function touchedBy(tool: SeenTool, input: ExactJson | undefined, cwd: string | null): readonly Touched[] {
  const given = isMembers(input) ? input : {};
  switch (categoryOf(tool)) {
    case 'shell':
      return programTouched(given);
    case 'read':
    case 'search':
      return files([...textsIn(given, PATH_MEMBERS), ...pathsOfOperations(given)], cwd, 'read');
    case 'write': {
      const named = files(textsIn(given, PATH_MEMBERS), cwd, /delete/i.test(tool.name) ? 'delete' : 'write');
      return named.length > 0 ? named : patchedFiles(typeof input === 'string' ? input : given, cwd);
    }
    case 'web':
      return hosts(textsIn(given, URL_MEMBERS));
    default:
      return [];
  }
}

/** The command line that a shell is given; undefined where there is none. */
function commandIn(input: Body): string | undefined {
  const value = COMMAND_MEMBERS.map((name) => input[name]).find((member) => member !== undefined);
  if (typeof value === 'string') return value;
  // Given as words: quoted, so that they are read as the same words again.
  if (!Array.isArray(value)) return undefined;
  return value
    .slice(0, 64)
    .map((word) => (typeof word === 'string' ? `'${word.slice(0, SEARCHED).replaceAll("'", "'\\''")}'` : "''"))
    .join(' ');
}

function programTouched(input: Body): readonly Touched[] {
  const program = programOf(commandIn(input) ?? '');
  return program === null ? [] : [{ kind: 'process', id: program, access: 'write' }];
}

function files(paths: readonly string[], cwd: string | null, access: Touched['access']): readonly Touched[] {
  const ids = new Set(paths.slice(0, MAX_TOUCHED).map((path) => absolutePath(path, cwd)));
  return [...ids].map((id) => ({ kind: 'file', id, access }));
}

/** Kiro reads several files at once, each by an operation. */
function pathsOfOperations({ operations }: Body): string[] {
  if (!Array.isArray(operations)) return [];
  return operations
    .slice(0, MAX_TOUCHED)
    .flatMap((one: ExactJson) => (isMembers(one) ? textsIn(one, PATH_MEMBERS) : []));
}

/** The files of a patch in the form that begins with `*** Begin Patch`. */
function patchedFiles(given: string | Body, cwd: string | null): readonly Touched[] {
  const patches = typeof given === 'string' ? [given] : textsIn(given, PATCH_MEMBERS);
  const touched = new Map<string, Touched>();
  for (const patch of patches) {
    for (const [, what, path] of patch
      .slice(0, SEARCHED)
      .matchAll(/^\*\*\* (Add File|Update File|Delete File|Move to): (\S.*)$/gm)) {
      if (touched.size === MAX_TOUCHED) break;
      const id = absolutePath((path ?? '').trimEnd(), cwd);
      touched.set(id, { kind: 'file', id, access: what === 'Delete File' ? 'delete' : 'write' });
    }
  }
  return [...touched.values()];
}

/** The hosts of addresses; of a text that is no address, of those within it. */
function hosts(texts: readonly string[]): readonly Touched[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [address] of text.slice(0, SEARCHED).matchAll(/\bhttps?:\/\/[^\s"'<>]+/gi)) {
      if (found.size === MAX_TOUCHED) break;
      const host = URL.parse(address)?.host;
      if (host !== undefined && host !== '') found.add(host);
    }
  }
  return [...found].map((id) => ({ kind: 'host', id, access: 'send' }));
}

/** The texts that the named members hold, by themselves or in a list. */
function textsIn(input: Body, names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const value = input[name];
    const values: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_TOUCHED) : [value];
    return values.filter((text): text is string => typeof text === 'string' && text !== '');
  });
}
