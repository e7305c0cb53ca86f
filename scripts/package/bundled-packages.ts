import { writeFileSync } from 'node:fs';

const PACKAGE = /.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

interface Chunks {
  readonly [name: string]: { readonly type: string; readonly moduleIds?: readonly string[] };
}

/** A plugin of the pages' build that writes down which packages went into them: they are shipped, though not as folders. */
export function noteBundledPackages(to: string) {
  return {
    name: 'countersign-bundled-packages',
    writeBundle(_options: unknown, bundle: Chunks): void {
      const names = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.moduleIds ?? []) {
          const name = PACKAGE.exec(id)?.[1];
          if (name !== undefined) names.add(name.replaceAll('\\', '/'));
        }
      }
      writeFileSync(to, `${JSON.stringify([...names].toSorted(), null, 2)}\n`);
    },
  };
}
