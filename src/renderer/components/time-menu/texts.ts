/** Texts of the workspace's time: its range and its zone. */
export const TIME_MENU = {
  anyTime: 'Any time',
  from: (time: string) => `From ${time}`,
  before: (time: string) => `Before ${time}`,
  clear: 'Clear the time range',
  time: 'Time',
  presets: 'Presets',
  between: 'Between two times',
  issuedFrom: (zone: string) => `Issued from (${zone})`,
  fromExample: '10:00 or -15m',
  example: (forms: string) => `For example ${forms}`,
  issuedBefore: (zone: string) => `Issued before (${zone})`,
  beforeExample: 'now',
  applyTimes: 'Apply times',
} as const;

export const ZONE_PICKER = {
  zone: 'Time zone',
  named: (zone: string, offset: string) => `${zone}, now ${offset}`,
  ofMachine: (zone: string) => `${zone} (this computer)`,
  another: 'Another time zone',
  example: 'Europe/Berlin',
  use: 'Use time zone',
  unknown: (name: string) => `There is no time zone “${name}”. Type a name of the IANA list, such as Europe/Berlin.`,
} as const;

export const TIME_PRESETS = {
  last15Minutes: 'Last 15 minutes',
  lastHour: 'Last hour',
  last24Hours: 'Last 24 hours',
  last7Days: 'Last 7 days',
  today: 'Today',
  yesterday: 'Yesterday',
} as const;
