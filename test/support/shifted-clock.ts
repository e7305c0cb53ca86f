import { readFileSync } from 'node:fs';

/*
 * Loaded before a service's own code (NODE_OPTIONS --import), as far as its clock goes: Date tells the time shifted by so
 * many milliseconds as the file says that CLOCK_SHIFT_FILE names.
 */
const file = process.env['CLOCK_SHIFT_FILE'] ?? '';
const real = Date.now;
Date.now = () => real() + Number(readFileSync(file, 'utf8'));
