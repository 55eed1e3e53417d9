import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { SessionType } from '#/features/providers/contract.ts';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import type { BookingStart, OpenedProps, Opening } from './booking-start.ts';

interface Booking {
  openBooking: (start?: BookingStart) => void;
  isOpen: boolean;
}

const BookingContext = createContext<Booking | null>(null);

/**
 * Opens the booking dialog, after sign-in or as a guest. Also reads `?book={providerId}&service={serviceId}`, so email
 * links can resume a booking.
 */
export function BookingProvider({
  role,
  requireAuth,
  refusal,
  load,
  children,
}: {
  role: Role | null;
  /** Runs now if signed in, otherwise after sign-in or as a guest. */
  requireAuth: (action: 'booking', continuation: (asGuest: boolean) => void, dismissed: () => void) => void;
  refusal: ReactNode;
  /** Loads the booking dialog on demand: most page views book nothing. */
  load: () => Promise<ComponentType<OpenedProps>>;
  children: ReactNode;
}) {
  const [start, setStart] = useState<Opening | null>(null);
  const [open, setOpen] = useState(false);
  const [Opened, setOpened] = useState<ComponentType<OpenedProps> | null>(null);

  const openBooking = useCallback(
    (next: BookingStart = {}) => {
      writeAddress(next);
      requireAuth(
        'booking',
        (asGuest) => {
          writeAddress(null);
          setStart((last) => ({ ...next, asGuest, opening: (last?.opening ?? 0) + 1 }));
          setOpen(true);
          load().then(
            (loaded) => setOpened(() => loaded),
            () => {
              setOpen(false);
              toast.failed(m.booking_opening_failed(), m.web_check_connection());
            },
          );
        },
        () => writeAddress(null),
      );
    },
    [requireAuth, load],
  );

  const { search } = useLocation();
  useEffect(() => {
    const interrupted = readAddress(search);
    if (interrupted) openBooking(interrupted);
    // oxlint-disable-next-line react/exhaustive-deps -- only a new address opens it, not a new function
  }, [search]);

  return (
    <BookingContext value={useMemo(() => ({ openBooking, isOpen: open }), [openBooking, open])}>
      {children}
      {open && !Opened && (
        <p role="status" className="sr-only">
          {m.booking_opening()}
        </p>
      )}
      {Opened && start && (
        <Opened role={role} refusal={refusal} start={start} open={open} onOpenChange={setOpen} />
      )}
    </BookingContext>
  );
}

export function useBooking(): Booking {
  return use(BookingContext)!;
}

function readAddress(search: string): BookingStart | null {
  const params = new URLSearchParams(search);
  if (!params.has('book')) return null;
  const startsAt = params.get('start') ?? '';
  const durationMinutes = Number(params.get('minutes'));
  return {
    providerId: params.get('book') || undefined,
    serviceId: params.get('service') || undefined,
    startsAt: Number.isNaN(Date.parse(startsAt)) ? undefined : startsAt,
    durationMinutes: Number.isInteger(durationMinutes) && durationMinutes > 0 ? durationMinutes : undefined,
    sessionType: sessionTypes.find((one) => one === params.get('meet')),
  };
}

const sessionTypes: readonly SessionType[] = ['online', 'phone', 'in-person'];

/**
 * Keeps the pending booking in the URL during sign-in, so the verification email can return here. Bypasses the router
 * since the page stays the same.
 */
function writeAddress(start: BookingStart | null): void {
  const url = new URL(window.location.href);
  for (const name of ['book', 'service', 'start', 'minutes', 'meet']) url.searchParams.delete(name);
  if (start) {
    const { providerId, serviceId, startsAt, durationMinutes, sessionType } = start;
    url.searchParams.set('book', providerId ?? '');
    const rest = { service: serviceId, start: startsAt, minutes: durationMinutes, meet: sessionType };
    for (const [name, value] of Object.entries(rest))
      if (value !== undefined) url.searchParams.set(name, String(value));
  }
  window.history.replaceState(window.history.state, '', url);
}
