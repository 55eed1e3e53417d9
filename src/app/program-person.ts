import { AppError, isLogged } from '#/kernel/errors.ts';
import type { Actor } from '#/kernel/actor.ts';
import type { Ctx } from '#/platform/context.ts';
import type { Log } from '#/platform/log.ts';
import type { ProgramConnection } from '#/platform/realtime/frames.ts';
import { speakerOf, type Person } from './frames.ts';

/** Milliseconds that a socket may go without a token. */
const waitMs = 10_000;

export interface PersonParts {
  /** Returns a token's person and expiry (epoch milliseconds); `noted` counts as session use. Throws. */
  verify(token: string, use: { noted: boolean }): Promise<{ actor: Person; expires: number }>;
  contextOf(actor: Actor): Ctx;
  log: Log;
}

interface Identified {
  actor: Person;
  token: string;
  speaker: ReturnType<typeof speakerOf>;
}

/** A socket's person: nobody until the first token. */
export class ProgramPerson {
  readonly #parts: PersonParts;
  readonly #connection: ProgramConnection;
  #who: Identified | null = null;
  #deadline: NodeJS.Timeout | undefined;

  constructor(parts: PersonParts, connection: ProgramConnection) {
    this.#parts = parts;
    this.#connection = connection;
    this.#endIn(waitMs);
    connection.onClose('deadline', () => Promise.resolve(clearTimeout(this.#deadline)));
  }

  get who(): Identified | null {
    return this.#who;
  }

  context(): Ctx {
    return this.#parts.contextOf(this.#who?.actor ?? { kind: 'guest' });
  }

  #endIn(ms: number): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#connection.end(), ms);
  }

  async identify(given: string | null | undefined): Promise<void> {
    if (!given) throw new AppError('unauthenticated', 'no_token');
    const { actor, expires } = await this.#parts.verify(given, { noted: false });
    if (!this.#who) await this.#admit(actor, given);
    else if (actor.sessionId !== this.#who.actor.sessionId || actor.role !== this.#who.actor.role) {
      this.#connection.end();
      return;
    }
    this.#who = { actor, token: given, speaker: speakerOf(actor, () => this.#currentActor({ noted: true })) };
    this.#endIn(expires - this.context().now().epochMilliseconds);
  }

  async #admit(actor: Person, token: string): Promise<void> {
    const connection = this.#connection;
    if (!connection.moveTo(actor.id)) throw new AppError('rate_limited', 'too_many_sockets');
    for (const topic of [`person:${actor.id}`, `session:${actor.sessionId}`, `role:${actor.role}`])
      connection.grant(topic);
    // A sign-out may have come in between.
    await this.#parts.verify(token, { noted: false }).catch((error: unknown) => {
      connection.end();
      throw error;
    });
  }

  /** Returns a guest once the token is invalid. */
  async #currentActor(use: { noted: boolean }): Promise<Actor> {
    try {
      return (await this.#parts.verify(this.#who!.token, use)).actor;
    } catch (error) {
      if (isLogged(error)) throw error;
      return { kind: 'guest' };
    }
  }

  /** Ends the socket if its person may no longer use programs. */
  async recheck(): Promise<void> {
    try {
      if ((await this.#currentActor({ noted: false })).kind === 'guest') this.#connection.end();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a program’s socket could not be checked');
      this.#connection.end();
    }
  }
}
