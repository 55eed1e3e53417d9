import type { CompiledQuery, Kysely } from 'kysely';
import type { Database } from '../context.ts';

/** Placeholder while a statement is compiled. */
class Place {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }

  [Symbol.toPrimitive](): never {
    throw new Error('compiled statements can’t compute with parameters');
  }
}

/**
 * Builds and compiles a statement once per shape of its values, since that costs more than running it. Values may
 * contain lists of rows. Whatever the values, `build` must make the same statement; it can't compute with them.
 */
export function compiledOnce<Values extends object, Row>(
  build: (db: Kysely<Database>, values: Values) => { compile(): CompiledQuery<Row> },
): (db: Kysely<Database>, values: Values) => Promise<Row[]> {
  const byShape = new Map<string, CompiledQuery<Row>>();
  return async (db, values) => {
    const shape = shapeOf(values);
    let compiled = byShape.get(shape);
    if (!compiled) {
      let index = 0;
      compiled = build(db, placesFor(values, () => new Place(index++)) as Values).compile();
      if (compiled.parameters.some(isNested))
        throw new Error('compiled statements take objects and lists as JSON');
      byShape.set(shape, compiled);
    }
    const given = valuesIn(values);
    const parameters = compiled.parameters.map((one) => (one instanceof Place ? given[one.index] : one));
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}

/** Unlike dates and bytes. */
function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** Names what is given, in order: a column that a row omits gets its default. */
function shapeOf(value: unknown): string {
  if (!isNested(value)) return value === undefined ? '?' : '';
  if (Array.isArray(value)) return `[${value.map(shapeOf).join()}]`;
  return `{${Object.entries(value)
    .map(([name, one]) => name + shapeOf(one))
    .join()}}`;
}

function valuesIn(values: object): unknown[] {
  return Object.values(values).flatMap((one: unknown) => (isNested(one) ? valuesIn(one) : [one]));
}

function placesFor(value: unknown, next: () => Place): unknown {
  if (!isNested(value)) {
    const place = next();
    return value === undefined ? undefined : place;
  }
  if (Array.isArray(value)) return value.map((one) => placesFor(one, next));
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, placesFor(one, next)]));
}
