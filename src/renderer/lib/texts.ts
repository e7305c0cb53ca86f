export const SIZES = { bytes: 'bytes' } as const;

export const REMAINING = {
  seconds: (seconds: number) => `${seconds} s left`,
  minutes: (minutes: number) => `${minutes} min left`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min left`,
} as const;

export const READ_TIME = {
  forms: '10:00, yesterday 14:30, 2026-11-21 10:00 or -15m',
  notATime: (timeForms: string) => `Not a date or time. Try ${timeForms}.`,
  skipped: (typed: string, zone: string) => `Clocks of ${zone} skip “${typed}”. Type a time before or after that.`,
  twice: (typed: string, zone: string, first: string, later: string) =>
    `Clocks of ${zone} show “${typed}” twice. Type ${first} behind the time for the first, ${later} for the later one.`,
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
