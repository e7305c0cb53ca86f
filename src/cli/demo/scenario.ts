import type { DemoAction } from './action.ts';

/** Guests of a small hotel, and what two agents do for them: enough to see chains, several scripts, and kinds of values. */
const GUESTS = [
  { name: 'Ines Carvalho', room: 12, nights: 3, rate: 118.5, currency: 'EUR' },
  { name: 'Γιώργος Παππάς', room: 7, nights: 1, rate: 96, currency: 'EUR' },
  { name: '山田 花子', room: 21, nights: 5, rate: 14_200, currency: 'JPY' },
  { name: 'Олена Шевчук', room: 3, nights: 2, rate: 101.25, currency: 'EUR' },
  { name: 'Søren Ø. Dahl', room: 15, nights: 4, rate: 820, currency: 'DKK' },
  { name: 'أمينة بن علي', room: 9, nights: 2, rate: 310.75, currency: 'MAD' },
] as const;

/** The demonstration's own actions, the same every time. */
export function scenario(): DemoAction[] {
  return GUESTS.flatMap((guest, index): DemoAction[] => {
    const reservation = `reservation/${1001 + index}`;
    const total = Math.round(guest.nights * guest.rate * 100) / 100;
    return [
      {
        agentId: 'front-desk',
        operationType: 'reservation.create',
        subject: reservation,
        action: 'create',
        payload: { guest: guest.name, room: guest.room, nights: guest.nights, requested_by: 'guest' },
      },
      {
        agentId: 'housekeeping',
        operationType: 'room.prepare',
        subject: `room/${guest.room}`,
        action: 'prepare',
        payload: { reservation, tasks: ['linen', 'towels', index % 2 === 0 ? 'window' : 'minibar'], done: true },
      },
      {
        agentId: 'billing',
        operationType: 'invoice.issue',
        subject: reservation,
        action: 'issue',
        payload: {
          lines: [{ text: `${guest.nights} × room`, amount: total }],
          total,
          currency: guest.currency,
          discount: null,
        },
      },
      {
        agentId: 'front-desk',
        operationType: 'reservation.confirm',
        subject: reservation,
        action: 'confirm',
        payload: { total, currency: guest.currency, language: ['pt', 'el', 'ja', 'uk', 'da', 'ar'][index] ?? 'en' },
      },
    ];
  });
}
