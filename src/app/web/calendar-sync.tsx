import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CalendarPlus, Copy } from 'lucide-react';
import { useId, useRef, useState, type Ref } from 'react';
import { flushSync } from 'react-dom';
import { accountFailureText } from '#/features/accounts/ui/failure-text.ts';
import { dateText, timeText } from '#/web/times.ts';
import { useOwnZone } from '#/web/own-zone.tsx';
import { m } from '#/texts/messages.js';
import { useLiveQueries, api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Button } from '#/web/components/button.tsx';
import { Dialog } from '#/web/components/dialog.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { Field, TextInput } from '#/web/components/field.tsx';
import { FailureAlert, Notice } from '#/web/components/notice.tsx';
import { toast } from '#/web/components/toast.tsx';

type OpenDialog = 'again' | 'off' | null;

export function CalendarSync({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={m.feed_title()}
      description={m.feed_settings_text()}
    >
      <Address />
    </Dialog>
  );
}

function Address() {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<OpenDialog>(null);
  const [made, setMade] = useState<{ url: string; madeAt: string } | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const start = useRef<HTMLButtonElement>(null);
  const key = api.appointments.feed.mine.queryKey();
  useLiveQueries(key, 'calendar_feed.changed');
  // Refetched on open, since the last-read time changes outside the page.
  const query = useQuery({ ...api.appointments.feed.mine.queryOptions(), refetchOnMount: 'always' });
  const make = useMutation({
    mutationFn: () => api.appointments.feed.make.call({}),
    // The secret URL is shown once and never cached.
    gcTime: 0,
    onSuccess: async ({ path, ...feed }) => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData(key, feed);
      flushSync(() => {
        setAsked(null);
        setMade({ url: new URL(path, window.location.origin).href, madeAt: feed.madeAt });
      });
      // Waits until the confirmation dialog has restored focus.
      setTimeout(() => field.current?.focus());
      toast.done(m.feed_made_done());
    },
  });
  const revoke = useMutation({
    mutationFn: () => api.appointments.feed.revoke.call({}),
    onSuccess: async () => {
      await queries.cancelQueries({ queryKey: key });
      queries.setQueryData(key, null);
      flushSync(() => {
        setAsked(null);
        setMade(null);
      });
      setTimeout(() => start.current?.focus());
      toast.done(m.feed_off_done());
    },
  });
  const failed = make.error ?? revoke.error;
  const ask = (next: OpenDialog) => {
    make.reset();
    revoke.reset();
    setAsked(next);
  };
  const failure = failed && <FailureAlert className="mt-4" text={accountFailureText(failed)} />;
  return (
    <>
      <p className="mb-5 max-w-reading">{m.feed_discreet()}</p>
      <Fetched query={query} failure={m.feed_load_failed()}>
        {(feed) =>
          feed === null ? (
            <>
              <Button ref={start} busy={make.isPending} onClick={() => make.mutate()}>
                <CalendarPlus aria-hidden />
                {m.feed_make()}
              </Button>
              {asked === null && failure}
            </>
          ) : (
            <>
              {/* Another window may have replaced the feed. */}
              {made?.madeAt === feed.madeAt ? <Shown ref={field} url={made.url} /> : <Kept {...feed} />}
              <div className="mt-4 flex flex-wrap gap-2">
                <Button variant="secondary" onClick={() => ask('again')}>
                  {m.feed_again()}
                </Button>
                <Button variant="quiet" onClick={() => ask('off')}>
                  {m.web_turn_off()}
                </Button>
              </div>
            </>
          )
        }
      </Fetched>
      <How />
      <AlertDialog
        open={asked !== null}
        onOpenChange={(open) => {
          if (!open) ask(null);
        }}
        title={asked === 'off' ? m.feed_off_title() : m.feed_again_title()}
        description={asked === 'off' ? m.feed_off_text() : m.feed_again_text()}
        confirmLabel={asked === 'off' ? m.feed_off_confirm() : m.feed_again()}
        busy={make.isPending || revoke.isPending}
        onConfirm={() => (asked === 'off' ? revoke.mutate() : make.mutate())}
      >
        {failure}
      </AlertDialog>
    </>
  );
}

function Shown({ ref, url }: { ref: Ref<HTMLInputElement>; url: string }) {
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () => toast.done(m.web_link_copied()),
      () => toast.failed(m.web_link_copy_failed(), m.feed_copy_failed_text()),
    );
  return (
    <>
      <Notice title={m.feed_secret_title()} className="mb-4">
        {m.feed_secret_text()}
      </Notice>
      <Field label={m.feed_address()}>
        <TextInput
          ref={ref}
          readOnly
          value={url}
          autoComplete="off"
          onFocus={({ target }) => target.select()}
          className="font-mono text-sm!"
        />
      </Field>
      <div className="mt-3 grid gap-2 sm:grid-cols-2">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          {m.feed_copy()}
        </Button>
        <a
          href={url.replace(/^https?:/, 'webcal:')}
          rel="noreferrer"
          className="inline-flex min-h-11 items-center justify-center gap-2 rounded-control border border-control bg-card px-5 py-2 text-center font-semibold text-ink no-underline hover:bg-sunken"
        >
          {m.feed_open()}
        </a>
      </div>
    </>
  );
}

function Kept({ madeAt, readAt }: { madeAt: string; readAt: string | null }) {
  const zone = useOwnZone();
  return (
    <Notice tone="success" title={m.feed_on()}>
      <p>{m.feed_on_made({ date: dateText(madeAt, zone) })}</p>
      <p>
        {readAt
          ? m.feed_on_read({ date: dateText(readAt, zone), time: timeText(readAt, zone) })
          : m.feed_on_unread()}
      </p>
      <p className="mt-1 text-sm">{m.feed_hidden()}</p>
    </Notice>
  );
}

function How() {
  const id = useId();
  const programs = [
    [m.booking_calendar_google(), m.feed_how_google()],
    [m.feed_how_apple_name(), m.feed_how_apple()],
    [m.feed_how_outlook_name(), m.feed_how_outlook()],
  ] as const;
  return (
    <section aria-labelledby={id} className="mt-6 border-t border-line pt-5">
      <h3 id={id} className="font-serif text-lg font-semibold">
        {m.feed_how()}
      </h3>
      <dl className="mt-2 grid gap-3">
        {programs.map(([name, text]) => (
          <div key={name}>
            <dt className="font-semibold">{name}</dt>
            <dd className="text-quiet">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-quiet">{m.feed_how_often()}</p>
    </section>
  );
}
