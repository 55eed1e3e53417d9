import type { ShouldRevalidateFunctionArgs } from 'react-router';

/** Of pages whose tabs and views, chosen in the address, fetch their own data. */
export function unlessSearchChanged({
  currentUrl,
  nextUrl,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs): boolean {
  return currentUrl.search === nextUrl.search && defaultShouldRevalidate;
}
