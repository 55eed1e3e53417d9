import { AppError } from '#/kernel/errors.ts';
import { identityInputs, type IdentityPath } from './contract.ts';

const walletPaths: readonly string[] = ['/request-wallet', '/sign-in/wallet'] satisfies IdentityPath[];

/** Returns an endpoint's path. Throws `not_found` (`no_such_route`) for any that identity doesn't serve. */
export function requireEndpoint(
  { walletSignIn }: { walletSignIn: boolean },
  method: string,
  path: string,
): IdentityPath {
  if (method !== 'POST' || !isServed(path) || (walletPaths.includes(path) && !walletSignIn))
    throw new AppError('not_found', 'no_such_route');
  return path;
}

function isServed(path: string): path is IdentityPath {
  return Object.hasOwn(identityInputs, path);
}
