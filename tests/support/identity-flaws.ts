import type { TestDatabase } from './database.ts';
import type { TestServer, Visitor } from './server.ts';

/** A mistake that the product could make when it answers `paths`. */
export interface Flaw {
  name: string;
  paths: readonly string[];
  /** Prepares the rows for such a request, and returns what spoils its effect. */
  plant: (db: TestDatabase['db']) => Promise<() => Promise<unknown>>;
  /** Its first stories meet the flaw. */
  seed: number;
  shows: RegExp;
}

/** One of each kind: a gate, a secret that works once, and what a change has to end. */
export const flaws: readonly Flaw[] = [
  {
    name: 'a way in that skips the second step',
    paths: ['/api/auth/sign-in/email'],
    plant: async (db) => {
      const factors = await db.selectFrom('second_factors').select(['id', 'confirmed_at']).execute();
      await db.updateTable('second_factors').set({ confirmed_at: null }).execute();
      return async () => {
        for (const { id, confirmed_at } of factors)
          await db.updateTable('second_factors').set({ confirmed_at }).where('id', '=', id).execute();
      };
    },
    seed: 133,
    shows: /signs in by password.* → done\nexpected \[ '(?:second_step|wrong_code)'.* to include 'done'/,
  },
  {
    name: 'a link or code that works twice',
    paths: [
      '/api/auth/sign-in/link',
      '/api/auth/reset-password',
      '/api/auth/return-to-program',
      '/auth/v1/token?grant_type=pkce',
    ],
    plant: async (db) => {
      const links = await db.selectFrom('verifications').selectAll().execute();
      const codes = await db
        .selectFrom('program_sign_ins')
        .selectAll()
        .where('code', 'is not', null)
        .execute();
      return async () => {
        for (const link of links)
          await db
            .insertInto('verifications')
            .values(link)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        for (const code of codes)
          await db
            .insertInto('program_sign_ins')
            .values(code)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      };
    },
    seed: 121,
    shows: /(?:follows a link|exchanges a code).*\nexpected \[ '(?:link_expired|return_expired)'/,
  },
  {
    name: 'a new password that leaves sessions open',
    paths: ['/api/auth/reset-password'],
    plant: async (db) => {
      const sessions = await db.selectFrom('sessions').selectAll().execute();
      return async () => {
        for (const session of sessions)
          await db
            .insertInto('sessions')
            .values({ ...session, device_id: null })
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      };
    },
    seed: 107,
    shows: /follows a link.*\nexpected \{.* to deeply equal/,
  },
];

export function flawedServer(server: TestServer): TestServer & { flaw: Flaw | null } {
  const { guest, database } = server;
  const flawed = {
    ...server,
    flaw: null as Flaw | null,
    guest: {
      ...guest,
      send: async (...request: Parameters<Visitor['send']>) => {
        const spoil = flawed.flaw?.paths.includes(request[1]) && (await flawed.flaw.plant(database.db));
        const answer = await guest.send(...request);
        if (spoil) await spoil();
        return answer;
      },
    },
  };
  return flawed;
}
