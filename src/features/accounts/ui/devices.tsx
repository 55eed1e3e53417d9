import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Laptop, Smartphone, Tablet } from 'lucide-react';
import { useRef, useState, type ReactNode } from 'react';
import { m } from '#/texts/messages.js';
import { api } from '#/web/api.tsx';
import { AlertDialog } from '#/web/components/alert-dialog.tsx';
import { Badge } from '#/web/components/badge.tsx';
import { Button } from '#/web/components/button.tsx';
import { Fetched } from '#/web/components/fetched.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { Skeleton } from '#/web/components/skeleton.tsx';
import { toast } from '#/web/components/toast.tsx';
import { failureCode } from '#/web/failures.ts';
import type { Device } from '../contract.ts';
import { deviceText } from './device-text.ts';
import { accountFailureText } from './failure-text.ts';
import { useNearZone } from '#/web/own-zone.tsx';
import { momentText } from '#/web/times.ts';

const icons: Record<Device['kind'], ReactNode> = {
  computer: <Laptop />,
  phone: <Smartphone />,
  tablet: <Tablet />,
};

export function Devices() {
  const queries = useQueryClient();
  const zone = useNearZone();
  const list = useRef<HTMLUListElement>(null);
  const [asking, setAsking] = useState(false);
  const query = useQuery({
    ...api.accounts.devices.queryOptions(),
    refetchInterval: 60_000,
  });

  const done = (title: string) => (left: Device[]) => {
    queries.setQueryData(api.accounts.devices.queryKey(), left);
    setAsking(false);
    toast.done(title);
    // The pressed button no longer exists.
    list.current?.focus();
  };
  const failed = (error: Error) => {
    toast.failed(m.accounts_devices_failed(), accountFailureText(error));
    void query.refetch();
  };
  const one = useMutation({
    ...api.accounts.signOutDevice.mutationOptions(),
    onSuccess: done(m.accounts_device_signed_out()),
    onError: async (error, { id }) => {
      if (failureCode(error) !== 'not_found') return failed(error);
      const before = queries.getQueryData(api.accounts.devices.queryKey()) ?? [];
      done(m.accounts_device_signed_out())(before.filter((device) => device.id !== id));
      await query.refetch();
    },
  });
  const others = useMutation({
    ...api.accounts.signOutOtherDevices.mutationOptions(),
    onSuccess: done(m.accounts_devices_signed_out()),
    onError: failed,
  });

  return (
    <Fetched
      query={query}
      failure={m.accounts_devices_load_failed()}
      skeleton={<Skeleton className="h-20" />}
    >
      {(devices) => {
        const hasOthers = devices.some(({ current }) => !current);
        return (
          <>
            <ul
              ref={list}
              tabIndex={-1}
              aria-label={m.accounts_devices_list()}
              className="divide-y divide-line rounded-control outline-none"
            >
              {devices.map((device) => (
                <li key={device.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <IconTile hue="sea">{icons[device.kind]}</IconTile>
                  <div className="min-w-0 flex-1">
                    <p className="flex flex-wrap items-center gap-x-2 font-semibold">
                      {deviceText(device)}
                      {device.current && <Badge>{m.accounts_device_current()}</Badge>}
                    </p>
                    <p className="text-sm text-quiet wrap-anywhere">{lastUseText(device, zone)}</p>
                  </div>
                  {!device.current && (
                    <Button
                      about={deviceText(device)}
                      variant="secondary"
                      size="sm"
                      busy={one.isPending && one.variables.id === device.id}
                      onClick={() => one.mutate({ id: device.id })}
                    >
                      {m.accounts_device_sign_out()}
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {hasOthers ? (
              <Button variant="secondary" className="mt-3 max-sm:w-full" onClick={() => setAsking(true)}>
                {m.accounts_devices_sign_out_others()}
              </Button>
            ) : (
              <p className="mt-2 text-quiet">{m.accounts_devices_only_this()}</p>
            )}
            <AlertDialog
              open={asking}
              onOpenChange={setAsking}
              title={m.accounts_devices_sign_out_others()}
              description={m.accounts_devices_sign_out_others_text()}
              confirmLabel={m.accounts_devices_sign_out_confirm()}
              busy={others.isPending}
              onConfirm={() => others.mutate({})}
            />
          </>
        );
      }}
    </Fetched>
  );
}

function lastUseText({ current, lastUsedAt, address }: Device, timeZone: string): string {
  const when = current
    ? m.accounts_device_now()
    : m.web_last_used({
        when: momentText(lastUsedAt, timeZone),
      });
  return address ? m.accounts_device_from({ when, address }) : when;
}
