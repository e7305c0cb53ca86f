import { createHash } from 'node:crypto';
import { canonicalBytes, type Json, parseJsonBytes } from '../../../protocol/index.ts';
import { ATTACHED_OPTIONS } from '../../reading/index.ts';
import { deflateName } from '../made-with.ts';

/** Everything but the data that the bytes of a report of chosen records depend on, as it is attached to the report. */
export interface ChosenOptions {
  readonly version: string;
  readonly details: boolean;
  readonly shortened: boolean;
  readonly wholeBundle: boolean;
  /** Names of further files that are attached. */
  readonly attachments: readonly string[];
  /** SHA-256 of the fonts that were given; they are not in the report. */
  readonly fonts: readonly string[];
}

const TYPE = 'countersign.chosen-report-options.v1';

/** Options as a file to attach, with what compresses the streams of this file. */
export function attachChosenOptions({ wholeBundle, ...rest }: ChosenOptions) {
  const value = { type: TYPE, deflate: deflateName(), whole_bundle: wholeBundle, ...rest };
  const bytes = canonicalBytes(value as unknown as Json);
  return {
    name: ATTACHED_OPTIONS,
    type: 'application/json',
    description: 'What this report was made with, to make its pages again',
    size: bytes.length,
    md5: createHash('md5').update(bytes).digest(),
    read: () => [bytes],
  };
}

/**
 * Reads the attached file back. Whoever sent the report wrote it: a lie in it makes pages that differ.
 * @returns null where it is not one
 */
export function parseChosenOptions(bytes: Uint8Array): (ChosenOptions & { readonly deflate: string }) | null {
  let value: unknown;
  try {
    value = parseJsonBytes(bytes);
  } catch {
    return null;
  }
  const found = Object(value) as Record<string, unknown>;
  const { type, version, details, shortened, deflate, attachments, fonts } = found;
  const wholeBundle = found['whole_bundle'];
  if (type !== TYPE || typeof version !== 'string' || typeof deflate !== 'string') return null;
  if (typeof details !== 'boolean' || typeof shortened !== 'boolean' || typeof wholeBundle !== 'boolean') return null;
  if (!Array.isArray(attachments) || !attachments.every((name) => typeof name === 'string')) return null;
  if (!Array.isArray(fonts) || !fonts.every((digest) => typeof digest === 'string')) return null;
  return { version, details, shortened, wholeBundle, attachments, fonts, deflate };
}
