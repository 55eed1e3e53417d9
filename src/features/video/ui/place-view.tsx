import { DoorOpen, ExternalLink, MapPin } from 'lucide-react';
import type { ReactNode } from 'react';
import { timeText } from '#/web/times.ts';
import { m } from '#/texts/messages.js';
import { ButtonLink } from '#/web/components/button.tsx';
import { Card } from '#/web/components/card.tsx';
import { IconTile } from '#/web/components/icon-tile.tsx';
import { WindowIllustration } from '#/web/components/illustrations/window.tsx';
import type { SessionPage } from '../contract.ts';
import { MeetingFrame } from './meeting-frame.tsx';

export function PlaceView({ page, actions }: { page: SessionPage; actions: ReactNode }) {
  return (
    <MeetingFrame
      page={page}
      title={m.video_place_title()}
      illustration={<WindowIllustration />}
      actions={actions}
    >
      <Where page={page} />
    </MeetingFrame>
  );
}

function Where({ page: { place, part, provider, startsAt, timeZone } }: { page: SessionPage }) {
  const time = timeText(startsAt, timeZone);
  const own = part === 'provider';
  if (place === null) {
    return (
      <Card as="section" className="mt-6 flex items-start gap-4">
        <IconTile hue="sea">
          <MapPin />
        </IconTile>
        <div className="min-w-0 flex-1">
          <h2 className="text-xl">{m.video_place_none()}</h2>
          {!own && provider.location !== '' && (
            <p className="mt-1.5 text-lg break-words">
              {m.video_place_location({ name: provider.name, location: provider.location })}
            </p>
          )}
          <p className="mt-1.5 text-quiet">
            {own
              ? m.video_place_none_own()
              : part === 'guest'
                ? m.video_place_none_guest()
                : m.video_place_none_text()}
          </p>
        </div>
      </Card>
    );
  }
  return (
    <Card as="section" className="mt-6">
      <div className="flex items-start gap-4">
        <IconTile hue="sea">
          <MapPin />
        </IconTile>
        <div className="min-w-0 flex-1">
          <h2 className="text-xl">{place.name}</h2>
          <address className="mt-1 text-lg break-words whitespace-pre-line not-italic">
            {place.address}
          </address>
          <ButtonLink
            to={mapUrl(place)}
            target="_blank"
            rel="noreferrer"
            variant="secondary"
            size="sm"
            className="mt-3"
          >
            <ExternalLink aria-hidden />
            <span>
              {m.video_place_map()}
              <span className="sr-only"> {m.web_new_tab()}</span>
            </span>
          </ButtonLink>
        </div>
      </div>
      {place.directions !== '' && (
        <div className="mt-6 flex items-start gap-4 border-t border-line pt-5">
          <IconTile hue="wheat">
            <DoorOpen />
          </IconTile>
          <div className="min-w-0 flex-1">
            <h3 className="text-lg">{m.video_place_directions()}</h3>
            <p className="mt-1 break-words whitespace-pre-line">{place.directions}</p>
          </div>
        </div>
      )}
      <p className="mt-6 border-t border-line pt-5">
        {own ? m.video_place_come_own({ time }) : m.video_place_come({ time })}
      </p>
    </Card>
  );
}

function mapUrl({ address, latitude, longitude }: NonNullable<SessionPage['place']>): string {
  if (latitude === null || longitude === null)
    return `https://www.openstreetmap.org/search?query=${encodeURIComponent(address)}`;
  const spot = `${latitude}/${longitude}`;
  return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=17/${spot}`;
}
