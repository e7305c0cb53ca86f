/** Any JSON value, to be changed in place. */
export type Tree = null | boolean | number | string | Tree[] | Branch;
export interface Branch {
  [member: string]: Tree;
}

export type Path = readonly (string | number)[];

export interface Place {
  readonly path: Path;
  /** The path with `*` for the index of an element: places of one kind hold values of one kind. */
  readonly kind: string;
}

/** How deep and how wide a value is looked through for places to change. */
const DEEPEST = 12;
const WIDEST = 40;

export function isBranch(value: Tree | undefined): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const branchesOf = (value: Tree | undefined): Branch[] =>
  Array.isArray(value) ? value.filter((item) => isBranch(item)) : [];

/** All members and elements at every depth, but the value itself. */
export function places(root: Tree): Place[] {
  const found: Place[] = [];
  const visit = (value: Tree, path: Path, kind: string): void => {
    if (path.length > 0) found.push({ path, kind });
    if (path.length >= DEEPEST || typeof value !== 'object' || value === null) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.slice(0, WIDEST).entries()) visit(item, [...path, index], `${kind}.*`);
    } else {
      for (const name of Object.keys(value).slice(0, WIDEST)) {
        visit(value[name] as Tree, [...path, name], kind === '' ? name : `${kind}.${name}`);
      }
    }
  };
  visit(root, [], '');
  return found;
}

/** What stands at a place; undefined where there is none such. */
export function valueAt(root: Tree, path: Path): Tree | undefined {
  let value: Tree | undefined = root;
  for (const step of path) {
    // A name that a mutant was given may be one that every object inherits.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Branch)[step];
  }
  return value;
}

/** Changes what stands at a place whose surroundings are there. */
export function put(root: Tree, path: Path, value: Tree): void {
  const around = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (typeof around !== 'object' || around === null || last === undefined) return;
  if (last === '__proto__') return;
  (around as Branch)[last] = value;
}

/** Takes out a member, or an element with those behind it moving up. */
export function remove(root: Tree, path: Path): void {
  const around = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (Array.isArray(around)) around.splice(Number(last), 1);
  else if (isBranch(around) && last !== undefined) delete around[last];
}

/** A copy of its own. */
export function copyOf<T>(value: T): T {
  return structuredClone(value);
}
