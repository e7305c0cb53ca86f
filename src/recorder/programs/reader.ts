import type { Body } from '../../actions/tools/index.ts';
import type { Seen } from '../seen/seen.ts';
import type { HookRun } from './hook-event.ts';

/** What a program's hook says in its own form of body. Never throws, and is bounded, whatever the body holds. */
export type Reader = (body: Body, run: HookRun) => readonly Seen[];
