import { createContext, use } from 'react';

/** Runs `goOn` after sign-in, or immediately for people already signed in. */
type SignInGate = (action: 'resources' | 'save', goOn: () => void) => void;

/** Default for screens behind sign-in: runs the action immediately. */
export const SignInGateContext = createContext<SignInGate>((_action, goOn) => goOn());

export function useSignInGate(): SignInGate {
  return use(SignInGateContext);
}
