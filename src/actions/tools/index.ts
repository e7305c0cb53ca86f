/**
 * What is known of the tools that programs give their models: what a tool does by its name, what a call of it touches, and how the
 * operation is called. Hooks, OpenTelemetry and transcripts tell of the same tools, and are read by the same tables.
 */
export { type Body, openedJson, readBody } from './body.ts';
export { exitCodeIn, isMcpError } from './exit-codes.ts';
export { type Field, type Fields, flag, json, list, members, number, object, type Read, text, time } from './fields.ts';
export { type OperationName, operationOfCall, subjectText } from './operation.ts';
export { absolutePath } from './paths.ts';
export { programOf } from './shell-program.ts';
export { cutText, nameOf, sha256Hex } from './texts.ts';
export type { SeenTool, Touched } from './tool.ts';
export { toolOf } from './tools.ts';
export { touchedBy } from './touched.ts';
