/** Limits of the interface that are not settings. */
export const LIMITS = {
  password: { min: 8, max: 256 },
  orgName: 128,
  email: 256,
  personName: 256,
  displayName: 256,
  responsibleEntity: 512,
  kid: 256,
  keysPerAgent: 100,
  page: { default: 50, max: 200 },
  /** Ten years, in seconds. */
  tokenTtlSeconds: 315_360_000,
} as const;
