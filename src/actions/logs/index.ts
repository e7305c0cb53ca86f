/**
 * What operating systems and clouds write down by themselves, read into one form: a file a kind, of the documented shape. A second
 * witness of what agents did. Pure: texts come in, events go out. Nothing in a log is signed here.
 */
export type { LogEvent, LogItem, LogKind } from './log-event.ts';
export { LOG_READERS, logReaderOf } from './readers.ts';
