import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** For pages whose tabs and views, chosen in the URL, fetch their own data. */
export function unlessSearchChanged({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.search === nextUrl.search && defaultShouldRevalidate;
}
