import { KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { isRefusal } from '#/web/failures.ts';
import { identityErrorText } from './identity-call.ts';
import { isUnanswered, offerInAutofill, signInByPasskey } from './passkey-browser.ts';

/** Signs in with a passkey, by button or from the email field's suggestions. Nothing where browsers can't. */
export function PasskeySignIn({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const offer = useRef<ReturnType<typeof offerInAutofill>>(undefined);
  const supported = typeof PublicKeyCredential === 'function';

  const failed = (error: unknown) =>
    toast.failed(
      m.accounts_error_title(),
      isUnanswered(error) ? m.accounts_passkey_canceled() : identityErrorText(error),
    );
  const signedIn = useEffectEvent(() => void onSignedIn());
  const offerFailed = useEffectEvent((error: unknown) => {
    // A person chose a passkey that the server refused; anything else happened before they did.
    if (!isRefusal(error) || error.reason === 'passkeys_off' || error.code === 'rate_limited') return;
    failed(error);
  });
  useEffect(() => {
    if (!supported) return undefined;
    offer.current = offerInAutofill({ onSignedIn: signedIn, onFailed: offerFailed });
    return () => offer.current?.stop();
  }, [supported]);

  if (!supported) return null;
  const press = async () => {
    setBusy(true);
    // The browser asks one question at a time, and the newer one ends the older.
    offer.current?.pause();
    try {
      await signInByPasskey();
      await onSignedIn();
    } catch (error) {
      failed(error);
      offer.current?.again();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button variant="secondary" className="w-full" busy={busy} onClick={() => void press()}>
      <KeyRound />
      {m.accounts_passkey_sign_in()}
    </Button>
  );
}
