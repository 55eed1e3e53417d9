import { type LoaderFunctionArgs, redirect } from 'react-router';
import { pageRequest } from './contexts.ts';

/** Loader of pages that guests reach only after signing in. */
export async function signInFirst({ context, request }: LoaderFunctionArgs): Promise<Response | null> {
  if (await context.get(pageRequest).api.accounts.me()) return null;
  const { pathname, search } = new URL(request.url);
  return redirect(`/?auth=1&next=${encodeURIComponent(pathname + search)}`);
}
