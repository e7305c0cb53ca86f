import { plural } from '../../lib/plural.ts';

export const RULES_JSON = {
  entryStep: (step: number) => `entry ${step}`,
  whole: 'the whole',
  twice: 'stands there twice: leave one out',
  other: 'a character that JSON does not have here',
  /** By the names that the reader of JSON has for what it finds. */
  syntax: {
    PropertyNameExpected: 'the name of a member is missing, in quotes',
    ValueExpected: 'a value is missing',
    ColonExpected: 'a colon is missing',
    CommaExpected: 'a comma is missing',
    CloseBraceExpected: 'a closing brace is missing',
    CloseBracketExpected: 'a closing bracket is missing',
    EndOfFileExpected: 'more follows after the end',
    InvalidCommentToken: 'JSON has no comments',
    UnexpectedEndOfComment: 'JSON has no comments',
    UnexpectedEndOfString: 'a quote is missing at the end of a text',
    InvalidUnicode: 'an escape is not valid',
    InvalidEscapeCharacter: 'an escape is not valid',
  } as Readonly<Record<string, string>>,
} as const;

export const RULES_SCREEN = {
  readingRules: 'Reading rules',
  what: 'the rules',
  saved: 'Rules saved. The service reads all payloads again.',
  explained:
    'Agents write payloads in many forms. These rules say where a payload names its session, tool and entities, and when a call counts as failed or refused. Signed records never change: new rules only change how the service reads them. Payloads from Countersign’s recorders name all of this themselves.',
  rules: 'Rules',
  rulesJson: 'Rules as JSON',
  jsonHint:
    'Only version is required. A member that you leave out keeps its default. Places are JSON Pointers such as /session/id; the first with a value counts. Press Alt+↓ for what fits at the cursor.',
  saveRules: 'Save rules',
  discardChanges: 'Discard changes',
  restoreDefaults: 'Restore default rules',
  defaultRules: 'Default rules',
  cannotSave: 'These rules cannot be saved:',
  notJson: 'Not JSON',
  line: (line: number) => `Line ${line}`,
  suggestions: (count: number) => plural(count, 'suggestion'),
} as const;
