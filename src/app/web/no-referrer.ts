/** Response headers of pages whose address holds a token or a provider's answer. */
export function noReferrer(): HeadersInit {
  return { 'referrer-policy': 'no-referrer' };
}
