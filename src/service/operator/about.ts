import { readFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { z } from 'zod';
import type { About } from '../../api/index.ts';
import { resourcePath } from '../../node/index.ts';
import { SCHEMA_VERSION } from '../store/migrations.ts';
import type { Store } from '../store/open.ts';

const licencesFile = z.strictObject({
  components: z.array(
    z.strictObject({ name: z.string(), version: z.string(), licence: z.string(), text: z.int().nullable() }),
  ),
  texts: z.array(z.string()),
});

/** What the service is, and the licences of what it is made of: a file that scripts/licences.ts makes. */
export function describeService(store: Store, version: string): About {
  return {
    name: 'Countersign',
    version,
    node: process.versions.node,
    sqlite: store.statement('SELECT sqlite_version()').pluck().get() as string,
    electron: process.versions['electron'] ?? null,
    platform: `${platform()} ${arch()}`,
    schema_version: SCHEMA_VERSION,
    ...licencesFile.parse(JSON.parse(readFileSync(resourcePath('licences.json'), 'utf8'))),
  };
}
