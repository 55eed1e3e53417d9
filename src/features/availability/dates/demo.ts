import { selfOf } from '#/features/access/rules.ts';
import type { Role } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import { actAs } from '#/platform/demo.ts';
import { block } from '../blocks/commands.ts';
import { availabilityOf, citiesNamed } from '../queries.ts';
import { saveWeek, setWeeklyHours } from '../week/commands.ts';
import { defaultWeek } from '../rules.ts';
import { setDates } from './commands.ts';

export interface DemoHours {
  id: string;
  kind: Extract<Role, 'doctor' | 'pastor'>;
  sabbathIn?: string;
}

/** Default hours; several locations switch at noon. */
export async function seedHours(ctx: Ctx, specialists: readonly DemoHours[]): Promise<void> {
  for (const specialist of specialists) {
    const own = actAs(ctx, { id: specialist.id, role: specialist.kind });
    const id = selfOf(own);
    const { places, timeZone, terms, version } = await availabilityOf(own, id);
    const city = specialist.sabbathIn && (await citiesNamed(ctx, specialist.sabbathIn))[0];
    if (places.length === 0 && !city) {
      await setWeeklyHours(ctx, id, defaultWeek);
      continue;
    }
    const weekly = defaultWeek.map((window) => ({
      ...window,
      placeId: places[window.from < '12:00' ? 0 : places.length - 1]?.id ?? null,
    }));
    const rest = city
      ? { kind: 'sabbath' as const, place: { ...city, name: `${city.name}, ${city.region}` } }
      : { kind: 'none' as const, place: null };
    await saveWeek(own, id, { timeZone, weekly, terms, rest, version });
  }
}

export async function seedAbsences(ctx: Ctx, specialist: DemoHours): Promise<void> {
  const own = actAs(ctx, { id: specialist.id, role: specialist.kind });
  const id = selfOf(own);
  const { today, timeZone } = await availabilityOf(own, id);
  const date = Temporal.PlainDate.from(today);
  const friday = date.add({ days: 40 + ((5 - date.dayOfWeek + 7) % 7) });
  await setDates(own, id, { from: friday.toString(), windows: [], note: 'Family visit' });
  const noon = date.add({ days: 2 }).toZonedDateTime({ timeZone, plainTime: '13:00' }).toInstant();
  await block(own, id, {
    startsAt: noon.toString(),
    endsAt: noon.add({ hours: 1 }).toString(),
    note: 'Lunch with the team',
  });
}
