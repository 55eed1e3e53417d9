import { m } from '#/texts/messages.js';
import { noteSessionEnd } from '#/web/session-end.ts';
import { callIdentity, identityErrorText } from './identity-call.ts';

export async function endSession() {
  try {
    await callIdentity('/sign-out', {});
    noteSessionEnd(null);
    return {
      ended: true,
      said: {
        tone: 'success' as const,
        title: m.accounts_signed_out_title(),
        description: m.accounts_signed_out_text(),
      },
    };
  } catch (error) {
    return {
      ended: false,
      said: {
        tone: 'destructive' as const,
        title: m.accounts_sign_out_error_title(),
        description: identityErrorText(error),
      },
    };
  }
}
