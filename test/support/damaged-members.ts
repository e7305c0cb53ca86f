/** A bundle with one member damaged and nothing signed again, as anybody can make it who has the file. */
import type { Bundle } from '../../src/cli/qualify/bundle.ts';

type Tree = string | number | boolean | null | Tree[] | { [member: string]: Tree };
type Path = readonly (string | number)[];

export interface Damage {
  readonly what: string;
  readonly text: string;
}

function valueAt(tree: Tree, path: Path): Tree {
  return path.reduce<Tree>((value, key) => (value as { [key: string]: Tree } | null)?.[key] ?? null, tree);
}

function pathsOf(tree: Tree, path: Path = []): Path[] {
  if (typeof tree !== 'object' || tree === null) return [path];
  const below = Array.isArray(tree) ? tree.map((value, n) => [n, value] as const) : Object.entries(tree);
  return [path, ...below.flatMap(([key, value]) => pathsOf(value, [...path, key]))];
}

/** The same place in another element of the same array. */
function siblingOf(path: Path): Path | null {
  const index = path.findIndex((key) => typeof key === 'number');
  if (index < 0) return null;
  return path.map((key, n) => (n === index ? (key === 0 ? 1 : 0) : key));
}

/** Another value of the same form. */
function altered(value: Tree): Tree {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return value;
  if (/^\d{4}-/.test(value)) return value.replace(/\d(?=\.\d+Z$|Z$)/, (digit) => (digit === '9' ? '0' : '9'));
  return value.replace(/[0-9a-z](?=[^0-9a-z]*$|.$)/i, (last) =>
    last === 'A' || last === '0' ? '1' : last === '1' ? '0' : 'A',
  );
}

function changed(
  bundle: Bundle,
  path: Path,
  change: (holder: { [key: string]: Tree }, key: string | number) => void,
): string {
  const copy = structuredClone(bundle) as unknown as Tree;
  const holder = valueAt(copy, path.slice(0, -1));
  const key = path.at(-1) ?? '';
  change(holder as { [key: string]: Tree }, key);
  return JSON.stringify(copy);
}

/** Each member of a bundle altered, taken from a neighbouring element, made null, and taken out. */
export function damagesOf(bundle: Bundle): Damage[] {
  const tree = bundle as unknown as Tree;
  return pathsOf(tree)
    .filter((path) => path.length > 0)
    .flatMap((path) => {
      const [value, place] = [valueAt(tree, path), path.join('.')];
      const kinds: Damage[] = [];
      const add = (what: string, to: Tree | undefined): void => {
        if (to === undefined || JSON.stringify(to) === JSON.stringify(value)) return;
        kinds.push({
          what: `${place} ${what}`,
          text: changed(bundle, path, (holder, key) => {
            holder[key] = structuredClone(to);
          }),
        });
      };
      add('altered', altered(value));
      const sibling = siblingOf(path);
      if (sibling !== null) add('of its neighbour', valueAt(tree, sibling));
      add('null', null);
      if (typeof path.at(-1) === 'number') {
        const without = (holder: { [key: string]: Tree }, key: string | number): void => {
          (holder as unknown as Tree[]).splice(Number(key), 1);
        };
        kinds.push({ what: `${place} taken out`, text: changed(bundle, path, without) });
      }
      return kinds;
    });
}
