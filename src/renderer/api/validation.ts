import { z } from 'zod';

/*
 * zod compiles schemas with `new Function` where that is allowed. The page's policy forbids it, and even the attempt
 * would be reported as a breach.
 */
z.config({ jitless: true });
