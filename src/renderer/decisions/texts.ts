export const KEY_STORE = {
  needsHttps: 'To decide here, open this page over HTTPS, or on the machine that the service runs on.',
} as const;

export const QUESTION = {
  inputIncomplete: 'The whole input is not in this record, so nobody can say here what they approve.',
  presentedIncomplete: 'What the agent presents is not in this record as a whole.',
} as const;
