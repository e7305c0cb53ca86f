/// <reference path="./rate-limiter-flexible.d.ts" />
// By file: the package as a whole loads what it has for a dozen databases, and a start would wait for that.
export { default as RateLimiterMemory } from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
export { default as RateLimiterRes } from 'rate-limiter-flexible/lib/RateLimiterRes.js';
