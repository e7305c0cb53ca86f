import { agentLibrarySnippet } from './agent-library.ts';
import { curlSnippet } from './curl.ts';
import { pythonSnippet } from './python.ts';
import type { Snippet, SnippetFacts } from './snippet.ts';

/** Every snippet there is, the one to recommend first. */
export const SNIPPETS: readonly ((facts: SnippetFacts) => Snippet)[] = [
  agentLibrarySnippet,
  curlSnippet,
  pythonSnippet,
];
