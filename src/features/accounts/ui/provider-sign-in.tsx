import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { callIdentity, identityErrorText } from './identity-call.ts';
import { useSite } from './session.tsx';

/** Redirects to one of the site's providers, which returns the browser to `ProviderReturn`. */
export function ProviderSignIn({ next }: { next: () => string }) {
  const { providers } = useSite();
  const [asking, setAsking] = useState<string | null>(null);
  const ask = async (provider: string) => {
    setAsking(provider);
    try {
      const { continueAt } = await callIdentity('/request-provider', { provider, next: next() });
      window.location.assign(continueAt!);
    } catch (error) {
      toast.failed(m.accounts_error_title(), identityErrorText(error));
      setAsking(null);
    }
  };
  return (
    <div className="space-y-2">
      {providers.map(({ id, label }) => (
        <Button
          key={id}
          variant="secondary"
          className="w-full"
          busy={asking === id}
          onClick={() => void ask(id)}
        >
          {m.accounts_provider_continue({ label })}
        </Button>
      ))}
    </div>
  );
}
