import { runDesktop } from './lifecycle.ts';

runDesktop();
