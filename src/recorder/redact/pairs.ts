import type { Found, TextRule } from './found.ts';
import { isSecretValue } from './secret-values.ts';
import { mayNameSecret, sensitiveName } from './sensitive-names.ts';

const Q = String.raw`\\{0,7}["']`;

/** A name and its value as two members: `{"name": "DB_PASSWORD", "value": "x"}`, `<add key="ApiKey" value="x"/>`, and in YAML. */
const MEMBERS = new RegExp(
  String.raw`\b(?:name|key|Name|Key)(?:${Q})?\s{0,4}[:=]\s{0,4}(?:${Q})?([\w.:-]{2,128})(?:${Q})?,?(?:\s|\\{1,7}n){1,16}(?:${Q})?[vV]alue(?:${Q})?\s{0,4}[:=]\s{0,4}(${Q})?([^\s"'\\<>]{1,4096})`,
  'g',
);

/** <password>x</password> */
const ELEMENT = /<([A-Za-z_][\w.:-]{1,127})>([^<>]{1,4096})<\//g;

/** `config set NAME VALUE`, `setx NAME VALUE`. */
const SETTING =
  /\b(?:(?:config[ \t]{1,4})?(?:set|add|put)|setx|config)[ \t]{1,4}(?:--?[\w-]{1,40}[ \t]{1,4}){0,4}([\w./:-]{2,256})[ \t]{1,4}(["']?)([^\s"'|;&]{6,4096})/g;

/** `--password VALUE`, also as two texts of an array. */
const OPTION =
  /(?<![\w-])--?([A-Za-z][\w-]{1,63})(?:["'`]?[ \t]{1,8}|\\{0,7}["'],[ \t\n]{0,8})(\\{0,7}["'`]?)((?:[^\s"'`|;&<>\\)]|\\[^nrt"'`\\\s])[^\s"'`|;&<>\\)]{0,4095})/g;

function* named(text: string, pattern: RegExp, nameIn: (name: string) => string, quoted: boolean): Generator<Found> {
  for (const match of text.matchAll(pattern)) {
    const [whole] = match;
    const name = nameIn(match[1] ?? '');
    const value = match.at(-1) ?? '';
    const type = sensitiveName(name);
    if (type === null || value.startsWith('-') || /^(?:id|src|type|env)=/.test(value)) continue;
    const start = match.index + whole.lastIndexOf(value);
    const end = start + value.length;
    if (isSecretValue({ name, type, value, quoted, tight: true, alone: false, next: text.slice(end, end + 1) })) {
      yield { start, end, type };
    }
  }
}

/** Finds secrets that stand apart from their names. */
export const pairs: TextRule = function* (text): Generator<Found> {
  if (!mayNameSecret(text) || !/[-:=<]|set|add|put|config/i.test(text)) return;
  if (text.includes('alue')) yield* named(text, MEMBERS, (name) => name, true);
  if (text.includes('</')) yield* named(text, ELEMENT, (name) => name, true);
  yield* named(text, SETTING, (name) => name.split(/[/:]/).at(-1) ?? '', true);
  yield* named(text, OPTION, (name) => name, false);
};
