/** Then continues, since the network may delay a request for minutes. */
const longestWaitMs = 5_000;

/**
 * Sends a request with the session's token. A request that replaces the token runs alone across all tabs: others sent
 * meanwhile would be answered as a guest's.
 */
export async function sendWithToken<T>(send: () => Promise<T>, replacesToken = false): Promise<T> {
  // Missing without TLS.
  const locks = navigator.locks as LockManager | undefined;
  if (!locks) return send();
  const signal = AbortSignal.timeout(longestWaitMs);
  try {
    const mode = replacesToken ? 'exclusive' : 'shared';
    return await locks.request('italk.session-token', { mode, signal }, send);
  } catch (error) {
    if (error !== signal.reason) throw error;
    return send();
  }
}
