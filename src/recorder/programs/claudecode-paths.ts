import { absolutePath } from '../../actions/tools/index.ts';
import { type ExactJson, isMembers } from '../../protocol/light.ts';

/** Members with a path of a tool of Claude Code. */
const PATHS = new Set(['file_path', 'notebook_path', 'filePath', 'notebookPath']);

/** Claude Code tells its hooks the absolute path where its model named a relative one, and its transcript what the model named. */
export function withAbsolutePaths(input: ExactJson | undefined, cwd: string | null): ExactJson | undefined {
  if (!isMembers(input)) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      PATHS.has(name) && typeof value === 'string' ? absolutePath(value, cwd) : value,
    ]),
  );
}

/**
 * A result names the file at its top, or that of what was read: to hooks the one way or the other, from run to run. Both witnesses are
 * recorded with the absolute path, so that one of them is no contradiction of the other.
 */
export function resultWithAbsolutePaths(result: ExactJson | undefined, cwd: string | null): ExactJson | undefined {
  if (!isMembers(result)) return result;
  const named = withAbsolutePaths(result, cwd);
  const file = withAbsolutePaths(result['file'], cwd);
  return isMembers(named) && file !== undefined ? { ...named, file } : named;
}
