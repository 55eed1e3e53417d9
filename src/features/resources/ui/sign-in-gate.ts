import { createContext, use } from 'react';

/** Runs `goOn` after sign-in, or immediately for people already signed in. */
type SignInGate = (action: 'resources' | 'save', goOn: () => void) => void;

/** Behind sign-in: runs the action at once. */
export const SignInGateContext = createContext<SignInGate>((_action, goOn) => goOn());

export function useSignInGate(): SignInGate {
  return use(SignInGateContext);
}
