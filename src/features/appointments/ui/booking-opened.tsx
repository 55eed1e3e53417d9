import type { ReactNode } from 'react';
import { can } from '#/features/access/rules.ts';
import type { Role } from '#/kernel/actor.ts';
import { DataProvider } from '#/web/api.tsx';
import { BookDialog } from './book-dialog.tsx';
import { BookingRefusal } from './booking-refusal.tsx';
import type { Opening } from './booking-start.ts';

/** Shows the booking dialog, or why this account can't book. Unmounts on sign-out. */
export function BookingOpened({
  role,
  refusal,
  start: { opening, asGuest, ...begun },
  open,
  onOpenChange,
}: {
  role: Role | null;
  refusal: ReactNode;
  start: Opening;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  if (!role && !asGuest) return null;
  if (role && !can(role, 'book_appointments')) {
    return (
      <BookingRefusal open={open} onOpenChange={onOpenChange}>
        {refusal}
      </BookingRefusal>
    );
  }
  return (
    <DataProvider>
      <BookDialog key={opening} asGuest={!role} open={open} onOpenChange={onOpenChange} {...begun} />
    </DataProvider>
  );
}
