import type { AskForTime } from '#/features/appointments/ui/book-form.ts';

export const askForTime: AskForTime = (api, input, within) => api.guestBooking.ask.call(input, within);
