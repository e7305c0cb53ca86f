export const SIZES = { bytes: 'bytes' } as const;

export const REMAINING = {
  seconds: (seconds: number) => `${seconds} s left`,
  minutes: (minutes: number) => `${minutes} min left`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min left`,
} as const;

export const TIMES = {
  local: '(local)',
  label: 'Times',
  inUtc: 'Times in UTC',
  inLocal: 'Times in local time',
} as const;

export const READ_TIME = {
  forms: '10:00, yesterday 14:30, 2026-11-21 10:00 or -15m',
  notATime: (timeForms: string) => `Not a date or time. Try ${timeForms}.`,
} as const;

export const WAY = {
  verdict: 'Verdict',
  chainMore: (more: string) => `Chain of ${more}`,
  epoch: 'Epoch',
  comparison: 'Comparison',
  search: 'Search',
  dashboard: 'Dashboard',
  epochs: 'Epochs',
  session: 'Session',
  entities: 'Entities',
  difference: 'Difference',
  adminEvents: 'Admin log',
} as const;
