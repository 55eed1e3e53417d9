import autocannon from 'autocannon';
import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { newId } from '#/platform/clock.ts';
import { connect } from '#/platform/db/database.ts';
import { hashPassword, provePassword } from '#/platform/password-hash.ts';
import { addClients } from '../../tests/support/people.ts';
import { median, type Figure } from './figure.ts';
import { timeOf } from './load.ts';

const people = 40;
const inFlight = 8;
const rounds = 7;
/** Reads a second, far below what the server can answer. */
const readsPerSecond = 100;
const password = 'a quiet room with a view';

interface Account {
  email: string;
  /** Sent back like a browser would, so the device is known after the first time. */
  cookie: string;
}

/** Compares sign-ins with the bare password hash, and reads during sign-ins with reads alone. */
export async function benchSignIns({
  url,
  databaseUrl,
}: {
  url: string;
  databaseUrl: string;
}): Promise<Figure[]> {
  const { db } = connect(databaseUrl, 2);
  const { hash } = await hashPassword(password);
  const clients = await addClients(db, people);
  const ids = clients.map(({ id }) => id);
  await db
    .insertInto('credentials')
    .values(
      ids.map((id) => ({
        id: newId(),
        user_id: id,
        account_id: id,
        provider_id: 'credential',
        password: hash,
      })),
    )
    .execute();
  const rows = await db.selectFrom('users').where('id', 'in', ids).select('email').execute();
  await db.destroy();
  const accounts: Account[] = rows.map(({ email }) => ({ email, cookie: '' }));

  const agent = new Agent({ keepAlive: true, maxSockets: inFlight });
  const signIn = async (account: Account): Promise<void> => {
    account.cookie = await signedIn(agent, url, account);
  };
  const bare = async () => {
    if (!(await provePassword(password, hash))) throw new Error('the password is wrong');
  };

  await timeOf(accounts, inFlight, signIn);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await timeOf(accounts, inFlight, signIn));
    theirs.push(await timeOf(accounts, inFlight, bare));
  }
  const ratio = median(theirs.map((time, round) => time / ours[round]!));
  const perSecond = (times: number[]) => Math.round((people * 1_000) / median(times));

  const alone = await reads(url);
  const over = new AbortController();
  const flood = (async () => {
    while (!over.signal.aborted) await timeOf(accounts, inFlight, signIn);
  })();
  const meanwhile = await reads(url);
  over.abort();
  await flood;
  agent.destroy();
  return [
    {
      name: 'sign-ins with a password',
      value: `${ratio.toFixed(2)} of the bare hash (${perSecond(ours)} against ${perSecond(theirs)} a second, ${inFlight} in flight)`,
      aim: 'at least 0.8',
      met: ratio >= 0.8,
    },
    {
      name: `${readsPerSecond} reads a second during sign-ins`,
      value: `median ${meanwhile.p50} ms, p99 ${meanwhile.p99} ms (alone ${alone.p50} and ${alone.p99} ms)`,
      aim: 'p99 of at most 100 ms',
      met: meanwhile.p99 <= 100,
    },
  ];
}

/** Signs in, by the lightest client, since it shares the processors; returns the cookies that a browser keeps. */
async function signedIn(agent: Agent, url: string, { email, cookie }: Account): Promise<string> {
  const body = JSON.stringify({ email, password });
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    agent,
    headers: { ...headers, origin: url, cookie },
  });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const ended = once(answer, 'end');
  answer.resume();
  await ended;
  if (answer.statusCode !== 200) throw new Error(`The sign-in was answered with ${answer.statusCode}.`);
  return (answer.headers['set-cookie'] ?? [])
    .map((one) => one.split(';')[0]!)
    .filter((one) => !one.includes('session_token'))
    .join('; ');
}

async function reads(url: string): Promise<{ p50: number; p99: number }> {
  const { latency, non2xx, errors } = await autocannon({
    url: `${url}/api/site`,
    connections: 4,
    duration: 5,
    overallRate: readsPerSecond,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} reads failed`);
  return latency;
}
