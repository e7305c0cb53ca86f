export const SIGN_REPORT = {
  keyGone:
    'This browser no longer has a key of yours. Nothing was signed or saved: create a key, or save the report unsigned.',
  otherReport: 'The service prepared another report than the one you asked for. Nothing was signed or saved.',
} as const;
