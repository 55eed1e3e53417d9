import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { ConfirmDialog } from '#/web/components/confirm-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Card, Section } from '#/web/components/card.tsx';
import { LoadFailed } from '#/web/components/fetched.tsx';
import { VisuallyHidden } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { lazyPart } from '#/web/lazy-part.tsx';
import type { AppointmentView } from '#/features/appointments/appointment/contract.ts';
import type { WaitView } from '../contract.ts';
import { useBooking } from '#/features/appointments/ui/booking-launcher.tsx';
import { appointmentFailure } from '#/features/appointments/ui/failure-text.ts';
import { sessionTypeText } from '#/features/appointments/ui/session-texts.ts';
import { preferencesText, whenText } from './wait-texts.ts';
import { useWaits } from './waits.ts';

const WaitDialog = lazyPart(async () => (await import('./wait-dialog.tsx')).WaitDialog);
const RescheduleDialog = lazyPart(
  async () => (await import('#/features/appointments/ui/reschedule-dialog.tsx')).RescheduleDialog,
);

export function WaitingList({ timeZone, className }: { timeZone: string; className?: string }) {
  const waits = useWaits();
  const { openBooking } = useBooking();
  const move = useMoveToFreeTime();
  // Kept for the closing animation.
  const [opened, setOpened] = useState<WaitView | null>(null);
  const [dialog, setDialog] = useState<'change' | 'give_up' | null>(null);
  const start = (wait: WaitView, next: 'change' | 'give_up') => {
    setOpened(wait);
    setDialog(next);
  };
  const close = (open: boolean) => {
    if (!open) setDialog(null);
  };
  const list = waits.data ?? [];
  if (list.length === 0 && !opened && !waits.isError) return null;
  if (waits.data === undefined) {
    return <LoadFailed title={m.waitlist_failed()} query={waits} className={className} />;
  }
  return (
    <>
      {list.length > 0 && (
        <Section title={m.waitlist_mine()} titleClassName="mb-3 text-xl" focusable className={className}>
          <Card as="div" className="px-4! py-1! sm:px-5!">
            <ul className="divide-y divide-line">
              {list.map((wait) => (
                <li
                  key={wait.id}
                  className="flex flex-wrap items-center justify-between gap-x-4 py-2 sm:grid sm:grid-cols-[minmax(0,1fr)_auto]"
                >
                  <h3 className="min-w-0 font-sans text-base font-semibold break-words">
                    {wait.provider.name}
                  </h3>
                  <div className="-mr-3.5 flex flex-wrap gap-1 sm:row-span-2">
                    <Button variant="quiet" size="sm" onClick={() => start(wait, 'change')}>
                      <span>
                        {m.web_change()}
                        <VisuallyHidden>
                          : {m.waitlist_change_of({ name: wait.provider.name })}
                        </VisuallyHidden>
                      </span>
                    </Button>
                    <Button variant="quiet" size="sm" onClick={() => start(wait, 'give_up')}>
                      <span>
                        {m.waitlist_give_up()}
                        <VisuallyHidden>
                          : {m.waitlist_give_up_of({ name: wait.provider.name })}
                        </VisuallyHidden>
                      </span>
                    </Button>
                  </div>
                  <div className="min-w-0 basis-full">
                    <p>
                      {wait.appointment
                        ? m.waitlist_earlier_than({ when: whenText(wait.appointment.startsAt, timeZone) })
                        : m.waitlist_new({ service: wait.service.title, minutes: wait.durationMinutes })}
                    </p>
                    <p className="text-sm text-quiet">
                      {sessionTypeText(wait.sessionType)} · {preferencesText(wait.wishes)}
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        </Section>
      )}
      {opened && (
        <WaitDialog
          key={opened.id}
          open={dialog === 'change'}
          onOpenChange={close}
          wanted={{
            provider: opened.provider,
            serviceId: opened.service.id,
            durationMinutes: opened.durationMinutes,
            types: [opened.sessionType],
            appointment: opened.appointment,
          }}
          timeZone={timeZone}
          onFree={(startsAt) => {
            const { provider, service, durationMinutes, sessionType } = opened;
            if (opened.appointment) move.open(opened, startsAt);
            else
              openBooking({
                providerId: provider.id,
                serviceId: service.id,
                startsAt,
                durationMinutes,
                sessionType,
              });
          }}
        />
      )}
      {move.chosen && <RescheduleDialog key={move.chosen.chosen} {...move.chosen} timeZone={timeZone} />}
      {opened && <GiveUpQuestion open={dialog === 'give_up'} onOpenChange={close} wait={opened} />}
    </>
  );
}

function useMoveToFreeTime() {
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<{ appointment: AppointmentView; chosen: string } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const open = async ({ appointment, provider: { name } }: WaitView, start: string) => {
    try {
      const input = { appointmentId: appointment!.id };
      const found = await queries.query(api.appointments.get.queryOptions({ input }));
      setChosen({ appointment: found, chosen: start });
      setOpen(true);
    } catch (error) {
      const { title, text } = appointmentFailure(error, { name, existing: true });
      toast.failed(title, text);
    }
  };
  return {
    open: (wait: WaitView, start: string) => void open(wait, start),
    chosen: chosen && { ...chosen, open: isOpen, onOpenChange: setOpen },
  };
}

function GiveUpQuestion({
  open,
  onOpenChange,
  wait: { id, provider, appointment },
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  wait: WaitView;
}) {
  const queries = useQueryClient();
  const { name } = provider;
  const leave = useMutation({
    mutationFn: () => api.waitlist.leave.call({ waitId: id }),
    onSuccess: () => {
      onOpenChange(false);
      toast.done(m.waitlist_given_up());
    },
    onSettled: (_, error) => {
      if (!error || isRefusal(error)) void queries.invalidateQueries({ queryKey: api.waitlist.key() });
    },
  });
  return (
    <ConfirmDialog
      open={open}
      act={leave}
      failure={(error) => appointmentFailure(error, { name, existing: true })}
      onClose={() => onOpenChange(false)}
      title={m.waitlist_give_up_title()}
      description={appointment ? m.waitlist_give_up_text_move({ name }) : m.waitlist_give_up_text({ name })}
      confirmLabel={m.waitlist_give_up_confirm()}
      cancelLabel={m.waitlist_give_up_back()}
      onConfirm={() => leave.mutate()}
    />
  );
}
