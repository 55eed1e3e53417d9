import { can } from '#/features/access/rules.ts';
import { DataProvider } from '#/web/api.tsx';
import { BookDialog } from './book-dialog.tsx';
import type { OpenedProps } from './booking-start.ts';
import type { BookingParts } from './parts.ts';
import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Dialog } from '#/web/components/dialog.tsx';

/** Shows the booking dialog, or why this account can't book. Unmounts on sign-out. */
export function BookingOpened({
  role,
  refusal,
  start: { opening, asGuest, ...begun },
  open,
  onOpenChange,
  parts,
}: OpenedProps & { parts: BookingParts }) {
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
      <BookDialog
        key={opening}
        asGuest={!role}
        open={open}
        onOpenChange={onOpenChange}
        parts={parts}
        {...begun}
      />
    </DataProvider>
  );
}

function BookingRefusal({
  open,
  onOpenChange,
  children,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={m.booking_gate_title()} size="sm">
      {children}
      <p className="mt-3 text-quiet">{m.booking_gate_text()}</p>
    </Dialog>
  );
}
