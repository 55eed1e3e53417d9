import pg from 'pg';

/** How many statements are named; what comes after them stays unnamed, so that a connection's memory is bounded. */
const mostNames = 500;

/** What `select *` answers changes when a migration adds a column, which breaks a statement that was planned before. */
const everyColumn = /(select|returning|\.) ?\*/;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known || names.size >= mostNames || everyColumn.test(text)) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}

/** A connection that names its parametrised statements, so that PostgreSQL parses and plans each once. */
export class NamedClient extends pg.Client {
  override query(...args: unknown[]): never {
    const [text, values, ...rest] = args;
    if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
      return this.#send([{ text, values, name: nameOf(text) }, ...rest]);
    }
    return this.#send(args);
  }

  #send(args: unknown[]): never {
    return Reflect.apply(super.query, this, args) as never;
  }
}
