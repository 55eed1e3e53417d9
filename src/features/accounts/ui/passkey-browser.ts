import {
  browserSupportsWebAuthnAutofill,
  bufferToBase64URLString,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
  type AuthenticationExtensionsClientOutputs,
} from '@simplewebauthn/browser';
import type { Assertion, Attestation, CreationOptions, RequestOptions } from '../webauthn/contract.ts';
import { challengeMinutes, prfInput } from '../webauthn/rules.ts';
import { callIdentity } from './identity-call.ts';

/** Answers with one of the requested passkeys, from the browser's suggestions if `useBrowserAutofill`. */
export async function signChallenge(
  options: RequestOptions,
  { useBrowserAutofill = false } = {},
): Promise<Assertion> {
  const optionsJSON = { ...options, extensions: { prf } };
  return withPrf(await startAuthentication({ optionsJSON, useBrowserAutofill }));
}

/** Lets the person create a passkey. */
export async function makePasskey(options: CreationOptions): Promise<Attestation> {
  const optionsJSON = { ...options, extensions: { ...options.extensions, prf } };
  return withPrf(await startRegistration({ optionsJSON }));
}

const prf = { eval: { first: new TextEncoder().encode(prfInput) } };

/** Adds the passkey's derived secret, if any. */
function withPrf<Answer extends { clientExtensionResults: AuthenticationExtensionsClientOutputs }>(
  answer: Answer,
): Answer & { prf?: string } {
  const derived = answer.clientExtensionResults.prf?.results?.first;
  // Browser extensions may return other lengths or types.
  return derived?.byteLength === 32
    ? { ...answer, prf: bufferToBase64URLString(derived as ArrayBuffer) }
    : answer;
}

/** True if the person, the browser or the authenticator ended the question, rather than the server. */
export function isUnanswered(error: unknown): boolean {
  return errorsIn(error).some((one) => one instanceof DOMException);
}

/** True if this authenticator already holds a passkey for the account. */
export function isDouble(error: unknown): boolean {
  return errorsIn(error).some(({ name }) => name === 'InvalidStateError');
}

function errorsIn(error: unknown): Error[] {
  return error instanceof Error ? [error, ...errorsIn(error.cause)] : [];
}

async function newChallenge(): Promise<RequestOptions> {
  const { passkey } = await callIdentity('/request-passkey', {});
  return passkey!;
}

/** Prompts for a passkey, then signs in. */
export async function signInByPasskey(): Promise<void> {
  const passkey = await signChallenge(await newChallenge());
  await callIdentity('/sign-in/passkey', { passkey });
}

/**
 * Offers passkeys among the email field's suggestions until `stop` is called, with a new challenge before the last one
 * expires. Calls `onSignedIn`, or `onFailed` if a chosen passkey didn't sign in. `pause` leaves the browser to another
 * question; `again` offers them once more.
 */
export function offerInAutofill({
  onSignedIn,
  onFailed,
}: {
  onSignedIn: () => void;
  onFailed: (error: unknown) => void;
}): { pause: () => void; again: () => void; stop: () => void } {
  let ended = false;
  let paused = false;
  let askedAt = 0;
  const offer = async () => {
    if (!(await browserSupportsWebAuthnAutofill()) || ended) return;
    askedAt = Date.now();
    try {
      const options = await newChallenge();
      if (ended || paused) return;
      const passkey = await signChallenge(options, { useBrowserAutofill: true });
      await callIdentity('/sign-in/passkey', { passkey });
      onSignedIn();
    } catch (error) {
      // Browsers report what they don't support here as well; the button remains.
      if (!ended && !isUnanswered(error)) onFailed(error);
    }
  };
  const renew = () => {
    const old = Date.now() - askedAt > (challengeMinutes - 1) * 60_000;
    if (old && !paused && document.visibilityState === 'visible') void offer();
  };
  const timer = setInterval(renew, 30_000);
  document.addEventListener('visibilitychange', renew);
  void offer();
  return {
    pause: () => {
      paused = true;
    },
    again: () => {
      paused = false;
      void offer();
    },
    stop: () => {
      ended = true;
      clearInterval(timer);
      document.removeEventListener('visibilitychange', renew);
      WebAuthnAbortService.cancelCeremony();
    },
  };
}
