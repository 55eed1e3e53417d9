import { useCallback, useRef } from 'react';
import { uuidV7 } from '#/kernel/ids.ts';

/** A key that makes retries of one request one request. Also where `crypto.randomUUID` is missing, without TLS. */
export function newKey(): string {
  return uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(10)));
}

/** Gives the same key for the same request as long as the component is there, so that a retry acts once. */
export function useRequestKey(): (request: unknown) => string {
  const keys = useRef(new Map<string, string>());
  return useCallback((request) => {
    const asked = JSON.stringify(request);
    const key = keys.current.get(asked) ?? newKey();
    keys.current.set(asked, key);
    return key;
  }, []);
}
