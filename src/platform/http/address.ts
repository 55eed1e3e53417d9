/**
 * The address a request came from. With `trustedProxies` ours in front, it is that many steps from the right of
 * X-Forwarded-For; what stands further left, or comes without a proxy of ours, anyone could have written.
 */
export function trustedAddress(
  socketAddress: string,
  forwardedFor: string | null,
  trustedProxies: number,
): string {
  if (trustedProxies === 0 || forwardedFor === null) return socketAddress;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  return hops.at(-trustedProxies) ?? socketAddress;
}
