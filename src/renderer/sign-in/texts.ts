export const PASSKEY_SIGN_IN = {
  withPasskey: 'Sign in with a passkey',
  notAtAddress:
    'Passkeys do not work at {host}, because browsers tie passkeys to a domain name and not to an IP address. {advice}',
  openDomain: 'Open Countersign under its domain name to use them.',
  openAt: 'Open {link} in a browser and sign in there.',
  title: 'Second step',
  explained: 'Your password is right. This account also needs its passkey.',
  usePasskey: 'Use passkey',
  back: 'Back',
} as const;

export const PROVIDER_BUTTONS = {
  signInWith: (name: string) => `Sign in with ${name}`,
} as const;

export const SIGN_IN_FORM = {
  title: 'Sign in',
  eMailAddress: 'E-mail address',
  password: 'Password',
} as const;
