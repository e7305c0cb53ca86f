import { type Found, linesWith, type TextRule } from './found.ts';

interface Rule {
  readonly type: string;
  /** Occurs in every text that the pattern matches: without it the pattern, which takes longer, is not tried. */
  readonly mark: RegExp;
  /** The secret is its last group. */
  readonly pattern: RegExp;
  /** Whether a match can have a line end in it. All others are looked for in the lines alone that have the mark. */
  readonly acrossLines?: true;
  /** Whether what was found is one, by more than its form. */
  readonly holds?: (secret: string) => boolean;
}

function isReference(secret: string): boolean {
  return /^(?:\$(?:\{|\(|[A-Z_]+$)|<|\{\{|\{[\w.]*\}|%[A-Z_]+%|[*x.…]+$)/.test(secret);
}

function isUserAndPassword(base64: string): boolean {
  return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(Buffer.from(base64, 'base64').toString('latin1'));
}

function looksRandom(secret: string): boolean {
  return !isReference(secret) && secret.length >= 8 && (/\d/.test(secret) || secret.length >= 32);
}

const notReference = (secret: string): boolean => !isReference(secret);

/** How far from the name of a program its options are looked for: the nearest counts, as another program may follow. */
const COMMAND = String.raw`[ \t](?:[^\n|;&]{0,200}?[ \t])??`;
const WORD = String.raw`(?:\\{0,7}["'])?([^\s"'|;&\\-][^\s"'|;&\\]{0,255})`;

function option(type: string, programs: string, flags: string, gap: string, holds = notReference): Rule {
  return {
    type,
    mark: new RegExp(flags),
    holds,
    pattern: new RegExp(String.raw`\b(?:${programs})${COMMAND}(?:${flags})${gap}${WORD}`, 'g'),
  };
}

/** Exported for its test. */
export const RULES: readonly Rule[] = [
  // RFC 6750, RFC 7617, and what else an Authorization header holds.
  {
    type: 'bearer-token',
    mark: /earer/,
    pattern: /\b[Bb]earer(?:[ \t]|%20|\\u0020){1,4}([A-Za-z0-9._~+/=-]{8,4096})/g,
    holds: looksRandom,
  },
  {
    type: 'basic-credentials',
    mark: /asic/,
    pattern: /\b[Bb]asic[ \t]{1,4}([A-Za-z0-9+/_-]{6,4096}={0,2})/g,
    holds: isUserAndPassword,
  },
  {
    type: 'authorization',
    mark: /authorization/i,
    pattern:
      /\b(?:proxy-)?authorization\\{0,7}["']?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\{0,7}["'])?(?:(?:[A-Za-z][A-Za-z0-9-]{2,24})[ \t]{1,4}(?=\S))?([^\s"'\\]{6,4096}(?:,[ \t][^\s"'\\]{1,512}){0,16})/gi,
    holds: (secret) => !isReference(secret) && (/\d/.test(secret) || secret.length >= 16),
  },
  {
    type: 'cookie',
    mark: /cookie/i,
    pattern:
      /\b(?:set-)?cookie\\{0,7}["']?[ \t]{0,4}:[ \t]{0,4}(?:\\{0,7}["'])?([^\s"'\\=;]{1,128}=[^\n"'\\]{1,8192})/gi,
  },
  {
    type: 'cookie',
    mark: /\bcurl[ \t]/,
    pattern: /\bcurl[ \t](?:[^\n|;&]{0,200}?[ \t])??(?:-b|--cookie)[ \t=]{0,2}["']?([^\s"'=]{1,64}=[^\n"']{1,4096})/g,
  },
  // RFC 3986 section 3.2.1.
  {
    type: 'url-password',
    mark: /:\/\//,
    pattern: /:\/\/[^\s/?#@:"'<>\\]{0,256}:([^\s/?#"'<>\\]{1,512})@(?=[\w.[%-])/g,
    holds: notReference,
  },
  {
    type: 'url-token',
    mark: /:\/\//,
    pattern: /:\/\/([A-Za-z0-9_.~%-]{20,512})@(?=[\w.[-])/g,
    holds: looksRandom,
  },
  {
    type: 'url-signature',
    mark: /[?&;][a-z-]{3,20}=/i,
    pattern:
      /[?&;](?:sig|signature|x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|x-goog-credential|awsaccesskeyid|key|auth|hmac|ticket|sas)=([A-Za-z0-9%+/_.~-]{16,4096}={0,2})/gi,
    holds: looksRandom,
  },
  { type: 'oauth-code', mark: /code=/, pattern: /[?&]code=([A-Za-z0-9%+/_.~-]{16,2048})/g, holds: looksRandom },
  // Programs that take a password by a short option.
  option('password', 'mysql|mysqldump|mysqladmin|mysqlimport|mariadb|mariadb-dump|7z|7za|7zr|rar|unrar', '-p', ''),
  option('password', 'sshpass', '-p', '[ \t]{0,4}'),
  option(
    'password',
    '(?:docker|podman|buildah|skopeo|oc|az|nerdctl)[ \t]+(?:[a-z]+[ \t]+)?login|mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|registry[ \t]+login|influx|kinit|bcp',
    '-p',
    '[ \t]{1,4}',
  ),
  option('password', 'redis-cli|valkey-cli', '-a', '[ \t]{0,4}'),
  option('password', 'sqlcmd|bcp|zip|unzip|isql|tsql', '-P', '[ \t]{0,4}'),
  option('password', 'ldapsearch|ldapmodify|ldapadd|ldapdelete|ldapwhoami|ldappasswd', '-w', '[ \t]{0,4}'),
  {
    type: 'password',
    mark: /-[uUaA]|--(?:user|proxy-user|auth)/,
    pattern: new RegExp(
      String.raw`\b(?:curl|http|https|wget|xh|siege|ab)${COMMAND}(?:-u|--user|--proxy-user|-U|-a|--auth|-A)[ \t=]{0,4}(?:\\{0,7}["'])?[^\s"':|;&\\]{0,128}:([^\s"'\\]{1,256})`,
      'g',
    ),
    holds: notReference,
  },
  {
    type: 'password',
    mark: /-U/,
    pattern:
      /\b(?:smbclient|rpcclient|smbmap|net)[ \t](?:[^\n|;&]{0,200}?[ \t])??-U[ \t]{0,4}["']?[^\s"'%]{1,128}%([^\s"']{1,256})/g,
  },
  {
    type: 'password',
    mark: /pass:/,
    pattern: /-pass(?:in|out|word|phrase)?[ \t]{1,4}["']?pass:([^\s"'\\]{1,256})/g,
    holds: notReference,
  },
  {
    type: 'password',
    mark: /htpasswd/,
    pattern:
      /\bhtpasswd\b[ \t]{1,4}-[A-Za-z]{0,6}b[A-Za-z]{0,6}[ \t]{1,4}\S{1,256}[ \t]{1,4}\S{1,128}[ \t]{1,4}([^\s|;&]{1,256})/g,
  },
  {
    type: 'password',
    mark: /\becho[ \t]/,
    pattern:
      /\becho[ \t]{1,4}(?:-n[ \t]{1,4})?["']?([^\s"'|$]{3,256})["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}-S|(?:docker|podman)[ \t]{1,4}login|su\b|passwd\b)/g,
  },
  {
    type: 'password',
    mark: /identified[ \t]/i,
    pattern: /\bIDENTIFIED[ \t]{1,4}BY[ \t]{1,4}(?:PASSWORD[ \t]{1,4})?\\?['"]([^'"\n\\]{1,256})/gi,
  },
  { type: 'password', mark: /password[ \t]/i, pattern: /\bPASSWORD[ \t]{1,4}\\?'([^'\n\\]{1,256})/gi },
  // Files.
  {
    type: 'password',
    mark: /password/,
    acrossLines: true,
    pattern:
      /\blogin(?:\s|\\{1,7}n){1,8}\S{1,256}?(?:\s|\\{1,7}n){1,8}password(?:\s|\\{1,7}n){1,8}((?:[^\s\\"]){1,256})/g,
    holds: notReference,
  },
  {
    type: 'password',
    mark: /:(?:[56]\d{3}|\*):/,
    pattern:
      /(?<=^|[\s"'=,]|\\n)[^\s:/\\"'=,]{1,255}:(?:[56]\d{3}|\*):[^\s:/\\"]{1,64}:[^\s:/\\"]{1,64}:([^\s"'\\]{1,256})(?=$|[\s"'\\])/g,
  },
  {
    type: 'basic-credentials',
    mark: /auth/,
    acrossLines: true,
    pattern:
      /(?:\b_auth[ \t]{0,4}=[ \t]{0,4}|["']auth\\{0,7}["']\s{0,4}:\s{0,4}\\{0,7}["'])["']?([A-Za-z0-9+/]{8,2048}={0,2})/g,
    holds: isUserAndPassword,
  },
  {
    type: 'password-hash',
    mark: /\$/,
    pattern: /(\$(?:1|2[abxy]|5|6|7|y|gy|apr1|md5|argon2(?:id|i|d)|scrypt|pbkdf2-sha\d+)\$[./A-Za-z0-9$=,+-]{20,256})/g,
  },
  // RFC 7517: the private members of a key.
  {
    type: 'private-key',
    mark: /kty/,
    acrossLines: true,
    pattern: /["'](?:d|p|q|dp|dq|qi|k)\\{0,7}["']\s{0,4}:\s{0,4}\\{0,7}["']([A-Za-z0-9_-]{20,2048})/g,
    holds: (secret) => secret.length >= 20,
  },
  {
    type: 'one-time-code',
    mark: /otp|code|one[- ]time/i,
    pattern:
      /\b(?:otp|one[- ]time (?:code|password|passcode)|verification code|2fa code|mfa code|security code|authenticat(?:ion|or) code|login code|sign[- ]in code|setup code)\b[^\n\d]{0,24}?\b((?=[A-Z0-9-]{0,16}\d)[A-Z0-9]{4,8}(?:-[A-Z0-9]{3,8}){0,5})\b/gi,
    holds: (secret) => /\d/.test(secret),
  },
];

function* foundIn(text: string, { type, pattern, holds }: Rule, from = 0): Generator<Found> {
  for (const match of text.matchAll(pattern)) {
    const secret = match.at(-1) ?? '';
    if (secret === '' || holds?.(secret) === false) continue;
    const start = from + match.index + match[0].lastIndexOf(secret);
    yield { start, end: start + secret.length, type };
  }
}

function finding(rules: readonly Rule[]): TextRule {
  const searched = rules.map((rule) => ({ rule, search: new RegExp(rule.mark, `${rule.mark.flags}g`) }));
  return function* (text): Generator<Found> {
    if (!/[-:=$']|login|code|otp|bearer|basic/i.test(text)) return;
    for (const { rule, search } of searched) {
      if (rule.acrossLines) {
        if (rule.mark.test(text)) yield* foundIn(text, rule);
        continue;
      }
      for (const { start, end } of linesWith(text, search)) yield* foundIn(text.slice(start, end), rule, start);
    }
  };
}

/** Finds credentials by what stands around them: headers, addresses, options of programs, files of known forms. */
export const credentials = finding(RULES);
/** Those on one line, and those that may stand on several. */
export const lineCredentials = finding(RULES.filter((rule) => !rule.acrossLines));
export const fileCredentials = finding(RULES.filter((rule) => rule.acrossLines));
