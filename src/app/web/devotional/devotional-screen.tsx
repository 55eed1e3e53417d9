import { ArrowLeft, ArrowRight, Printer, Share2, Check, Sunrise } from 'lucide-react';
import { Link } from 'react-router';
import { useState } from 'react';
import type { Devotional, DevotionalHead } from '#/features/growth/devotionals/contract.ts';
import { dayText } from '#/features/growth/devotionals/rules.ts';
import { DevotionalArticle } from '#/features/growth/ui/devotional-article.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { classes } from '#/web/components/classes.ts';
import { Container } from '#/web/components/page.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { Card } from '#/web/components/card.tsx';
import { failureText } from '#/web/failures.ts';

export function DevotionalScreen({
  devotional,
  subscribed,
  isToday,
}: {
  devotional: Devotional;
  subscribed: boolean;
  isToday: boolean;
}) {
  return (
    <Container className="py-8 sm:py-14">
      <DevotionalArticle
        devotional={devotional}
        isToday={isToday}
        actions={<Actions devotional={devotional} />}
      />
      <div className="mx-auto mt-10 grid max-w-reading gap-10 print:hidden">
        <SubscribeCard subscribed={subscribed} />
        <nav aria-label={m.devotional_other_days()}>
          <div className="grid gap-3 sm:grid-cols-2">
            <Neighbour to={devotional.previous} label={m.web_previous_day()} rel="prev" />
            <Neighbour to={devotional.next} label={m.web_next_day()} rel="next" />
          </div>
          {!isToday && (
            <p className="mt-3 text-center">
              <Link
                to="/devotional"
                className="inline-flex min-h-11 items-center font-semibold text-primary hover:underline"
              >
                {m.home_devotional()}
              </Link>
            </p>
          )}
        </nav>
      </div>
    </Container>
  );
}

function Neighbour({ to, label, rel }: { to: DevotionalHead; label: string; rel: 'prev' | 'next' }) {
  const Arrow = rel === 'prev' ? ArrowLeft : ArrowRight;
  return (
    <Link
      to={`/devotional/${to.day}`}
      rel={rel}
      className={classes(
        'flex items-center gap-3 rounded-card border border-line bg-card px-4 py-3 shadow-soft hover:bg-sunken',
        rel === 'next' && 'flex-row-reverse text-right',
      )}
    >
      <Arrow aria-hidden className="size-5 shrink-0 text-primary" />
      <span className="min-w-0 flex-1">
        <span className="block text-sm text-quiet">
          {label} · {dayText(to.day)}
        </span>
        <span className="block font-semibold break-words">{to.title}</span>
      </span>
    </Link>
  );
}

function Actions({ devotional: { day, title, reference } }: { devotional: Devotional }) {
  const share = async () => {
    const url = new URL(`/devotional/${day}`, window.location.href).href;
    // Dismissing the native share sheet isn't an error.
    if ('share' in navigator) {
      await navigator
        .share({ title, text: m.devotional_share_text({ title, reference }), url })
        .catch(() => undefined);
      return;
    }
    await (navigator as Navigator).clipboard.writeText(url).then(
      () => toast.done(m.web_link_copied()),
      () => toast.failed(m.web_link_copy_failed(), m.devotional_copy_failed_text()),
    );
  };
  return (
    <div className="mt-6 flex flex-wrap gap-2 print:hidden">
      <Button variant="secondary" onClick={() => void share()}>
        <Share2 aria-hidden />
        {m.devotional_share()}
      </Button>
      <Button variant="quiet" onClick={() => window.print()}>
        <Printer aria-hidden />
        {m.devotional_print()}
      </Button>
    </div>
  );
}

/** Public pages don't bundle the API client. */
async function savePreference(dailyDevotionals: boolean): Promise<void> {
  const { api } = await import('#/web/api.tsx');
  await api.accounts.updatePreferences.call({ dailyDevotionals });
}

function SubscribeCard({ subscribed }: { subscribed: boolean }) {
  const { viewer, site, refresh } = useSession();
  const { requireAuth } = useAuthRequired();
  const [busy, setBusy] = useState(false);

  const wish = async (on: boolean) => {
    setBusy(true);
    try {
      await savePreference(on);
      await refresh();
      toast.done(on ? m.devotional_subscribed_toast() : m.devotional_stopped_toast());
    } catch (error) {
      toast.failed(m.web_save_failed(), failureText(error));
    } finally {
      setBusy(false);
    }
  };

  if (!site.flags.includes('wellness_tracking')) return null;
  const on = viewer !== null && subscribed;
  return (
    <Card as="section" aria-labelledby="devotional-mail" className="flex gap-4 max-sm:flex-col">
      <Sunrise aria-hidden className="size-8 shrink-0 text-gold-edge" />
      <div className="min-w-0 flex-1">
        <h2 id="devotional-mail" className="text-xl">
          {m.devotional_subscribe_title()}
        </h2>
        {on ? (
          <p className="mt-1 flex items-start gap-2">
            <Check aria-hidden className="mt-1 size-4.5 shrink-0 text-sage" />
            <span className="min-w-0 break-words">
              {viewer.emailVerified
                ? m.devotional_subscribed({ email: viewer.email })
                : m.devotional_subscribed_unverified({ email: viewer.email })}
            </span>
          </p>
        ) : (
          <p className="mt-1 text-quiet">{m.devotional_subscribe_text()}</p>
        )}
        {/* One button for both states keeps keyboard focus. */}
        <Button
          variant={on ? 'secondary' : 'primary'}
          busy={busy}
          className="mt-4 max-sm:w-full"
          onClick={() => (on ? void wish(false) : requireAuth('save', () => void wish(true)))}
        >
          {on ? m.devotional_stop() : m.devotional_subscribe()}
        </Button>
      </div>
    </Card>
  );
}
