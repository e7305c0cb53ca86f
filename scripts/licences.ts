import './require-node.cjs';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { collectLicences, licencesText } from './support/licences.ts';
import { ROOT } from './support/paths.ts';

// Writes resources/licences.json, which the service shows; test/scripts/licences.test.ts says when it is out of date.
const licences = collectLicences();
writeFileSync(join(ROOT, 'resources', 'licences.json'), licencesText(licences));
console.log(`${licences.components.length} components, ${licences.texts.length} texts`);
