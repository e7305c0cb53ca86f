export const SIGN_REPORT = {
  keyGone:
    'This browser no longer has a key of yours. Nothing was signed or saved: create a key, or save the report unsigned.',
  otherReport: 'The service prepared another report than the one you asked for. Nothing was signed or saved.',
} as const;

export const KEY_STORE = {
  needsHttps: 'To use your own key here, open this page over HTTPS, or on the machine that the service runs on.',
} as const;

export const QUESTION = {
  inputIncomplete: 'The whole input is not in this record, so nobody can say here what they approve.',
  presentedIncomplete: 'What the agent presents is not in this record as a whole.',
} as const;
