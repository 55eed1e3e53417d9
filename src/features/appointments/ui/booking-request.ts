import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '#/web/api.tsx';
import { isRefusal } from '#/web/failures.ts';
import { newKey } from '#/web/request-key.ts';
import { refetchAppointments } from './refetch-appointments.ts';

/** Request timeout in milliseconds. */
const patience = 20_000;

/** Sends one booking at a time. Retries keep their key, so they book once. */
export function useBookingRequest<Input extends { idempotencyKey: string }, Answer>(
  send: (input: Input, within: { signal: AbortSignal }) => Promise<Answer>,
  onBooked: (answer: Answer) => void,
) {
  const queries = useQueryClient();
  const [key, setKey] = useState(newKey);
  const sending = useRef(false);
  const mutation = useMutation({
    mutationFn: (input: Input) => send(input, { signal: AbortSignal.timeout(patience) }),
    onSuccess: (answer) => {
      setKey(newKey());
      onBooked(answer);
      void refetchAppointments(queries);
    },
    onError: (error) => {
      if (!isRefusal(error)) return;
      if (error.reason === 'idempotency_key_reused') setKey(newKey());
      void queries.invalidateQueries({ queryKey: api.appointments.freeStarts.key() });
      void queries.invalidateQueries({ queryKey: api.appointments.checkSeries.key() });
      if (error.reason === 'price_changed')
        void queries.invalidateQueries({ queryKey: api.catalogue.services.key() });
      // The error message shows the current advance notice.
      void queries.invalidateQueries({ queryKey: api.settings.site.key() });
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  return {
    ...mutation,
    key,
    /** Up to date even before the next render. */
    isSending: () => sending.current,
    send(input: Input) {
      sending.current = true;
      mutation.mutate(input);
    },
    /** Call on every change, since the error was about the earlier choices. */
    forget() {
      if (mutation.isError) mutation.reset();
    },
  };
}

/** Free times that forget the last error when another one is selected. */
export function clearingError<
  Times extends { chooseDate: (date: string) => void; chooseStart: (start: string) => void },
>(times: Times, forget: () => void): Times {
  return {
    ...times,
    chooseDate(date) {
      forget();
      times.chooseDate(date);
    },
    chooseStart(start) {
      forget();
      times.chooseStart(start);
    },
  };
}
