import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { toast } from '#/web/components/toast.tsx';
import { useNearZone } from '#/web/own-zone.tsx';
import { longDateText } from '#/web/times.ts';
import { deviceText } from './device-text.ts';
import { accountFailureText } from './failure-text.ts';

/** Renders nothing without one. */
export function TrustedDevices({ onEmptied }: { onEmptied: () => void }) {
  const queries = useQueryClient();
  const zone = useNearZone();
  const list = useRef<HTMLUListElement>(null);
  const { data: devices = [] } = useQuery(api.trustedDevices.list.queryOptions());
  const forget = useMutation({
    ...api.trustedDevices.forget.mutationOptions(),
    onSuccess: (left) => {
      queries.setQueryData(api.trustedDevices.list.queryKey(), left);
      toast.done(m.trusted_devices_forgotten());
      // The pressed button no longer exists.
      if (left.length > 0) list.current?.focus();
      else onEmptied();
    },
    onError: (error) => {
      toast.failed(m.trusted_devices_failed(), accountFailureText(error));
      void queries.invalidateQueries({ queryKey: api.trustedDevices.list.queryKey() });
    },
  });
  if (devices.length === 0) return null;
  return (
    <div className="mt-4">
      <h4 className="font-sans text-sm font-medium">{m.trusted_devices_list()}</h4>
      <p className="text-sm text-quiet">{m.trusted_devices_text()}</p>
      <ul
        ref={list}
        tabIndex={-1}
        aria-label={m.trusted_devices_list()}
        className="divide-y divide-line rounded-control outline-none"
      >
        {devices.map((device) => (
          <li key={device.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <div className="min-w-0 flex-1">
              <p className="flex flex-wrap items-center gap-x-2 font-semibold">
                {deviceText(device)}
                {device.current && <Badge>{m.accounts_device_current()}</Badge>}
              </p>
              <p className="text-sm text-quiet">
                {m.trusted_devices_until({ date: longDateText(device.trustedUntil, zone) })}
              </p>
            </div>
            <Button
              about={deviceText(device)}
              variant="secondary"
              size="sm"
              busy={forget.isPending && forget.variables.id === device.id}
              onClick={() => forget.mutate({ id: device.id })}
            >
              {m.trusted_devices_forget()}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
