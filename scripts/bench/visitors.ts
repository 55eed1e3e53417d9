import { createHmac, randomBytes } from 'node:crypto';
import { request, type Agent, type RequestOptions } from 'node:http';
import type { Kysely } from 'kysely';
import { refusalOf } from '#/kernel/problem.ts';
import { newId } from '#/platform/clock.ts';
import type { Database } from '#/platform/context.ts';
import { digest } from '#/platform/tokens.ts';
import type { Person } from '../../tests/support/people.ts';

/** Creates sign-in sessions directly, skipping the slow password hash; returns their cookies. */
export async function cookiesOf(
  db: Kysely<Database>,
  people: readonly Person[],
  secret: string,
): Promise<string[]> {
  const tokens = people.map(() => randomBytes(24).toString('base64url'));
  await db
    .insertInto('sessions')
    .values(
      people.map(({ id, sessionId }, index) => ({
        id: sessionId,
        user_id: id,
        token: digest(tokens[index]!),
        expires_at: new Date(Date.now() + 3_600_000),
        ip_address: null,
        user_agent: null,
      })),
    )
    .execute();
  return tokens.map((token) => {
    const signature = createHmac('sha256', secret).update(token).digest('base64');
    return `italk.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  });
}

/** Posts JSON to the API as a person; throws the API's refusal, or an Error for a defect. */
export function post(agent: Agent, url: string, cookie: string, body: object): Promise<unknown> {
  const bytes = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(bytes) };
  return exchange(url, { method: 'POST', agent, headers: { ...headers, cookie } }, bytes);
}

export function get(agent: Agent, url: string, cookie: string): Promise<unknown> {
  return exchange(url, { method: 'GET', agent, headers: { cookie } });
}

function exchange(url: string, options: RequestOptions, bytes?: string): Promise<unknown> {
  const headers = { ...options.headers, origin: new URL(url).origin };
  return new Promise((resolve, reject) => {
    const sent = request(url, { ...options, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        const status = response.statusCode!;
        const json = jsonOf(text);
        if (status < 300) resolve(json);
        else reject(refusalOf(json) ?? new Error(`${status} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export function bookingOf(wanted: {
  providerId: string;
  serviceId: string;
  startsAt: string;
  durationMinutes: number;
  recurrence?: 'one_time' | 'weekly' | 'biweekly';
}): object {
  return {
    ...wanted,
    idempotencyKey: newId(),
    sessionType: 'online',
    contact: { name: 'Bench', email: 'bench@people.example' },
    timeZone: 'UTC',
  };
}
