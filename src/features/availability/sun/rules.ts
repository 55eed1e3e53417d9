import { getTimes } from 'suncalc';

/** Degrees, positive north and east. */
export interface Spot {
  latitude: number;
  longitude: number;
}

/**
 * Returns the sunset after the solar noon nearest to `noon` (epoch milliseconds): upper edge at a sea-level horizon,
 * with refraction. Null without a sunrise or sunset that day.
 */
export function sunsetAfterNoon(noon: number, { latitude, longitude }: Spot): number | null {
  const { sunset } = getTimes(new Date(noon), latitude, longitude);
  return sunset === null ? null : sunset.getTime();
}
