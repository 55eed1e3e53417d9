import { useEffect } from 'react';
import { m } from '#/texts/messages.js';
import { useToast } from '#/web/components/toast.tsx';
import { onRefusal } from '#/web/refusals.ts';

/** In debug mode, shows a toast with code, reason and request id for every API error. */
export function DebugWatch() {
  const { toast } = useToast();
  useEffect(
    () =>
      onRefusal(({ code, reason, requestId }) =>
        toast({ title: `${code}: ${reason}`, description: m.debug_request({ id: requestId }) }),
      ),
    [toast],
  );
  return null;
}
