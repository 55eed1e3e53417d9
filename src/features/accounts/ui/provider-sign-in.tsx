import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { callIdentity, identityErrorText } from './identity-call.ts';

/** `ProviderReturn` goes on after the provider. */
export function ProviderSignIn({
  providers,
  variant,
  next,
}: {
  providers: readonly { id: string; label: string }[];
  variant: 'primary' | 'secondary';
  next: () => string;
}) {
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
          variant={variant}
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
