import './require-node.cjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { openApiDocument } from '../src/api/index.ts';
import { ROOT } from './support/paths.ts';

/** Where the description of the interface is checked in. */
export const OPENAPI_FILE = join(ROOT, 'docs', 'openapi.json');

/** The description as it is checked in: what the service answers at /v1/openapi.json, laid out for people and diffs. */
export function openApiText(): string {
  return `${JSON.stringify(openApiDocument(packageJson.version), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(OPENAPI_FILE, openApiText());
