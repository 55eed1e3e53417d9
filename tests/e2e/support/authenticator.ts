import type { Page } from '@playwright/test';

/** Gives the browser an authenticator that answers at once. Returns how many passkeys it holds. */
export async function giveAuthenticator(
  page: Page,
  { hasPrf = false, suggests = false } = {},
): Promise<() => Promise<number>> {
  // It would answer the email field's suggestion and the button, and the later sign-in ends the earlier.
  if (!suggests)
    await page.addInitScript(() => {
      // A blank page has none.
      if (isSecureContext) PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
    });
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      hasPrf,
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
}
