import { posix, win32 } from 'node:path';

/** A path as its program writes it, absolute where the working folder is known; nothing is looked up on disk. */
export function absolutePath(path: string, cwd: string | null): string {
  const style = styleOf(path, cwd);
  if (style.isAbsolute(path)) return style.normalize(path);
  return cwd === null || !style.isAbsolute(cwd) ? path : style.join(cwd, path);
}

/** An absolute path relative to the working folder; as it is where it lies outside of it. */
export function shortPath(path: string, cwd: string | null): string {
  if (cwd === null) return path;
  const style = styleOf(path, cwd);
  const relative = style.relative(cwd, path);
  if (relative === '') return '.';
  return relative === '..' || relative.startsWith(`..${style.sep}`) || style.isAbsolute(relative) ? path : relative;
}

function styleOf(path: string, cwd: string | null): typeof posix {
  return [path, cwd ?? ''].some((text) => /^([A-Za-z]:[\\/]|\\\\)/.test(text)) ? win32 : posix;
}
