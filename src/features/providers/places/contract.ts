import { z } from 'zod';
import { line, lines, procedure, uuid } from '#/features/access/contract.ts';
import { placeLimits } from '../practice/rules.ts';

const coordinates = z.object({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

const ownPlace = z.object({
  id: uuid,
  name: z.string(),
  address: z.string(),
  town: z.string(),
  directions: z.string(),
  coordinates: coordinates.nullable(),
  closed: z.boolean(),
});

export type OwnPlace = z.infer<typeof ownPlace>;

const placeInput = z.object({
  name: line.min(1).max(placeLimits.name),
  address: lines.min(1).max(placeLimits.address),
  town: line.min(1).max(placeLimits.town),
  directions: lines.max(placeLimits.directions).default(''),
  coordinates: coordinates.optional(),
});

export type PlaceInput = z.infer<typeof placeInput>;

/** Repeating a creation by id changes the first. */
const newPlace = placeInput.extend({ placeId: uuid.optional() });
export type NewPlace = z.infer<typeof newPlace>;

const own = procedure.meta({ access: ['manage_own_availability'] });
const one = z.object({ placeId: uuid });

export const placesContract = {
  /** Your places in order, closed ones last. */
  list: own.route({ method: 'GET', path: '/practice/places' }).output(z.array(ownPlace)),
  add: own
    .meta({
      writes: ['provider.place_added service_management place'],
      example: () => ({
        name: 'The practice',
        address: '12 Elm Street',
        town: 'Chicago, IL',
        directions: 'The green door.',
        coordinates: { latitude: 41.88, longitude: -87.63 },
      }),
    })
    .route({ method: 'POST', path: '/practice/places' })
    .input(newPlace)
    .output(ownPlace),
  edit: own
    .meta({
      writes: ['provider.place_changed service_management place'],
      example: ({ id }) => ({
        placeId: id,
        name: 'The practice',
        address: '12 Elm Street',
        town: 'Chicago, IL',
        directions: 'The green door.',
        coordinates: { latitude: 41.88, longitude: -87.63 },
      }),
    })
    .route({ method: 'POST', path: '/practice/places/{placeId}' })
    .input(placeInput.extend(one.shape))
    .output(ownPlace),
  close: own
    .meta({
      writes: ['provider.place_closed service_management place'],
      example: ({ id }) => ({ placeId: id, closed: true }),
    })
    .route({ method: 'POST', path: '/practice/places/{placeId}/close' })
    .input(one.extend({ closed: z.boolean() }))
    .output(ownPlace),
  /** Reorders your open places; requires all of them. */
  order: own
    .meta({
      writes: ['provider.place_ordered service_management provider'],
      example: ({ id }) => ({ placeIds: [id] }),
    })
    .route({ method: 'POST', path: '/practice/place-order' })
    .input(z.object({ placeIds: z.array(uuid).max(placeLimits.places) }))
    .output(z.array(ownPlace)),
};
