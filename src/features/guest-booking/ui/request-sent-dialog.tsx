import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { LetterIllustration } from '#/web/components/illustrations/letter.tsx';
import type { RequestSentProps } from '#/features/appointments/ui/parts.ts';
import { ProblemNotice } from '#/features/appointments/ui/problem-notice.tsx';

/** Nothing is booked before the link is opened. */
export function RequestSentDialog({
  open,
  onOpenChange,
  form,
  sentTo,
  onOtherAddress,
  onOtherTime,
}: RequestSentProps) {
  const steps = [m.booking_asked_open(), m.booking_asked_press(), m.booking_asked_keep()];
  const { name, approvesFirst } = form.specialist.data ?? {};
  if (name && approvesFirst) steps.splice(2, 0, m.booking_approves_first({ name }));
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={m.booking_asked_title()}
      footer={
        <>
          <Button variant="quiet" onClick={onOtherAddress}>
            {m.booking_asked_other_address()}
          </Button>
          <Button variant="secondary" busy={form.book.isPending} onClick={form.submit}>
            {m.web_send_again()}
          </Button>
          <Button onClick={() => onOpenChange(false)} className="max-sm:basis-full">
            {m.booking_confirmed_close()}
          </Button>
        </>
      }
    >
      <div aria-hidden className="mx-auto mb-4 w-40">
        <LetterIllustration />
      </div>
      <p role="status" className="text-lg">
        {m.booking_asked_sent()} <strong className="break-words">{sentTo}</strong>.
      </p>
      <ol className="mt-4 grid list-decimal gap-2 pl-6 marker:font-semibold marker:text-quiet">
        {steps.map((step) => (
          <li key={step} className="pl-1">
            {step}
          </li>
        ))}
      </ol>
      <p className="mt-4 text-quiet">{m.booking_asked_nothing()}</p>
      <ProblemNotice
        error={form.book.error}
        about={form.about}
        zone={form.zone}
        className="mt-4"
        onChoose={(start) => {
          form.times.chooseStart(start);
          onOtherTime();
        }}
      />
    </Dialog>
  );
}
