import { createContext, use, useCallback, useEffect, useMemo, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { useLocation } from 'react-router';
import type { Role } from '#/kernel/actor.ts';
import { m } from '#/texts/messages.js';
import { toast } from '#/web/components/toast.tsx';
import {
  readAddress,
  writeAddress,
  type BookingStart,
  type OpenedProps,
  type Opening,
} from './booking-start.ts';

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
      const show = (asGuest: boolean) => {
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
      };
      if (next.asGuest) return show(true);
      writeAddress(next);
      requireAuth('booking', show, () => writeAddress(null));
    },
    [requireAuth, load],
  );

  const { search } = useLocation();
  const interrupted = JSON.stringify(readAddress(search));
  useEffect(() => {
    const found = JSON.parse(interrupted) as BookingStart | null;
    if (found) openBooking(found);
    // oxlint-disable-next-line react/exhaustive-deps -- only a new address opens it, not a new function
  }, [interrupted]);

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
