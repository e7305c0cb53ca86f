import type { PasswordCost } from '../../src/service/people/identity/passwords.ts';

/** The least that argon2id takes. What a password costs elsewhere is looked at by test/service/password-cost.test.ts. */
export const LEAST_COST: PasswordCost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
