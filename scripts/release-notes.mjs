// What the changelog says of a version, for its release: node scripts/release-notes.mjs v0.2.0
// Plain JavaScript without packages: it runs before anything is installed.
import { readFileSync } from 'node:fs';

const tag = process.argv[2] ?? '';
const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
const changelog = readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8');
// A section ends where the next heading of its level begins. Headings are `## 0.2.0` or `## [0.2.0] - 2026-12-01`.
const sections = changelog.split(/^## /m).slice(1);
const found = sections.find((section) => /^\[?([^\]\s]+)/.exec(section)?.[1] === version);

if (tag !== `v${version}`) fail(`the tag is '${tag}', and package.json has version ${version}`);
if (found === undefined) fail(`CHANGELOG.md has no section for ${version}`);
process.stdout.write(`${found.slice(found.indexOf('\n')).trim()}\n`);

/** @param {string} reason */
function fail(reason) {
  process.stderr.write(`release-notes: ${reason}\n`);
  process.exit(1);
}
