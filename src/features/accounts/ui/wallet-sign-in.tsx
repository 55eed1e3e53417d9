import { Wallet as WalletIcon } from 'lucide-react';
import { useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { useToast } from '#/web/components/toast.tsx';
import { callIdentity } from './identity-call.ts';
import type { Step } from './second-step.tsx';
import { signWith, useWallets, walletErrorText, type Wallet } from './wallet-browser.ts';

/** Signs in with a wallet in this browser that was connected in the settings. Nothing in browsers without one. */
export function WalletSignIn({
  onStep,
  onSignedIn,
}: {
  onStep: (step: Step) => void;
  onSignedIn: () => Promise<void>;
}) {
  const { toast } = useToast();
  const wallets = useWallets(true);
  const [asking, setAsking] = useState<string | null>(null);
  const enter = async (wallet: Wallet) => {
    setAsking(wallet.id);
    try {
      const signed = await signWith(wallet, async (address) => {
        const { message } = await callIdentity('/request-wallet', { address });
        return message!;
      });
      const send: Step['send'] = (proof) => callIdentity('/sign-in/wallet', { ...signed, ...proof });
      const { secondStep } = await send({});
      if (secondStep) onStep({ ...secondStep, send });
      else await onSignedIn();
    } catch (error) {
      toast.failed(m.accounts_error_title(), walletErrorText(error));
    } finally {
      setAsking(null);
    }
  };
  if (wallets.length === 0) return null;
  return (
    <div className="space-y-2">
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          variant="secondary"
          className="w-full"
          busy={asking === wallet.id}
          onClick={() => void enter(wallet)}
        >
          <WalletIcon />
          {wallets.length > 1 && wallet.name
            ? m.accounts_provider_continue({ label: wallet.name })
            : m.accounts_wallet_sign_in()}
        </Button>
      ))}
    </div>
  );
}
