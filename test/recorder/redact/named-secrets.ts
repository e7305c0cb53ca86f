import { publishedRules } from '../../../src/recorder/redact/published-rules.ts';
import { RecorderKeys } from '../../../src/recorder/redact/recorder-keys.ts';
import { EXAMPLES } from '../../../src/recorder/redact/sensitive-words.ts';
import { TextRedactor } from '../../../src/recorder/redact/text-redactor.ts';
import { Characters } from './corpus.ts';

const keys = new RecorderKeys(new Uint8Array(32).fill(7));
export const texts = new TextRedactor(
  (secret) => keys.suffix(secret),
  () => [],
  await publishedRules(),
);

/** The texts of which something is taken. */
export function changed(all: readonly string[]): string[] {
  return all.filter((text) => texts.redact(text).text !== text);
}

const OWNERS = ['', 'db', 'github', 'stripe', 'mailer', 'acme', 'smtp', 'redis', 'billing', 'deploy'];
const SECRETS = [
  'password',
  'passwd',
  'secret',
  'token',
  'access token',
  'api key',
  'client secret',
  'private key',
  'passphrase',
  'auth token',
];
const QUALIFIERS = ['', '1', '2', 'prod', 'live', 'ro', 'x', 'root', 'old', 'staging'];
const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('_'),
  (words) => words.map((word, n) => (n === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join(''),
  (words) => words.join('-'),
];

/** Secrets without a shape of any issuer, each with a name that says what it is: only by the name can they be found. */
export function namedSecrets(count: number): { readonly name: string; readonly secret: string }[] {
  const characters = new Characters('named secrets');
  return Array.from({ length: count }, (_, n) => {
    // Steps without common factors, so that all words meet.
    const parts = [
      OWNERS[n % 10],
      SECRETS[(n * 3 + Math.floor(n / 10)) % 10],
      QUALIFIERS[(n * 7 + Math.floor(n / 20)) % 10],
    ];
    const words = parts.flatMap((part) => (part ?? '').split(' ')).filter((word) => word !== '');
    return { name: STYLES[Math.floor(n / 4) % 4]?.(words) ?? '', secret: characters.password() };
  });
}

/** How tools write what has a name. */
export const FORMS: Readonly<Record<string, (name: string, value: string) => string>> = {
  'an environment': (name, value) => `PATH=/usr/bin\n${name}=${value}\nHOME=/home/ada\n`,
  JSON: (name, value) => `{"host": "db.corp.example", "${name}": "${value}", "port": 5432}`,
  YAML: (name, value) => `service:\n  host: db.corp.example\n  ${name}: ${value}\n  port: 5432\n`,
  'a header': (name, value) => `GET / HTTP/1.1\nHost: corp.example\nX-${name}: ${value}\nAccept: */*\n`,
  'the fragment of an address': (name, value) => `see https://corp.example/callback#${name}=${value}&state=3 for it`,
  'a command': (name, value) => `deploy --region eu --${name} ${value} --verbose`,
  'an .ini file': (name, value) => `[database]\nuser = ada\n${name} = ${value}\nport = 5432\n`,
  XML: (name, value) => `<config><user>ada</user><${name}>${value}</${name}></config>`,
  'the query of an address': (name, value) => `curl "https://corp.example/v1/items?page=2&${name}=${value}&sort=asc"`,
  Python: (name, value) => `import os\n${name.replaceAll('-', '_')} = "${value}"\nprint("started")\n`,
  'a Dockerfile': (name, value) => `FROM node:24\nENV ${name} ${value}\nRUN npm ci\n`,
  'a diff': (name, value) => `--- a/.env\n+++ b/.env\n@@ -1,2 +1,2 @@\n PORT=80\n-${name}=${value}\n+LEVEL=info\n`,
};

const WORDS = 'the service started build passed for author of key results page with monkey pattern code in list'.split(
  ' ',
);

/** Texts with no secret in them: names that only look like those of secrets, in every form, and prose. */
export function harmlessTexts(count: number): string[] {
  const characters = new Characters('harmless texts');
  const forms = Object.values(FORMS);
  return Array.from({ length: count }, (_, n) => {
    const name = EXAMPLES.other[n % EXAMPLES.other.length] ?? '';
    const value = ['4096', 'true', '/srv/shop/main.ts', characters.word(), 'eu-west-1'][n % 5] ?? '';
    const prose = Array.from({ length: 12 }, (_, at) => WORDS[(n * 5 + at * at * 3) % WORDS.length]).join(' ');
    return `${prose}.\n${forms[(n * 7) % forms.length]?.(name, value) ?? ''}\n${characters.word()} ${n} files, ${n % 7} failed\n`;
  });
}
