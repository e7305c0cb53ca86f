import { createHash } from 'node:crypto';

/**
 * Secrets by the shapes that their issuers publish, made when the tests run: none stands in a file of the project. Whatever takes what an
 * agent did has to lose every one of them.
 */
export interface Planted {
  /** Which kind of secret; each kind is there once. */
  readonly kind: string;
  /** What must not come through. */
  readonly secret: string;
  /** How it is written: the secret with what shows that it is one. */
  readonly text: string;
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALNUM = UPPER + LOWER + DIGITS;
const HEX = '0123456789abcdef';

/** Characters that look random and are the same in each run. */
export class Characters {
  #block = Buffer.alloc(0);
  #count = 0;
  readonly #seed: string;

  constructor(seed: string) {
    this.#seed = seed;
  }

  #byte(): number {
    if (this.#block.length === 0) {
      this.#block = createHash('sha256')
        .update(`${this.#seed} ${this.#count++}`)
        .digest();
    }
    const byte = this.#block[0] ?? 0;
    this.#block = this.#block.subarray(1);
    return byte;
  }

  of(alphabet: string, length: number): string {
    let text = '';
    while (text.length < length) text += alphabet.charAt(this.#byte() % alphabet.length);
    return text;
  }

  /** Letters and digits, as a person or a generator of passwords chooses them: of no shape that an issuer has. */
  password(length = 14): string {
    return `${this.of(LOWER, 3)}${this.of(ALNUM, length - 5)}${this.of(DIGITS, 2)}`;
  }

  word(): string {
    return this.of(LOWER, 7);
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.#byte()));
  }
}

type Make = (c: Characters) => string | { readonly secret: string; readonly text: string };

function alnum(prefix: string, length: number, suffix = ''): Make {
  return (c) => prefix + c.of(ALNUM, length) + suffix;
}

function hex(prefix: string, length: number): Make {
  return (c) => prefix + c.of(HEX, length);
}

/** A password with what stands around it; `§` is where it goes. */
function around(text: string, length = 14): Make {
  return (c) => {
    const secret = c.password(length);
    return { secret, text: text.replace('§', secret) };
  };
}

function pem(label: string): Make {
  return (c) => {
    const lines = Array.from({ length: 12 }, () => c.of(`${ALNUM}+/`, 64));
    return {
      secret: lines[5] ?? '',
      text: [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`].join('\n'),
    };
  };
}

function jwt(c: Characters): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: c.of(LOWER, 8), exp: 1 })}.${c.of(ALNUM, 43)}`;
}

/** Put together here, so that no search for such keys finds them in this file. */
const join = (...parts: readonly string[]): string => parts.join('');

const KINDS: Readonly<Record<string, Make>> = {
  'AWS access key': (c) => join('AK', 'IA', c.of(`${UPPER}234567`, 16)),
  'AWS temporary key': (c) => join('AS', 'IA', c.of(`${UPPER}234567`, 16)),
  'AWS secret key in a credentials file': (c) => {
    const secret = c.of(`${ALNUM}`, 40);
    return { secret, text: `aws_secret_access_key = ${secret}` };
  },
  'Google API key': alnum(join('AI', 'za'), 35),
  'Google client secret': alnum(join('GOC', 'SPX-'), 28),
  'Google access token': alnum(join('ya', '29.'), 80),
  'Azure client secret': (c) => join(c.of(ALNUM, 3), '8', 'Q~', c.of(ALNUM, 34)),
  'Azure storage key': (c) => {
    const secret = c.bytes(64).toString('base64');
    return {
      secret,
      text: `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${secret};EndpointSuffix=core.windows.net`,
    };
  },
  'Azure SAS signature': (c) => {
    const secret = encodeURIComponent(c.bytes(32).toString('base64'));
    return { secret, text: `https://shop.blob.core.windows.net/a?sv=2024-01-01&sr=b&sig=${secret}` };
  },
  'GitHub classic token': alnum(join('gh', 'p_'), 36),
  'GitHub app token': alnum(join('gh', 's_'), 36),
  'GitHub fine-grained token': (c) => join('github', '_pat_', c.of(ALNUM, 22), '_', c.of(ALNUM, 59)),
  'GitLab token': alnum(join('gl', 'pat-'), 20),
  'GitLab runner token': alnum(join('gl', 'rt-'), 20),
  'Slack bot token': (c) => join('xo', 'xb-', c.of(DIGITS, 12), '-', c.of(DIGITS, 12), '-', c.of(ALNUM, 24)),
  'Slack webhook': (c) =>
    join('https://hooks.slack', '.com/services/T', c.of(UPPER, 8), '/B', c.of(UPPER, 8), '/', c.of(ALNUM, 24)),
  'Stripe live key': alnum(join('sk', '_live_'), 24),
  'Stripe restricted key': alnum(join('rk', '_live_'), 24),
  'webhook secret': alnum(join('wh', 'sec_'), 32),
  'OpenAI project key': alnum(join('sk-', 'proj-'), 48),
  'OpenAI key of the first kind': (c) => join('sk-', c.of(ALNUM, 19), '7', 'T3Blbk', 'FJ', c.of(ALNUM, 20)),
  'Anthropic key': (c) => join('sk-', 'ant-api03-', c.of(ALNUM, 93), 'AA'),
  'OpenRouter key': hex(join('sk-', 'or-v1-'), 64),
  'Groq key': alnum(join('gs', 'k_'), 52),
  'xAI key': alnum(join('xa', 'i-'), 80),
  'Perplexity key': alnum(join('pp', 'lx-'), 48),
  'Replicate token': alnum(join('r8', '_'), 37),
  'Hugging Face token': alnum(join('h', 'f_'), 34),
  'npm token': alnum(join('np', 'm_'), 36),
  'PyPI token': alnum(join('py', 'pi-AgEIcHlwaS5vcmc'), 120),
  'Docker Hub token': alnum(join('dck', 'r_pat_'), 27),
  'RubyGems key': hex(join('ruby', 'gems_'), 48),
  'NuGet key': (c) => join('oy', '2', c.of(LOWER + DIGITS, 43)),
  'Twilio API key': hex(join('S', 'K'), 32),
  'SendGrid key': (c) => join('S', 'G.', c.of(ALNUM, 22), '.', c.of(ALNUM, 43)),
  'Mailgun key': hex(join('ke', 'y-'), 32),
  'Mailchimp key': (c) => join(c.of(HEX, 32), '-us', '12'),
  'Telegram bot token': (c) => join('7', c.of(DIGITS, 9), ':A', 'A', c.of(ALNUM, 33)),
  'Discord bot token': (c) => join('M', c.of(ALNUM, 25), '.', c.of(ALNUM, 6), '.', c.of(ALNUM, 38)),
  'Discord webhook': (c) => {
    const secret = c.of(ALNUM, 68);
    return { secret, text: join('https://discord.com', '/api/webhooks/', c.of(DIGITS, 18), '/', secret) };
  },
  'DigitalOcean token': hex(join('do', 'p_v1_'), 64),
  'Shopify token': hex(join('shp', 'at_'), 32),
  'Square token': alnum(join('sq0', 'atp-'), 22),
  'Databricks token': hex(join('da', 'pi'), 32),
  'Grafana token': (c) => join('gl', 'sa_', c.of(ALNUM, 32), '_', c.of(HEX, 8)),
  'Vault token': alnum(join('hv', 's.'), 95),
  'Terraform Cloud token': (c) => join(c.of(ALNUM, 14), '.atlas', 'v1.', c.of(ALNUM, 67)),
  'Linear key': alnum(join('lin', '_api_'), 40),
  'Notion key': (c) => join('nt', 'n_', c.of(DIGITS, 11), c.of(ALNUM, 35)),
  'Figma token': alnum(join('fi', 'gd_'), 40),
  'Postman key': (c) => join('PM', 'AK-', c.of(HEX, 24), '-', c.of(HEX, 34)),
  'New Relic key': (c) => join('NR', 'AK-', c.of(UPPER + DIGITS, 27)),
  'Sentry token': hex(join('snt', 'ryu_'), 64),
  'Doppler token': alnum(join('dp', '.pt.'), 43),
  'PlanetScale token': alnum(join('psc', 'ale_tkn_'), 43),
  'Supabase token': hex(join('sb', 'p_'), 40),
  'Airtable token': (c) => join('pa', 't', c.of(ALNUM, 14), '.', c.of(HEX, 64)),
  'Atlassian token': alnum(join('AT', 'ATT3xFfGF0'), 180),
  'HubSpot token': (c) =>
    join('pat', '-na1-', c.of(HEX, 8), '-', c.of(HEX, 4), '-', c.of(HEX, 4), '-', c.of(HEX, 4), '-', c.of(HEX, 12)),
  'Tailscale key': (c) => join('tsk', 'ey-auth-', c.of(ALNUM, 12), 'CNTRL-', c.of(ALNUM, 32)),
  'age key': (c) => join('AGE-SEC', 'RET-KEY-1', c.of(UPPER + DIGITS, 58)),
  'crates.io token': alnum(join('ci', 'o'), 32),
  'Countersign API token': alnum(join('cs', 'n_api_'), 43),
  'Countersign session': alnum(join('cs', 'n_sess_'), 43),
  'Countersign invitation': alnum(join('cs', 'n_inv_'), 32),
  'setup code': (c) => {
    const secret = Array.from({ length: 7 }, (_, i) => c.of('ABCDEFGHJKMNPQRSTVWXYZ', 3) + ((i % 8) + 2)).join('-');
    return { secret, text: `Your setup code: ${secret}` };
  },
  JWT: jwt,
  'RSA private key': pem(join('RSA PRIV', 'ATE KEY')),
  'OpenSSH private key': pem(join('OPENSSH PRIV', 'ATE KEY')),
  'PKCS #8 private key': pem(join('PRIV', 'ATE KEY')),
  'PGP private key': pem(join('PGP PRIV', 'ATE KEY BLOCK')),
  'private key that is cut off': (c) => {
    const lines = Array.from({ length: 6 }, () => c.of(ALNUM, 64));
    return { secret: lines[3] ?? '', text: [join('-----BEGIN PRIV', 'ATE KEY-----'), ...lines].join('\n') };
  },
  'end of a private key': (c) => {
    const lines = Array.from({ length: 4 }, () => c.of(ALNUM, 64));
    return { secret: lines[2] ?? '', text: [...lines, join('-----END PRIV', 'ATE KEY-----')].join('\n') };
  },
  'private key in base64': (c) => {
    const { text } = pem(join('PRIV', 'ATE KEY'))(c) as Planted;
    const secret = Buffer.from(text).toString('base64');
    return { secret: secret.slice(40, 400), text: `client-key: ${secret}` };
  },
  'credentials file in base64': (c) => {
    const secret = Buffer.from(JSON.stringify({ user: 'ada', password: c.of(ALNUM, 18) })).toString('base64');
    return { secret, text: `echo ${secret} | base64 -d` };
  },
  'private JWK': (c) => {
    const secret = c.of(ALNUM, 43);
    return { secret, text: JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: c.of(ALNUM, 43), d: secret }) };
  },
  'Bearer header': (c) => {
    const secret = `${c.of(ALNUM, 30)}7`;
    return { secret, text: `curl -H "Authorization: Bearer ${secret}" https://shop.example/v1` };
  },
  'Basic header': (c) => {
    const secret = Buffer.from(`ada:${c.of(ALNUM, 14)}`).toString('base64');
    return { secret, text: `Authorization: Basic ${secret}` };
  },
  'Authorization header of a scheme of its own': around('authorization: Snowflake §'),
  'X-Api-Key header': around("curl -H 'X-Api-Key: §' https://shop.example/v1"),
  'Cookie header': around('Cookie: sid=§; theme=dark'),
  'Set-Cookie header': around('set-cookie: sid=§; Path=/; HttpOnly'),
  'password in an address': around('https://ada:§@shop.example/a'),
  'PostgreSQL address': around('postgresql://ada:§@db.example:5432/shop?sslmode=require'),
  'MongoDB address': around('mongodb+srv://ada:§@cluster0.example.net/shop'),
  'Redis address without a user': around('redis://:§@cache.example:6379/0'),
  'AMQP address': around('amqp://ada:§@queue.example/vhost'),
  'token in a query': around('https://shop.example/a?page=2&access_token=§&sort=up', 24),
  'signed address': (c) => {
    const secret = c.of(HEX, 64);
    return { secret, text: `https://s3.example/a?X-Amz-Expires=60&X-Amz-Signature=${secret}` };
  },
  'ADO connection string': around('Server=db.example;Database=shop;User Id=ada;Password=§;Encrypt=true'),
  'environment variable': around('export DB_PASSWORD=§'),
  'variable before a command': around('PGPASSWORD=§ psql -h db.example shop'),
  'lines of an .env file': around('NAME=shop\nSTRIPE_SECRET=§\nPORT=3000'),
  'option with a space': around('deploy --password § --verbose'),
  'option with =': around('deploy --api-key=§ --verbose'),
  'options in an array': around('["deploy", "--token", "§"]'),
  'MySQL option': around('mysql -u root -p§ shop'),
  'sshpass option': around('sshpass -p § ssh ada@host.example'),
  'docker login': around('docker login -u ada -p § registry.example'),
  'redis-cli option': around('redis-cli -h cache.example -a § ping'),
  'curl user': around('curl -s -u ada:§ https://shop.example/v1'),
  'SQL user': around("CREATE USER ada IDENTIFIED BY '§'"),
  'OpenSSL pass phrase': around('openssl rsa -in key.pem -passin pass:§'),
  '.netrc': around('machine shop.example login ada password §'),
  '.pgpass': around('db.example:5432:shop:ada:§'),
  '.npmrc': around('//packages.example/:_authToken=§', 36),
  'password hash of /etc/shadow': (c) => {
    const secret = join('$', '6$', c.of(ALNUM, 12), '$', c.of(ALNUM, 86));
    return { secret, text: `ada:${secret}:19000:0:99999:7:::` };
  },
  kubeconfig: around('users:\n- name: ada\n  user:\n    token: §', 40),
  'Kubernetes variable': around('env:\n- name: DB_PASSWORD\n  value: §'),
  'docker config': (c) => {
    const secret = Buffer.from(`ada:${c.of(ALNUM, 14)}`).toString('base64');
    return { secret, text: JSON.stringify({ auths: { 'registry.example': { auth: secret } } }) };
  },
  'YAML password': around('database:\n  user: ada\n  password: §\n'),
  'JSON password': around('{"user": "ada", "password": "§"}'),
  'password in code': around('const db = connect({ user: "ada", password: "§" });'),
  'Python keyword argument': around("connect(user='ada', password='§')"),
  'typed declaration': around('let clientSecret: string = "§";'),
  'XML password': around('<server><password>§</password></server>'),
  '.NET setting': around('<add key="ApiKey" value="§"/>'),
  'npm setting': around('npm config set //packages.example/:_authToken §', 36),
  'one-time code': (c) => {
    const secret = c.of(DIGITS, 6);
    return { secret, text: `Your verification code is ${secret}` };
  },
};

/** All kinds of planted secrets. */
export function plantedSecrets(): readonly Planted[] {
  return Object.entries(KINDS).map(([kind, make]) => {
    const made = make(new Characters(kind));
    return typeof made === 'string' ? { kind, secret: made, text: made } : { kind, ...made };
  });
}

/** Where a secret can stand in what an agent did. */
export interface Position {
  readonly name: string;
  place(text: string): { readonly input: unknown; readonly output: unknown; readonly error: string };
}

function position(
  name: string,
  input: (text: string) => unknown,
  output: (text: string) => unknown,
  error = '',
): Position {
  return {
    name,
    place: (text) => ({ input: input(text), output: output(text), error: error.replace('§', () => text) }),
  };
}

const NOTHING = (): unknown => ({ ok: true });
const LINES = 'The first line says nothing.\nNor does the second, of 12 words.\n';

export const POSITIONS: readonly Position[] = [
  position('shell command', (text) => ({ command: `cd /srv/shop && ${text}`, timeout: 60 }), NOTHING),
  position(
    'content of a file in an output',
    (text) => ({ file_path: '/srv/shop/notes.txt', length: text.length > 0 ? 1 : 0 }),
    (text) => ({ stdout: `${LINES}${text}\n${LINES}` }),
  ),
  position('member of JSON', (text) => ({ options: [{ deep: { note: text } }] }), NOTHING),
  position('address', (text) => ({ url: `https://shop.example/a?next=${text}` }), NOTHING),
  position('JSON in a text', (text) => ({ body: JSON.stringify({ list: [1, { note: text }] }) }), NOTHING),
  position(
    'JSON in a text in JSON in a text',
    (text) => ({ body: JSON.stringify({ inner: JSON.stringify({ note: text }) }) }),
    NOTHING,
  ),
  position('content of a file in JSON in a text', NOTHING, (text) =>
    JSON.stringify({ stdout: `${LINES}${text}\n${LINES}` }),
  ),
  position('list of commands in JSON in a text in JSON in a text', NOTHING, (text) =>
    JSON.stringify({ inner: JSON.stringify([text, `cd /srv/shop\n${text}`, 'zip -r -P pages.zip .']) }),
  ),
  position('message of an error', NOTHING, NOTHING, 'Command failed with exit code 1: §'),
  position('name of a member', (text) => ({ [text]: 1 }), NOTHING),
];

/** Texts without secrets, some of which look like it: none may be changed. */
export const INNOCENT: readonly string[] = [
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 83baae61804e65cc73a7201a7252750c76066a30',
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  empty.txt',
  '{"max_tokens": 4096, "temperature": 0.2}',
  '{"max_tokens":4096,"stop":null,"token_count":17}',
  '{"usage":{"input_tokens":1200,"output_tokens":340,"total_tokens":1540}}',
  'usage: {prompt_tokens: 12, completion_tokens: 34}',
  'Please enter your password to go on.',
  'The password is at least eight characters long.',
  'Forgot your password? Write to the administrator.',
  'The token expired; sign in again.',
  'A secret is never written into a log.',
  'Basic authentication is not supported by this server.',
  'Bearer tokens are short-lived.',
  'const token = tokens[index];',
  'const token = await getToken(user);',
  'let password: string;',
  'password: string;',
  'function login(user: string, password: string): Promise<Session> {',
  'if (token === null) throw new Error("no token");',
  'return { token, expires };',
  'self.password = password',
  'password = os.environ["DB_PASSWORD"]',
  'const key = process.env.API_KEY;',
  'apiKey: process.env.OPENAI_API_KEY,',
  'password=$DB_PASSWORD',
  'curl -u "$USER:$PASSWORD" https://shop.example/v1',
  'curl -H "Authorization: Bearer $TOKEN" https://shop.example/v1',
  `curl -H "Authorization: Bearer $${'{TOKEN}'}" https://shop.example/v1`,
  'docker login -u ada --password-stdin registry.example',
  'docker run -p 8080:80 nginx',
  'mysql -u root -p shop',
  'ssh -p 2222 ada@host.example',
  'mkdir -p src/recorder/redact',
  'git clone git@github.com:ada/shop.git',
  'git clone https://github.com/ada/shop.git',
  'https://shop.example:8443/@scope/name?page=2',
  'http://localhost:4873/@ada/shop/-/shop-1.0.0.tgz',
  'ssh://git@github.com/ada/shop.git',
  'postgres://localhost:5432/shop',
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0Nq8h2PzU1yJ4TQ4Q8bJY1r9l7F0mX3qk5s6vWc2dE ada@laptop',
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----',
  '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUJ0\n-----END CERTIFICATE-----',
  'public_key: 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  'primary_key = "id"',
  'foreign key (user_id) references users (id)',
  'monkey=banana key=value',
  '<input type="password" name="password">',
  'label="Password" placeholder="Your password"',
  '{"type":"object","properties":{"password":{"type":"string","description":"The password"}}}',
  'tokenizer.eos_token = "</s>"',
  'next_page_token: abc',
  'token: identifier',
  'case Token.EOF: return "token";',
  'src/service/people/identity/tokens.ts:10:5',
  'test/secrets.test.ts (12 tests) 340ms',
  'toolu_01A09q90qw90lq917835lq9',
  'call_abc123def456ghi789jkl012',
  'chatcmpl-9xZ8y7W6v5U4t3S2r1Q0p',
  'req_011CSHoEeqs5C35K2UUqR7Fy',
  'eyJ is how every JWT begins',
  'sk-learn and sk-image are Python packages',
  'task-12345678901234567890-done',
  'class="sk-circle-fade-dot sk-chase"',
  'npm_config_cache=/tmp/npm npm_lifecycle_event=test',
  'Cookie policy: we set no cookies.',
  'Set a cookie with res.cookie(name, value).',
  'authorization: required',
  'the authorization_code grant, see RFC 6749 section 4.1',
  'pass: 12, fail: 0, skipped: 3',
  'PASS test/protocol/canonical.test.ts',
  'passed=340 failed=0',
  '2026-11-21T10:00:05.120Z INFO request finished in 12 ms',
  '192.168.0.17 - - [21/Nov/2026:10:00:05 +0000] "GET /a HTTP/1.1" 200 512',
  '00000000  89 50 4e 47 0d 0a 1a 0a  00 00 00 0d 49 48 44 52  |.PNG........IHDR|',
  'W/"5d8c72a5edda8d6a3c1f2b9e"',
  'traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  'export PATH=/usr/local/bin:/usr/bin:/bin',
  'SECRET_NAME=shop-db kubectl get secret',
  'kubectl create secret generic shop-db --from-file=./password.txt',
  'password_min_length: 12',
  'reset_password_url: /account/reset',
  'csrf_token_name = "csrf"',
];

/** How much of a secret may be left, in characters: less says nothing of it. */
const LEFT = 12;

/** A part of a secret that is still in a text; null where there is none. */
export function survivingPart(secret: string, text: string): string | null {
  for (let at = 0; at === 0 || at + LEFT <= secret.length; at++) {
    const part = secret.slice(at, at + Math.min(LEFT, secret.length));
    if (text.includes(part)) return part;
  }
  return null;
}
