import { type ExaminerKey, ProtocolError, parseExaminerKeys } from '../protocol/index.ts';
import { type ParsedArgs, UsageError } from './command.ts';

/** The keys that --examiner names, each with its person. @throws UsageError */
export function examinersOf(args: ParsedArgs): ExaminerKey[] {
  try {
    return parseExaminerKeys(args.list('examiner'));
  } catch (error) {
    throw error instanceof ProtocolError ? new UsageError(`--examiner: ${error.message}`) : error;
  }
}
