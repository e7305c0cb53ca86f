// A language that nobody speaks: whatever is not written in it on a screen is wired into the code.
import { join, sep } from 'node:path';
import react from '@vitejs/plugin-react';
import { build, type InlineConfig, type Plugin, parseSync, Visitor } from 'vite';
import config from '../../electron.vite.config.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { temporaryFolder } from './folders.ts';

const CATALOGUE = new RegExp(`[\\\\/]src[\\\\/]renderer[\\\\/].*\\${sep}texts\\.ts$`);
const LOCALE = /[\\/]src[\\/]renderer[\\/]lib[\\/]locale\.ts$/;

/** By whose rules numbers, plurals and lengths of time are written: digits of its own, from right to left. */
const OTHER_LOCALE = 'ar-EG';

const PLAIN = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ACCENTED = 'ÀßÇĐÊƑĜĤÏĴĶĹṀÑÖÞǪŔŠŢÛṼŴẊÝŽàƀçđêƒĝĥïĵķĺṁñöþǫŕšţûṽŵẋýž';
const ACCENT = new Map([...PLAIN].map((letter, at) => [letter, [...ACCENTED][at] ?? letter]));

/** What makes texts longer, by more than a third: words that are read from right to left. */
const FILLER = 'אבגדה וזחטי כלמנס עפצקר ';

/** Names that every language leaves as they are, and the places of a text. */
const KEPT = /(\{\w+\}|\bUTC\b|\s+)/;

/** A text in the pseudo-locale: accented letters, and a part from right to left, about 35 % longer. */
export function pseudoText(text: string): string {
  if (!/\p{L}/u.test(text)) return text;
  const accented = text
    .split(KEPT)
    .map((part) => (KEPT.test(part) ? part : [...part].map((letter) => ACCENT.get(letter) ?? letter).join('')))
    .join('');
  const [, lead = '', body = '', tail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(accented) ?? [];
  const extra = Math.ceil(text.trim().length * 0.35);
  const filler = FILLER.repeat(Math.ceil(extra / FILLER.length))
    .slice(0, extra)
    .trim();
  return `${lead}${body}${extra > 2 ? ` ${filler}` : ''}${tail}`;
}

/** The catalogues of the page in the pseudo-locale. */
function pseudoLocale(): Plugin {
  return {
    name: 'pseudo-locale',
    enforce: 'pre',
    transform(code, id) {
      if (LOCALE.test(id)) return code.replace("'en'", `'${OTHER_LOCALE}'`);
      return CATALOGUE.test(id) ? pseudoCatalogue(id, code) : null;
    },
  };
}

/** The source of a catalogue with each of its texts in the pseudo-locale. */
export function pseudoCatalogue(path: string, source: string): string {
  const { program } = parseSync(path, source, { sourceType: 'module' });
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const kept = new Set<number>();
  new Visitor({
    ImportDeclaration: (node) => kept.add(node.source.start),
    TSLiteralType: (node) => kept.add(node.literal.start),
    Property: (node) => kept.add(node.key.start),
    Literal(node) {
      if (typeof node.value !== 'string' || kept.has(node.start)) return;
      edits.push({ start: node.start, end: node.end, text: JSON.stringify(pseudoText(node.value)) });
    },
    TemplateLiteral(node) {
      // Every text once: the filler after the last of the parts that have letters.
      for (const { start, end, value, tail } of node.quasis) {
        const text = pseudoText(value.cooked ?? '').replace(/[`\\$]/g, '\\$&');
        // Between the back-quotes or braces around it.
        const [from, to] =
          source[start] === '`' || source[start] === '}' ? [start + 1, end - (tail ? 1 : 2)] : [start, end];
        edits.push({ start: from, end: to, text });
      }
    },
  }).visit(program);
  let written = source;
  for (const { start, end, text } of edits.sort((a, b) => b.start - a.start)) {
    written = written.slice(0, start) + text + written.slice(end);
  }
  return written;
}

/** Builds the workspace's page in the pseudo-locale; under test, with React's own checks. @returns its folder, for this test file */
export async function buildPseudoPage(): Promise<string> {
  const outDir = join(temporaryFolder(), 'pseudo-locale');
  const { renderer } = config as { readonly renderer: InlineConfig };
  const input = join(ROOT, 'src', 'renderer', 'index.html');
  await build({
    ...renderer,
    configFile: false,
    logLevel: 'error',
    plugins: [pseudoLocale(), react()],
    build: {
      ...renderer.build,
      outDir,
      minify: false,
      reportCompressedSize: false,
      rolldownOptions: { ...renderer.build?.rolldownOptions, input },
    },
  });
  return outDir;
}
