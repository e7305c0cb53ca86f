import { shellLiteral } from './literals.ts';
import type { SNIPPETS_TEXTS } from './texts.ts';

/** What a snippet is filled in with. */
export interface SnippetFacts {
  /** Such as http://127.0.0.1:8787, without a slash at its end. */
  readonly serviceUrl: string;
  /** The key that the service signs receipts with. */
  readonly serviceKid: string;
  readonly orgId: string;
  readonly agentId: string;
  /** Any name: it comes from whoever registered the key. */
  readonly kid: string;
  /** Where the private key was saved; a name that any shell takes as it is. */
  readonly keyFile: string;
}

/** A program that has the first operation of an agent countersigned, and how to run it. */
export interface Snippet {
  readonly id: 'library' | 'curl' | 'python';
  readonly label: string;
  /** Where to paste it and what must be there: a sentence with a place for the name of the key's file. */
  readonly where: (typeof SNIPPETS_TEXTS)['whereAgent' | 'whereCurl' | 'wherePython'];
  readonly fileName: string;
  readonly program: string;
  /** What runs the file. */
  readonly command: string;
}

/** The variable of the environment from which every snippet takes its token. */
export const TOKEN_VARIABLE = 'AGENT_TOKEN';

/** A part of a file's name that any system takes. */
function namePart(text: string): string {
  return text.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 128);
}

/**
 * Where the private key of an agent is saved, as the snippets expect it.
 * @param kid of a key that was added later; the first one has the file of the agent's name
 */
export function keyFileName(agentId: string, kid?: string): string {
  return kid === undefined ? `${namePart(agentId)}.pem` : `${namePart(agentId)}.${namePart(kid)}.pem`;
}

/** A program with what it is filled in with: no text for people, whatever its comments say. */
export function programText(strings: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: strings }, ...values);
}

export function programFileName(agentId: string, extension: string): string {
  return `first-operation-of-${namePart(agentId)}.${extension}`;
}

export function receiptsFileName(agentId: string): string {
  return `${namePart(agentId)}.receipts.jsonl`;
}

/** A snippet as it is pasted into the terminal of a POSIX shell: token, program, command. */
export function terminalText({ fileName, program, command }: Snippet, token: string): string {
  return [
    programText`export ${TOKEN_VARIABLE}=${shellLiteral(token)}`,
    `cat > ${fileName} <<'END_OF_PROGRAM'`,
    `${program}END_OF_PROGRAM`,
    command,
    '',
  ].join('\n');
}
