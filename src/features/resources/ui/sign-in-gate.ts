import { createContext, use } from 'react';

/** Asks a guest to sign in before something goes on, and lets it go on then; who is signed in goes on at once. */
type SignInGate = (action: 'resources' | 'save', goOn: () => void) => void;

/** The screen's way to ask for a sign-in; a screen for the signed-in needs none. */
export const SignInGateContext = createContext<SignInGate>((_action, goOn) => goOn());

/** Gives the gate of the screen around. */
export function useSignInGate(): SignInGate {
  return use(SignInGateContext);
}
