import { type Found, hasLongWord, type TextRule } from './found.ts';

/** What a rule of secretlint is given, as far as the rules of its preset use it. */
interface RuleContext {
  readonly sharedOptions: Record<string, never>;
  createTranslator(messages: unknown): (messageId: string) => { readonly message: string; readonly messageId: string };
  report(descriptor: { readonly range: readonly [number, number] }): void;
  ignore(descriptor: unknown): void;
}

interface RuleHandler {
  file?(source: unknown): unknown;
}

interface PublishedRule {
  readonly meta: { readonly id: string; readonly type: string };
  create(context: RuleContext, options: object): RuleHandler;
}

function isRule(value: unknown): value is PublishedRule {
  return typeof value === 'object' && value !== null && 'meta' in value && 'create' in value;
}

/**
 * Rules that are left out: one takes comments in the text as an order to find nothing, one reads a file by the name of the text and
 * takes the whole of it, one states a range beside the secret, two replace whole addresses for the password in them (credentials.ts finds that alone).
 */
const LEFT_OUT = /filter-comments|rule-gcp|rule-aws|rule-basicauth|rule-database/;

function typeOf(id: string): string {
  return id.replace('@secretlint/secretlint-rule-', '').replace(/[^a-z0-9]+/g, '-');
}

/**
 * The rules of secretlint's recommended preset. They are run here, not by its core: that keeps marks of every run for its profiler, and
 * so grows in a process that stays.
 * Loaded when first asked for: it takes some 10 MB.
 */
export async function publishedRules(): Promise<TextRule> {
  const preset: { readonly rules: readonly unknown[] } = await import('@secretlint/secretlint-rule-preset-recommend');
  const rules = preset.rules.filter(isRule).filter(({ meta }) => meta.type === 'scanner' && !LEFT_OUT.test(meta.id));
  const reported: Found[] = [];
  const handlers = rules.map((rule) => handlerOf(rule, reported));
  return (text) => {
    if (!hasLongWord(text)) return [];
    reported.length = 0;
    const source = { content: text, contentType: 'text', ext: '.txt', filePath: '', hasBOM: false };
    for (const handler of handlers) handler.file?.(source);
    return [...reported];
  };
}

/** Made once: making it takes longer than reading a short text. All rules of the preset that read texts report before they return. */
function handlerOf(rule: PublishedRule, reported: Found[]): RuleHandler {
  const type = typeOf(rule.meta.id);
  return rule.create(
    {
      sharedOptions: {},
      createTranslator: () => (messageId) => ({ message: messageId, messageId }),
      report: ({ range: [start, end] }) => reported.push({ start, end, type }),
      ignore: () => undefined,
    },
    {},
  );
}
