import { Phone } from 'lucide-react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import type { SessionPage } from '../contract.ts';

export function PhoneDialog({
  page,
  open,
  onOpenChange,
  onLeave,
}: {
  page: SessionPage;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onLeave: () => void;
}) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={m.video_phone()}
      size="sm"
      footer={
        <>
          <Button variant="secondary" onClick={() => onOpenChange(false)}>
            {m.video_phone_stay()}
          </Button>
          <Button
            onClick={() => {
              onOpenChange(false);
              onLeave();
            }}
          >
            {m.video_phone_leave()}
          </Button>
        </>
      }
    >
      <PhoneLine page={page} />
      <p className="mt-4 text-quiet">{m.video_phone_told()}</p>
    </Dialog>
  );
}

/** Only the caller sees the number. */
export function PhoneLine({ page: { phone, part, provider, others } }: { page: SessionPage }) {
  const client = others.find((other) => other.part === 'client')?.name ?? '';
  const called = phone.caller === 'provider' ? client : provider.name;
  if (phone.number !== null) {
    return (
      <>
        <p>{m.video_phone_call({ name: called })}</p>
        <a
          href={`tel:${phone.number.replace(/[^+\d]/g, '')}`}
          className="mt-2 inline-flex min-h-11 items-center gap-2 text-lg font-semibold text-primary underline"
        >
          <Phone aria-hidden className="size-5" />
          {phone.number}
        </a>
      </>
    );
  }
  if (part === phone.caller) return <p>{m.video_phone_none({ name: called })}</p>;
  const caller = phone.caller === 'provider' ? provider.name : client;
  if (part === 'guest') return <p>{m.video_phone_guest({ caller, name: called })}</p>;
  return <p>{m.video_phone_wait({ name: caller })}</p>;
}
