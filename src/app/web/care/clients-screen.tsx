import { useCareNews } from '#/features/care/ui/care-acts.ts';
import { ClientList } from '#/features/care/ui/client-list.tsx';
import { useOwnZone } from './own-zone.ts';

/** A provider's clients, kept up to date. */
export function ClientsScreen() {
  useCareNews();
  return <ClientList timeZone={useOwnZone()} />;
}
