import { Wallet as WalletIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import type { FailureTexts } from '#/web/failures.ts';
import { callIdentity } from './identity-call.ts';
import type { Step } from './second-step.tsx';
import { signWith, useWallets, walletErrorText, type Signed, type Wallet } from './wallet-browser.ts';

/** Signs in with a connected wallet. Renders nothing in browsers without wallets. */
export function WalletSignIn({
  onStep,
  onSignedIn,
}: {
  onStep: (step: Step) => void;
  onSignedIn: () => Promise<void>;
}) {
  const enter = async (signed: Signed) => {
    const send: Step['send'] = (proof) => callIdentity('/sign-in/wallet', { ...signed, ...proof });
    const { secondStep } = await send({});
    if (secondStep) onStep({ ...secondStep, send });
    else await onSignedIn();
  };
  return (
    <WalletButtons
      className="w-full"
      label={m.accounts_wallet_sign_in()}
      labelOf={m.accounts_provider_continue}
      newMessage={async (address) => (await callIdentity('/request-wallet', { address })).message!}
      onSigned={enter}
      onFailed={(text) => toast.failed(m.accounts_error_title(), text)}
    />
  );
}

/** Shows one button per wallet in this browser. */
export function WalletButtons({
  className,
  label,
  labelOf,
  none,
  newMessage,
  onSigned,
  onFailed,
  failures,
}: {
  className?: string;
  label: string;
  /** The label, to distinguish several wallets. */
  labelOf: (wallet: { label: string }) => string;
  /** Shown instead in browsers without one. */
  none?: ReactNode;
  newMessage: (address: string) => Promise<string>;
  onSigned: (signed: Signed) => Promise<void>;
  onFailed: (text: string) => void;
  failures?: FailureTexts;
}) {
  const wallets = useWallets();
  const [asking, setAsking] = useState<string | null>(null);
  const ask = async (wallet: Wallet) => {
    setAsking(wallet.id);
    try {
      await onSigned(await signWith(wallet, newMessage));
    } catch (error) {
      onFailed(walletErrorText(error, failures));
    } finally {
      setAsking(null);
    }
  };
  if (wallets.length === 0) return none;
  return (
    <div className="flex flex-wrap gap-2">
      {wallets.map((wallet) => (
        <Button
          key={wallet.id}
          variant="secondary"
          className={className}
          busy={asking === wallet.id}
          onClick={() => void ask(wallet)}
        >
          <WalletIcon />
          {wallets.length > 1 && wallet.name ? labelOf({ label: wallet.name }) : label}
        </Button>
      ))}
    </div>
  );
}
