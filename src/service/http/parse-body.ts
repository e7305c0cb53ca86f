import type { z } from 'zod';
import { type Json, ProtocolError, parseJsonBytes } from '../../protocol/index.ts';
import { ServiceError } from '../store/base/service-error.ts';

/**
 * Parses a body as strict JSON (I-JSON: no duplicate members, no lone surrogates; doubles however many digits they are printed with), and with a schema of the interface; an
 * empty one counts as {}.
 * @throws ServiceError VALIDATION_ERROR
 */
export function parseBody<Schema extends z.ZodType>(schema: Schema, bytes: Uint8Array): z.output<Schema> {
  return parseWith(schema, bytes.length === 0 ? {} : strictJson(bytes), 'body');
}

function strictJson(bytes: Uint8Array): Json {
  try {
    return parseJsonBytes(bytes, { printed: true });
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new ServiceError('VALIDATION_ERROR', `the body is not JSON that is taken here: ${error.message}`);
    throw error;
  }
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : (index > 0 ? '.' : '') + String(step)))
    .join('');
}

function sentence(issue: z.core.$ZodIssue, whole: string): string {
  if (issue.code === 'unrecognized_keys') {
    const member = pathOf([...issue.path, issue.keys[0] ?? '']);
    return `${member.slice(0, 100)}: there is no such member`;
  }
  const missing = issue.code !== 'custom' && issue.input === undefined;
  return `${pathOf(issue.path) || whole}: ${missing ? 'is missing' : issue.message}`;
}

/**
 * Parses a value with a schema of the interface.
 * @param whole how the message calls the value itself
 * @throws ServiceError VALIDATION_ERROR, its message naming the first member that is wrong
 */
export function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown, whole: string): z.output<Schema> {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const [first] = result.error.issues;
  throw new ServiceError('VALIDATION_ERROR', first ? sentence(first, whole) : `${whole}: is not valid`);
}
