/** Of texts only what a terminal needs: the help of the command line loads nothing else. */
export { visibleText } from './hidden-characters.ts';
