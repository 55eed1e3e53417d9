import { getTimes } from 'suncalc';

/** Where on earth, in degrees, north and east positive. */
export interface Spot {
  latitude: number;
  longitude: number;
}

/**
 * The sunset that follows the solar noon nearest to an instant (epoch milliseconds, as the answer): the sun's upper
 * edge at the horizon of the sea, with the air's refraction. Null where the sun doesn't rise or set that day.
 */
export function sunsetAfterNoon(noon: number, { latitude, longitude }: Spot): number | null {
  const { sunset } = getTimes(new Date(noon), latitude, longitude);
  return sunset === null ? null : sunset.getTime();
}
