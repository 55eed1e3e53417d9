import type { ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Dialog } from '#/web/components/dialog.tsx';

export function BookingRefusal({
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
