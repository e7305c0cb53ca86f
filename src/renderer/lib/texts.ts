export const SIZES = { bytes: 'bytes' } as const;

export const REMAINING = {
  seconds: (seconds: number) => `${seconds} s left`,
  minutes: (minutes: number) => `${minutes} min left`,
  hours: (hours: number, minutes: number) => `${hours} h ${minutes} min left`,
} as const;

export const TIMES = { local: '(local)' } as const;
