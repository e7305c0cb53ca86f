import './require-node.cjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentActionJsonSchema } from '../src/actions/profile/index.ts';
import { ROOT } from './support/paths.ts';

/** Where the JSON Schema of the payload profile is checked in. */
export const PROFILE_SCHEMA_FILE = join(ROOT, 'resources', 'schema', 'agent-action-1.schema.json');

/** The schema as it is checked in, laid out for people and diffs. */
export function profileSchemaText(): string {
  return `${JSON.stringify(agentActionJsonSchema(), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(PROFILE_SCHEMA_FILE, profileSchemaText());
