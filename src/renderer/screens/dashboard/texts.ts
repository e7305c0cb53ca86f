/** Texts of the dashboard. */
export const DASHBOARD = {
  ledgerAndService: 'Ledger and service',
  viewOperations: 'View operations',
  viewEpochs: 'View epochs',
  viewRefusals: 'View refusals',
  allSessions: 'View all sessions',
  allTroubles: 'View all',
  neverVerified: 'Not verified yet.',
  nothingSealed: 'No epoch yet. New records are sealed within a minute.',
  health: { ok: 'Working' } as Readonly<Record<string, string>>,
  was: (status: string) => `was ${status}`,
  usualDay: 'line: usual day',
  noSession: 'No session yet. Records that name a session appear here.',
  noTrouble: 'No call failed or was refused.',
  noMarks: 'Nothing unusual.',
  noAgents: 'No agent has recorded anything yet.',
  sample: 'Open the sample case',
} as const;
