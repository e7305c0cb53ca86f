/** Programs that people paste into a terminal: their names, and where to paste them. */
export const SNIPPETS_TEXTS = {
  agentLibrary: 'Agent library',
  whereAgent:
    'Paste this into a terminal in the project folder of Countersign, after npm ci, with {keyFile} in that folder.',
  curl: 'curl',
  whereCurl:
    'Paste this into a terminal in the folder of {keyFile}. It needs a POSIX shell, curl 7.76 or newer and openssl 3.',
  python: 'Python',
  wherePython: 'Paste this into a terminal in the folder of {keyFile}. It needs Python 3.8 or newer and openssl 3.',
} as const;
