/** Words after which nothing else has to come: `db_password`, `clientSecret`. */
const NOUNS: Readonly<Record<string, string>> = {
  password: 'password',
  passwords: 'password',
  passwd: 'password',
  passphrase: 'password',
  passcode: 'password',
  pwd: 'password',
  pw: 'password',
  secret: 'secret',
  secrets: 'secret',
  token: 'token',
  jwt: 'token',
  bearer: 'token',
  apikey: 'api-key',
  apikeys: 'api-key',
  apitoken: 'token',
  authtoken: 'token',
  accesstoken: 'token',
  accesskey: 'api-key',
  secretkey: 'secret',
  privatekey: 'private-key',
  clientsecret: 'secret',
  credential: 'credential',
  credentials: 'credential',
  authorization: 'authorization',
  cookie: 'cookie',
  cookies: 'cookie',
  otp: 'one-time-code',
  totp: 'one-time-code',
  cvv: 'card-code',
  cvc: 'card-code',
  mnemonic: 'seed-phrase',
  pat: 'token',
};

/** What may come after such a word without making something harmless of it. */
const AFTER = new Set([
  'value',
  'text',
  'plain',
  'plaintext',
  'raw',
  'b64',
  'base64',
  'old',
  'new',
  'current',
  'confirm',
  'confirmation',
  'again',
  'repeat',
  'hash',
  'header',
  'default',
  'data',
  'string',
  'str',
  'prod',
  'dev',
  'test',
]);

/** Words before `token` that make a harmless one: of a tokenizer, a page, a design, a running job. */
const HARMLESS_TOKENS = new Set([
  'max',
  'min',
  'next',
  'page',
  'continuation',
  'pagination',
  'sync',
  'cancel',
  'cancellation',
  'progress',
  'eos',
  'bos',
  'pad',
  'unk',
  'sep',
  'mask',
  'cls',
  'stop',
  'special',
  'first',
  'last',
  'per',
  'num',
  'design',
  'current',
  'prev',
  'previous',
  'abort',
  'resume',
  'delimiter',
  'lookahead',
  'syntax',
  'start',
  'end',
  'budget',
  'output',
  'input',
  'prompt',
  'completion',
  'cached',
  'reasoning',
  'total',
  'thinking',
  'new',
]);

/** Words before `key` that make a secret of it. */
const KEYS = new Set([
  'api',
  'access',
  'secret',
  'private',
  'signing',
  'encryption',
  'master',
  'auth',
  'account',
  'shared',
  'subscription',
  'storage',
  'ssh',
  'deploy',
  'admin',
  'write',
  'consumer',
  'hmac',
  'aes',
  'webhook',
  'service',
  'license',
  'licence',
  'application',
  'integration',
  'personal',
  'bot',
  'root',
  'decryption',
  'client',
]);

/** Two words that are one secret. */
const PAIRS: Readonly<Record<string, string>> = {
  'seed phrase': 'seed-phrase',
  'recovery code': 'one-time-code',
  'recovery codes': 'one-time-code',
  'backup code': 'one-time-code',
  'backup codes': 'one-time-code',
  'verification code': 'one-time-code',
  'mfa code': 'one-time-code',
  'otp code': 'one-time-code',
  'security code': 'card-code',
  'pin code': 'one-time-code',
  'setup code': 'one-time-code',
  'auth code': 'one-time-code',
  'connection string': 'connection-string',
  'access tokens': 'token',
  'api tokens': 'token',
  'auth tokens': 'token',
  'refresh tokens': 'token',
  'api keys': 'api-key',
  'access keys': 'api-key',
  'secret keys': 'secret',
  'private keys': 'private-key',
  'signing keys': 'private-key',
  'set cookie': 'cookie',
  'auth pass': 'password',
  'db pass': 'password',
  'user pass': 'password',
  'smtp pass': 'password',
  'mysql pass': 'password',
  'redis pass': 'password',
  'postgres pass': 'password',
  'mail pass': 'password',
  'email pass': 'password',
  'ftp pass': 'password',
  'admin pass': 'password',
  'root pass': 'password',
  'x auth': 'authorization',
  'rediscli auth': 'password',
  'proxy auth': 'authorization',
  'auth config': 'credential',
  'gh pat': 'token',
};

/** Ends of names that are written as one word: PGPASSWORD, sshpass. */
const GLUED: readonly (readonly [string, string])[] = [
  ['password', 'password'],
  ['passwd', 'password'],
  ['passphrase', 'password'],
  ['sshpass', 'password'],
  ['secret', 'secret'],
  ['apikey', 'api-key'],
  ['secretkey', 'secret'],
  ['privatekey', 'private-key'],
  ['authtoken', 'token'],
  ['accesstoken', 'token'],
  ['refreshtoken', 'token'],
  ['idtoken', 'token'],
];

/** By far most names and texts have none of these; whatever names a secret has one. */
const MAYBE = /pass|pw|secret|token|key|auth|cookie|cred|jwt|bearer|otp|cv[vc]|mnemonic|phrase|code|string|pat/i;

/** Whether a name can be one that `sensitiveName` knows, or one can stand in a text: much faster to tell than whether it is. */
export function mayNameSecret(text: string): boolean {
  return MAYBE.test(text);
}

/** What names look like; whole lines that are the name of a member are none. */
const NAME = /^[\w.:$@/-]{1,128}(?: [\w.-]{1,32}){0,3}$/;

/** The words of a name, in lowercase: `dbPassword`, `DB_PASSWORD` and `db-password` have the same two. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function typeOfWords(words: readonly string[]): string | null {
  const last = words.at(-1) ?? '';
  const before = words.at(-2) ?? '';
  const pair = PAIRS[`${before} ${last}`];
  if (pair !== undefined) return pair;
  if (last === 'key') return KEYS.has(before) ? (before === 'api' ? 'api-key' : 'secret-key') : null;
  if (last === 'token' && HARMLESS_TOKENS.has(before)) return null;
  // Such as pw, which counts only as a whole word.
  if (last === 'pat' && words.length === 1) return null;
  const noun = Object.hasOwn(NOUNS, last) ? NOUNS[last] : undefined;
  if (noun !== undefined) return noun;
  return GLUED.find(([end]) => last.endsWith(end))?.[1] ?? null;
}

/**
 * Whether what has this name is a secret, by the name alone.
 * @returns the type of secret, such as password; null for names such as max_tokens, token_count, password_length, public_key
 */
export function sensitiveName(name: string): string | null {
  if (!MAYBE.test(name) || !NAME.test(name)) return null;
  const words = [...wordsOf(name)];
  while (words.length > 1 && (AFTER.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  return typeOfWords(words);
}
