import { callIdentity, identityErrorText } from './identity-call.ts';

/** Ends the session; null if it has ended, else why not, in words. */
export async function endSession(): Promise<string | null> {
  try {
    await callIdentity('/sign-out', {});
    return null;
  } catch (error) {
    return identityErrorText(error);
  }
}
