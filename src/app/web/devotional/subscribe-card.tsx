import { Check, Sunrise } from 'lucide-react';
import { useState } from 'react';
import type { accountsContract } from '#/features/accounts/contract.ts';
import { useAuthRequired } from '#/features/accounts/ui/auth-required.tsx';
import { useSession } from '#/features/accounts/ui/session.tsx';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { useToast } from '#/web/components/toast.tsx';

/** Public pages don't bundle the API client. */
async function keepWish(dailyDevotionals: boolean): Promise<void> {
  const { createApi } = await import('#/web/api.tsx');
  await createApi<{ accounts: typeof accountsContract }>().accounts.updatePreferences.call({
    dailyDevotionals,
  });
}

export function SubscribeCard({ subscribed }: { subscribed: boolean }) {
  const { viewer, site, refresh } = useSession();
  const { requireAuth } = useAuthRequired();
  const { toast } = useToast();
  const [busy, setBusy] = useState(false);

  const wish = async (on: boolean) => {
    setBusy(true);
    try {
      await keepWish(on);
      await refresh();
      toast({
        tone: 'success',
        title: on ? m.devotional_subscribed_toast() : m.devotional_stopped_toast(),
      });
    } catch {
      toast({
        tone: 'destructive',
        title: m.devotional_failed(),
        description: m.devotional_failed_text(),
      });
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
