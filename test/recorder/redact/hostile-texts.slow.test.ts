import { describe, expect, it } from 'vitest';
import { publishedRules } from '../../../src/recorder/redact/published-rules.ts';
import { TextRedactor } from '../../../src/recorder/redact/text-redactor.ts';

const texts = new TextRedactor(
  () => '0000',
  () => ['0123456789abcdef'],
  await publishedRules(),
);

const LENGTH = 262_144;
/** Of the processor: far more than a linear rule takes, far less than a quadratic one does. */
const MOST_MS = 8_000;

/** What rules begin with, or go on with, over and over. */
const FRAGMENTS = [
  ...['a', '-', '.', '=', '"', '\\', '\n', ' ', 'eyJ', 'eyJa.', 'a-', 'a ', 'é', '𝒳'],
  ...['password="', 'token=', '"token":[', '{"password":', 'export A_TOKEN=a', '--p ', 'key: value '],
  ...['://a:', 'https://a@', '&code=', 'Bearer a', 'authorization: a', 'cookie: a='],
  ...['mysql -', 'curl -u ', 'docker login ', 'echo a | ', 'login a password ', 'a:5000:', "PASSWORD '"],
  ...['-----BEGIN ', '-----END ', 'sk-a-', 'xoxb-a-', 'glpat-', 'SG.a.', 'AzSe', '$6$', '0:AA', '[REDACTED:a:'],
];

describe('texts made to keep the rules busy', () => {
  it.each(FRAGMENTS)('are read in linear time: %j', (fragment) => {
    const text = fragment.repeat(LENGTH / fragment.length);
    const before = process.threadCpuUsage();
    texts.redact(text);
    texts.redact(`password="${text}`);
    expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(MOST_MS);
  });
});
