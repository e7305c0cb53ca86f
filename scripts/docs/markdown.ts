/** Pieces of Markdown that programs write into documents. */

export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
  return [line(titles), `|${'---|'.repeat(titles.length)}`, ...rows.map(line)].join('\n');
}

/** 10,000 for 10000. */
export function numberWord(value: number): string {
  return value.toLocaleString('en-US');
}

const NOTE = 'written by npm run docs';

/** What stands between the marks of a name in a document, with the marks. */
export function generated(name: string, text: string): string {
  return `<!-- generated: ${name}, ${NOTE} -->\n\n${text}\n\n<!-- end of ${name} -->`;
}

/**
 * A document with the text of this name replaced.
 * @throws Error where it has no such marks
 */
export function withGenerated(document: string, name: string, text: string): string {
  const [begin, end] = [`<!-- generated: ${name}, ${NOTE} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there are no marks for ${name}`);
  return `${document.slice(0, from)}${generated(name, text)}${document.slice(to + end.length)}`;
}
