import { m } from '#/texts/messages.js';
import type { AppointmentView } from '../appointment/contract.ts';
import { callText, locationText } from './session-texts.ts';
import { MapPin, Phone, Video } from 'lucide-react';
import type { ReactNode } from 'react';
import type { SessionType } from '#/features/providers/contract.ts';

export const sessionTypeIcons: Readonly<Record<SessionType, ReactNode>> = {
  online: <Video aria-hidden />,
  phone: <Phone aria-hidden />,
  'in-person': <MapPin aria-hidden />,
};

/** Who calls, or where to go; nothing for video. Clients get a map. */
export function SessionPlace({ appointment }: { appointment: AppointmentView }) {
  const { client, provider, sessionType } = appointment;
  if (sessionType === 'online') return null;
  if (sessionType === 'phone') return <span className="block text-quiet">{callText(appointment)}</span>;
  return (
    <span className="flex flex-wrap items-baseline gap-x-3">
      <span className="text-quiet">{locationText(appointment)}</span>
      {!client && provider.location && (
        <a
          href={`https://www.openstreetmap.org/search?query=${encodeURIComponent(provider.location)}`}
          target="_blank"
          rel="noreferrer"
          // A tall target in a low line.
          className="-my-3 py-3 text-primary hover:underline"
        >
          {m.booking_show_map()}
          <span className="sr-only"> {m.web_new_tab()}</span>
        </a>
      )}
    </span>
  );
}
