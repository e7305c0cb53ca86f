/** Texts of the first screens. */
export const ENTRY = {
  claim: 'Tamper-evident records of what your AI agents do.',
  explanation:
    'Agents sign every action. This service countersigns each one and seals them all. Anybody can check an exported file offline, without trusting whoever keeps the records.',
  ways: 'Where to begin',
  sampleTitle: 'Look at the sample case',
  sampleText: '1,164 actions of four airline agents, with one forged record. See how the check finds the forgery.',
  sampleNote: 'No account. Takes a few seconds.',
  sampleGo: 'Open the sample case',
  recordTitle: 'Start recording an agent',
  recordText:
    'Set up this workstation, then connect the agent that you want on record. Everything stays in one data folder.',
  recordNote: 'Takes about three minutes.',
  recordGo: 'Record a coding agent',
  recordGoHint: 'Claude Code, Codex, Gemini CLI and others',
  registerGo: 'Connect your own agent',
  checkTitle: 'Check a file',
  checkInWindow: 'Somebody gave you an export, a report or a proof. The file is read in this window and sent nowhere.',
  checkAsCase: 'Somebody gave you an export or a report. Check the file and investigate its records as a case.',
  checkNote: 'No account. The file stays on this computer.',
  checkGo: 'Choose a file',
  cases: 'Cases on this workstation',
  signIn: 'Sign in',
  invitation: 'I have an invitation',
  guest: 'Create a guest organization',
  organizationHint: 'Shown in every export and report.',
} as const;
