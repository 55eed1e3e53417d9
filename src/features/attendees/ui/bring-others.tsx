import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { lazyPart } from '#/web/lazy-part.tsx';
import { useForSeveral } from './guest-line.tsx';

const GuestDialog = lazyPart(async () => (await import('./guest-dialog.tsx')).GuestDialog);

/** Guests join only a series' first session. */
export function BringOthers({ appointment }: { appointment: AppointmentView }) {
  const [opened, setOpened] = useState(false);
  const [open, setOpen] = useState(false);
  if (!useForSeveral(appointment)) return null;
  return (
    <section aria-labelledby="bring-others" className="mt-6">
      <h3 id="bring-others" className="font-serif text-lg font-semibold">
        {m.guests_after_booking()}
      </h3>
      <p className="mt-0.5 mb-3 text-quiet">{m.guests_after_booking_text()}</p>
      <Button
        variant="secondary"
        onClick={() => {
          setOpened(true);
          setOpen(true);
        }}
      >
        <UserPlus />
        {m.guests_invite()}
      </Button>
      {opened && <GuestDialog open={open} onOpenChange={setOpen} appointmentId={appointment.id} />}
    </section>
  );
}
