import { useCareNews } from '#/features/care/ui/care-acts.ts';
import { ClientList } from '#/features/care/ui/client-list.tsx';
import { useOwnZone, ZoneLine } from '#/web/own-zone.tsx';

export function ClientsScreen() {
  useCareNews();
  const timeZone = useOwnZone();
  return (
    <>
      <ClientList timeZone={timeZone} />
      <ZoneLine timeZone={timeZone} className="mt-6 text-sm text-quiet" />
    </>
  );
}
