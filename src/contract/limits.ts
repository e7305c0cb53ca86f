/** Limits of the interface that are not settings. */
export const LIMITS = {
  password: { min: 8, max: 256 },
  orgName: 128,
  orgDescription: 512,
  email: 256,
  personName: 256,
  displayName: 256,
  responsibleEntity: 512,
  reason: 1024,
  kid: 256,
  keysPerAgent: 100,
  page: { default: 50, max: 200 },
  adminEvents: { default: 20, max: 100 },
  /** Ten years, in seconds. */
  tokenTtlSeconds: 315_360_000,
  invitationsAtOnboarding: 100,
  batch: 1000,
  histogramBuckets: 240,
  redaction: 1000,
  webhookUrl: 2048,
  settingValue: 2048,
  webhookSecret: { min: 16, max: 256 },
} as const;
