import { Clock, Download } from 'lucide-react';
import { Link } from 'react-router';
import { m } from '#/texts/messages.js';
import { Card } from '#/web/components/card.tsx';
import { classes } from '#/web/components/classes.ts';
import { Rating } from '#/web/components/stars.tsx';
import type { ResourceCard as Shown } from '../library/contract.ts';
import { FavouriteButton } from './favourite-button.tsx';
import { ResourceCover } from './resource-cover.tsx';
import { categoryNames, downloadsText, typeNames } from './resource-texts.ts';
import { GetButton } from './get-button.tsx';

export function ResourceCard({ resource }: { resource: Shown }) {
  const { id, title, author, description, cover } = resource;
  return (
    <Card as="li" className="flex flex-col overflow-hidden p-0!">
      <ResourceCover resource={resource} className={classes('aspect-5/2!', !cover && 'max-sm:hidden')} />
      <div className="flex flex-1 flex-col p-4 sm:p-5">
        <div className="flex items-start gap-2">
          <div className="min-w-0 flex-1">
            <p className="text-sm text-quiet">
              {typeNames[resource.type]()} · {categoryNames[resource.category]()}
            </p>
            <h3 className="mt-1 font-serif text-lg font-semibold">
              <Link to={`/resources/${id}`} className="py-2.5 wrap-anywhere hover:underline">
                {title}
              </Link>
            </h3>
            <p className="text-sm text-quiet">{m.resources_by({ author })}</p>
          </div>
          <FavouriteButton resource={resource} className="-mt-2 -mr-3" />
        </div>
        <p className="mt-2 line-clamp-4 sm:mt-3">{description}</p>
        <div className="mt-auto flex items-center justify-between gap-3 pt-2 sm:pt-4">
          <ResourceFacts resource={resource} />
          <GetButton resource={resource} />
        </div>
      </div>
    </Card>
  );
}

export function ResourceFacts({ resource }: { resource: Shown }) {
  const { rating, ratingCount, durationMinutes, downloadCount } = resource;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-quiet">
      {rating === null ? (
        <span>{m.resources_unrated()}</span>
      ) : (
        <Rating rating={rating}>{m.resources_ratings({ count: ratingCount })}</Rating>
      )}
      {durationMinutes !== null && (
        <span className="inline-flex items-center gap-1.5">
          <Clock aria-hidden className="size-4" />
          {m.web_minutes_short({ minutes: durationMinutes })}
        </span>
      )}
      <span className="inline-flex items-center gap-1.5">
        <Download aria-hidden className="size-4" />
        {downloadsText(downloadCount)}
      </span>
    </div>
  );
}
