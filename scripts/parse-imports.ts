import { parseSync, Visitor } from 'vite';

/** One import, re-export, dynamic import or `import('…')` type of a source file. */
export interface ImportSite {
  readonly specifier: string;
  readonly line: number;
  /** True when nothing of it is left at run time. */
  readonly typeOnly: boolean;
  /** True for a dynamic import, which loads nothing until it is come to. */
  readonly dynamic: boolean;
}

export interface ParsedFile {
  readonly imports: readonly ImportSite[];
  /** Lines with what can't be checked: a computed dynamic import, or a syntax error. */
  readonly unreadable: readonly { readonly line: number; readonly reason: string }[];
}

/** Reads every way in which a TypeScript module can name another one. Pure: text in, list out. */
export function parseImports(path: string, source: string): ParsedFile {
  const { program, errors } = parseSync(path, source, { sourceType: 'module' });
  const lineAt = (offset: number): number => source.slice(0, offset).split('\n').length;
  const unreadable = errors.map((error) => ({ line: lineAt(error.labels[0]?.start ?? 0), reason: error.message }));
  const imports: ImportSite[] = [];
  const add = (specifier: string, offset: number, typeOnly: boolean, dynamic = false): void => {
    imports.push({ specifier, line: lineAt(offset), typeOnly, dynamic });
  };

  new Visitor({
    ImportDeclaration(node) {
      const names = node.specifiers;
      const allTypes = names.length > 0 && names.every((name) => 'importKind' in name && name.importKind === 'type');
      add(node.source.value, node.start, node.importKind === 'type' || allTypes);
    },
    ExportNamedDeclaration(node) {
      if (node.source === null) return;
      const names = node.specifiers;
      const allTypes = names.length > 0 && names.every((name) => name.exportKind === 'type');
      add(node.source.value, node.start, node.exportKind === 'type' || allTypes);
    },
    ExportAllDeclaration(node) {
      add(node.source.value, node.start, node.exportKind === 'type');
    },
    ImportExpression(node) {
      const { source: named } = node;
      if (named.type === 'Literal' && typeof named.value === 'string') add(named.value, node.start, false, true);
      else unreadable.push({ line: lineAt(node.start), reason: 'a dynamic import must name its module literally' });
    },
    TSImportType(node) {
      add(node.source.value, node.start, true);
    },
  }).visit(program);
  return { imports, unreadable };
}
