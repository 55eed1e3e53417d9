import { sql } from 'kysely';
import type { Ctx } from '#/platform/context.ts';
import type { FindChoices } from '../contract.ts';

/** Cache lifetime in milliseconds. */
const choicesKept = 60_000;
const maxChoices = 200;

const keptChoices = new WeakMap<Ctx['db'], { at: number; made: Promise<FindChoices> }>();

/** Returns search filter choices, most common first. Cached for a minute. */
export function findChoices(ctx: Ctx): Promise<FindChoices> {
  const now = ctx.now().epochMilliseconds;
  const known = keptChoices.get(ctx.db);
  if (known && Math.abs(now - known.at) < choicesKept) return known.made;
  const made = countChoices(ctx);
  keptChoices.set(ctx.db, { at: now, made });
  made.catch(() => keptChoices.delete(ctx.db));
  return made;
}

async function countChoices({ db }: Ctx): Promise<FindChoices> {
  const { rows } = await sql<{ what: string; value: string; count: number }>`
    with listed as (select * from providers where listed),
      towns as (
        select distinct provider_id, town
        from places join listed on listed.id = provider_id where not closed
      ),
      choices as (
        select 'tradition' as what, value from listed, unnest(traditions) value
        union all select 'language', value from listed, unnest(languages) value
        union all select 'town', town from towns
        union all select 'town', location from listed
          where location <> '' and id not in (select provider_id from towns)
      )
    select what, value, count(*) as count from choices group by what, value
    order by count desc, value`.execute(db);
  const of = (what: string) =>
    rows
      .filter((row) => row.what === what)
      .slice(0, maxChoices)
      .map(({ value, count }) => ({ value, count }));
  return { traditions: of('tradition'), languages: of('language'), towns: of('town') };
}
