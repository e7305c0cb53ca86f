'use strict';
// Loaded before every script (node -r): the scripts are TypeScript run as they are, which an older Node answers
// with a syntax error instead of a reason. Plain CommonJS, so that any Node can say it.
const REQUIRED_MAJOR = 24;

if (Number(process.versions.node.split('.')[0]) < REQUIRED_MAJOR) {
  console.error(
    'This needs Node ' +
      REQUIRED_MAJOR +
      ' and this is ' +
      process.version +
      ': run "npm ci", then start it through npm (npm start, npm test, npm run check), which uses the right one.',
  );
  process.exit(2);
}
