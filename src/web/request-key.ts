import { useCallback, useRef } from 'react';
import { uuidV7 } from '#/kernel/ids.ts';

/** Creates an idempotency key. Avoids `crypto.randomUUID`, which is missing without TLS. */
export function newKey(): string {
  return uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

/** Returns a stable idempotency key per request while mounted, so retries take effect once. */
export function useRequestKey(): (request: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return useCallback((request) => {
    const asked = JSON.stringify(request);
    const key = keys.current.get(asked) ?? newKey();
    keys.current.set(asked, key);
    return key;
  }, []);
}
