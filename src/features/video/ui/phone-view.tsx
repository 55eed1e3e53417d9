import { Copy, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { LampIllustration } from '#/web/components/illustrations/lamp.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useHydrated } from '#/web/hydrated.ts';
import type { SessionPage } from '../contract.ts';
import { MeetingFrame } from './meeting-frame.tsx';

const waitMinutes = 10;

export function PhoneView({ page, actions }: { page: SessionPage; actions: ReactNode }) {
  return (
    <MeetingFrame
      page={page}
      title={m.video_call_title()}
      illustration={<LampIllustration />}
      actions={actions}
    >
      <Call page={page} />
    </MeetingFrame>
  );
}

function Call({ page }: { page: SessionPage }) {
  const { phone, part, provider, others, startsAt, timeZone } = page;
  const client = others.find((other) => other.part === 'client')?.name ?? page.ownName;
  const time = timeText(startsAt, timeZone);
  const late = timeText(new Date(Date.parse(startsAt) + waitMinutes * 60_000).toISOString(), timeZone);
  const calls = part === 'provider';
  if (calls && phone.number === null) {
    return (
      <Card as="section" className="mt-6">
        <h2 className="text-xl">{m.video_call_no_number({ name: client })}</h2>
        <p className="mt-1.5 text-quiet">{m.video_call_no_number_text({ name: client })}</p>
      </Card>
    );
  }
  return (
    <>
      <Card as="section" className="mt-6">
        {calls ? (
          <>
            <h2 className="text-xl">{m.video_call_you({ name: client, time })}</h2>
            <Number number={phone.number!} name={client} />
          </>
        ) : (
          <>
            <h2 className="text-xl">
              {part === 'guest'
                ? m.video_call_guest({ caller: provider.name, name: client, time })
                : m.video_call_wait({ name: provider.name, time })}
            </h2>
            <p className="mt-2 text-quiet">
              {part === 'guest'
                ? m.video_call_guest_text({ name: others.find((one) => one.part === 'client')?.name ?? '' })
                : phone.number
                  ? m.video_call_wait_text({ number: phone.number })
                  : m.video_call_wait_unknown({ name: provider.name })}
            </p>
          </>
        )}
      </Card>
      <section className="mt-6">
        <h2 className="text-lg">{calls ? m.video_call_unanswered() : m.video_call_silent({ time: late })}</h2>
        <p className="mt-1 text-quiet">
          {calls
            ? m.video_call_unanswered_text({ time: late })
            : part === 'guest'
              ? m.video_call_silent_guest()
              : m.video_call_silent_text({ name: provider.name })}
        </p>
      </section>
    </>
  );
}

function Number({ number, name }: { number: string; name: string }) {
  const hydrated = useHydrated();
  const copy = async () => {
    await navigator.clipboard.writeText(number).then(
      () => toast.done(m.video_call_copied()),
      () => toast.failed(m.video_call_copy_failed()),
    );
  };
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-3">
      <a
        href={`tel:${number.replace(/[^+\d]/g, '')}`}
        aria-label={m.video_call_number({ name, number })}
        className="inline-flex min-h-14 min-w-0 items-center gap-3 rounded-control font-serif text-2xl font-semibold break-all text-primary tabular-nums hover:underline sm:text-3xl"
      >
        <Phone aria-hidden className="size-7 shrink-0" />
        {number}
      </a>
      <Button variant="secondary" size="sm" disabled={!hydrated} onClick={() => void copy()}>
        <Copy aria-hidden />
        {m.video_call_copy()}
      </Button>
    </div>
  );
}
