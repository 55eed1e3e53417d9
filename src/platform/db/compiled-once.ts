import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from '../context.ts';

/** Stands for a value while a statement is compiled. */
class Place {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  [Symbol.toPrimitive](): never {
    throw new Error('a statement compiled once can’t compute with its values');
  }
}

/**
 * Builds and compiles a statement once per number of rows, since that costs more than running it. Values may contain
 * one list of rows, which all have the same columns. Whatever the values, `build` must make the same statement; it can't
 * compute with them.
 */
export function compiledOnce<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Database>, values: Values) => Promise<Row[]> {
  const bySize = new Map<number, CompiledQuery<Row>>();
  return async (db, values) => {
    const given = valuesIn(values);
    let compiled = bySize.get(given.length);
    if (!compiled) {
      let index = 0;
      compiled = build(db, placesFor(values, () => new Place(index++)) as Values).compile();
      bySize.set(given.length, compiled);
    }
    const parameters = compiled.parameters.map((one) => (one instanceof Place ? given[one.index] : one));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** Unlike dates and bytes. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function valuesIn(values: object): unknown[] {
  return Object.values(values).flatMap((one: unknown) => (isNested(one) ? valuesIn(one) : [one]));
}

function placesFor(value: unknown, next: () => Place): unknown {
  if (!isNested(value)) return next();
  if (Array.isArray(value)) return value.map((one) => placesFor(one, next));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, placesFor(one, next)]));
}
