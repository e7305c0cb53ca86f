export const CALL = {
  notJson: (name: string) => `${name} has no answer in JSON.`,
  badAnswer: (place: string) => `The answer of the service does not have the expected form${place}.`,
  unreachable: 'The service cannot be reached. Check that it is running.',
  notJsonStatus: (status: number) => `The service answered ${status} with something that is not JSON.`,
  status: (status: number) => `The service answered ${status}.`,
} as const;

export const DESKTOP = {
  browser: 'Browser',
  desktop: (more: string, platform: string) => `Desktop, Electron ${more} on ${platform}`,
  unknownVersion: 'of unknown version',
} as const;

export const PASSKEYS = {
  cancelled: 'The passkey was not used: the request was cancelled or took too long. Try again.',
  registered: 'This passkey is already registered for your account.',
} as const;

export const PASSWORD_ADVICE = {
  veryWeak: 'Very weak: attackers try this password among the first.',
  weak: 'Weak: attackers guess this quickly.',
  fair: 'Fair: add another word.',
  good: 'Good: hard to guess.',
  strong: 'Strong: very hard to guess.',
} as const;

export const PERMISSION = {
  signedOut: 'Sign in first.',
  standby: 'This node is a standby: do this on the active node.',
  needsRole: (role: string) => `This needs the role “${role}”`,
  noOrganization: (needed: string) => `${needed}, and you belong to no organization yet.`,
  separated: (part: string, role: string) =>
    `Your organization separates duties: this is for ${part}; yours is “${role}”.`,
  yourRole: (needed: string, role: string) => `${needed}; yours is “${role}”.`,
} as const;

export const UPLOAD = {
  cut: 'The service accepted no more of the file, or was stopped. Try again.',
  uploadCancelled: 'The upload was cancelled.',
} as const;

export const USE_END_NOTICE = {
  ended: (outcome: string) => `Finished: ${outcome}.`,
} as const;

export const ROLE_NAMES = {
  readonly_investigator: 'readonly investigator',
  integration_engineer: 'integration engineer',
  compliance_auditor: 'compliance auditor',
  security_admin: 'security admin',
  org_owner: 'org owner',
} as const;
