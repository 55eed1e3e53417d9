import { beforeAll, expect, test } from 'vitest';
import { demoPassword } from '#/features/accounts/demo.ts';
import { emergencyPhrase, longestReason, shortestReason } from '#/features/messaging/rules.ts';
import { newId } from '#/platform/clock.ts';
import { pdf } from '../support/bytes.ts';
import { eventually, openLine } from '../support/lines.ts';
import { acceptedInputs, procedures, requestOf } from '../support/procedures.ts';
import { castOf, problemIn, testServer, type Cast } from '../support/server.ts';

const server = await testServer();

/** Words unique to the conversation, its subject and its file names. */
const words = /zqwords|zqsubject|zqfile/;

let cast: Cast;
let conversationId: string;
let attachmentId: string;

beforeAll(async () => {
  cast = await castOf(server);
  conversationId = newId();
  const first = { messageId: newId(), text: 'zqwords to begin with', attachmentIds: [] };
  const opened = await cast.client.send('POST', '/api/conversations', {
    body: { conversationId, withId: cast.providerId, subject: 'zqsubject', ...first },
  });
  if (opened.status !== 201) throw new Error(`no conversation was opened: ${opened.text}`);
  const query = new URLSearchParams({ conversationId, name: 'zqfile.pdf' });
  const sent = await cast.provider.send('POST', `/api/conversations/attachments?${query.toString()}`, {
    body: pdf(),
  });
  attachmentId = (sent.json as { id: string }).id;
  await cast.provider.send('POST', `/api/conversations/${conversationId}/messages`, {
    body: { messageId: newId(), text: 'zqwords again', attachmentIds: [attachmentId] },
  });
});

const asked = () => ({
  firstEmail: `${cast.clientId}@people.example`,
  secondEmail: `${cast.providerId}@people.example`,
  reason: 'Somebody is in danger tonight.',
  confirmation: emergencyPhrase,
  password: demoPassword,
});

/** Returns everything administrators can read, plus their attempts to change a conversation. */
async function everythingShown(): Promise<string[]> {
  const { admin, clientId, providerId } = cast;
  const inputs = acceptedInputs(cast);
  const shown: string[] = [];
  for (const procedure of procedures) {
    const own = procedure.name.startsWith('emergency.');
    if (own || (procedure.method !== 'GET' && !procedure.name.startsWith('messaging.'))) continue;
    const input = { ...inputs[procedure.name] };
    const forTheTwo = {
      conversationId,
      personId: clientId,
      withId: providerId,
      words: 'zqwords',
      next: undefined,
    };
    for (const [field, value] of Object.entries(forTheTwo)) if (field in input) input[field] = value;
    shown.push(`${procedure.name}: ${(await admin.send(...requestOf(procedure, input))).text}`);
  }
  for (const path of [
    `/api/conversations/attachments/${attachmentId}`,
    `/files/${attachmentId}`,
    `/api/files/${attachmentId}`,
    '/api/files?bucket=attachments',
    `/api/conversations/${conversationId}/emergency-accesses`,
  ])
    shown.push(`${path}: ${(await admin.send('GET', path)).text}`);
  return shown;
}

test('shows administrators no messages outside an emergency access', async () => {
  const { admin } = cast;
  const line = await openLine(
    { kind: 'person', id: cast.clientId, role: 'client', sessionId: '' },
    `ws://127.0.0.1:${server.port}/realtime`,
    { cookie: cast.client.cookie, origin: server.config.appUrl },
  );
  const before = await everythingShown();
  expect(before.length).toBeGreaterThan(60);
  expect(before.filter((answer) => words.test(answer))).toEqual([]);
  const opened = await admin.send('POST', '/api/emergency-access', { body: asked() });
  expect([opened.status, words.test(opened.text)]).toEqual([201, true]);
  expect((await everythingShown()).filter((answer) => words.test(answer))).toEqual([]);
  expect((await admin.send('GET', `/api/conversations/attachments/${attachmentId}`)).status).toBe(404);
  // Access is read-only.
  const message = { messageId: newId(), text: 'From above', attachmentIds: [] };
  const written = await admin.send('POST', `/api/conversations/${conversationId}/messages`, {
    body: message,
  });
  expect(problemIn(written)).toMatchObject({ code: 'not_found', reason: 'conversation' });
  await eventually(() => line.received).toContainEqual({ type: 'messages.emergency', id: conversationId });
  await line.close();
});

test('shows messages only where access was opened, until closed early', async () => {
  const { admin } = cast;
  const { json } = await admin.send('POST', '/api/emergency-access', { body: asked() });
  const { id } = json as { id: string };
  const current = await admin.send('GET', '/api/emergency-access');
  expect(words.test(current.text)).toBe(true);
  for (const who of [cast.client, cast.provider]) {
    expect(problemIn(await who.send('GET', '/api/emergency-access')).code).toBe('forbidden');
    expect(problemIn(await who.send('POST', '/api/emergency-access', { body: asked() })).code).toBe(
      'forbidden',
    );
    const closing = await who.send('POST', `/api/emergency-access/${id}/close`, { body: {} });
    expect(problemIn(closing).code).toBe('forbidden');
    const told = await who.send('GET', `/api/conversations/${conversationId}/emergency-accesses`);
    expect((told.json as unknown[]).length).toBe(2);
    expect(told.text).not.toMatch(/danger|zq/);
  }
  const stranger = cast.otherClient;
  const asking = await stranger.send('GET', `/api/conversations/${conversationId}/emergency-accesses`);
  expect(problemIn(asking)).toMatchObject({ code: 'not_found', reason: 'conversation' });
  expect((await admin.send('POST', `/api/emergency-access/${id}/close`, { body: {} })).status).toBe(200);
  const again = await admin.send('POST', `/api/emergency-access/${id}/close`, { body: {} });
  expect(problemIn(again)).toMatchObject({ code: 'not_found', reason: 'emergency_access' });
});

test('limits the reason’s length as in its form', async () => {
  const refusedWith = async (length: number) => {
    const body = { ...asked(), reason: 'x'.repeat(length), confirmation: 'no' };
    const problem = problemIn(await cast.admin.send('POST', '/api/emergency-access', { body }));
    return problem.fields.map(({ field }) => field);
  };
  expect(await refusedWith(shortestReason - 1)).toEqual(['reason']);
  expect(await refusedWith(shortestReason)).toEqual(['confirmation']);
  expect(await refusedWith(longestReason)).toEqual(['confirmation']);
  expect(await refusedWith(longestReason + 1)).toEqual(['reason']);
});

test('logs no names or reasons', () => {
  expect(server.log.join('\n')).not.toMatch(/zq|danger|people\.example/);
});
