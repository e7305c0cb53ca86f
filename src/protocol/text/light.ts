/** Of texts only what a terminal needs and what errors say: the help of the command line loads nothing else. */
export { codeOf, hasCode, messageOf } from './error-text.ts';
export { visibleText } from './hidden-characters.ts';
export { sizeText } from './size-text.ts';
