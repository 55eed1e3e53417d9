import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { SmsConfig } from '#/platform/sms-config.ts';

/** A provider with Twilio's API on this machine. */
export interface TestSms {
  config: SmsConfig;
  sent: { to: string; from: string; body: string }[];
  /** Digits of the newest code texted to a number. */
  codeTo(number: string): string;
  /** Answers like this until it's null again. */
  fails: { status: number; body: string; headers?: Record<string, string>; delay?: number } | null;
  close(): Promise<void>;
}

export async function openTestSms(more: Partial<SmsConfig> = {}): Promise<TestSms> {
  const server = createServer((request, response) => {
    void (async () => {
      const form = new URLSearchParams(await text(request));
      const basic = `Basic ${Buffer.from('AC1:kept-between-the-two').toString('base64')}`;
      const found = request.method === 'POST' && request.url === '/2010-04-01/Accounts/AC1/Messages.json';
      if (!found || request.headers.authorization !== basic) {
        response.writeHead(found ? 401 : 404).end(JSON.stringify({ code: found ? 20003 : 20404 }));
        return;
      }
      if (sms.fails) {
        const { status, body, headers = {}, delay = 0 } = sms.fails;
        setTimeout(() => response.writeHead(status, headers).end(body), delay).unref();
        return;
      }
      sms.sent.push({ to: form.get('To')!, from: form.get('From')!, body: form.get('Body')! });
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"sid":"SM1","status":"queued"}');
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sms: TestSms = {
    config: {
      base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      sid: 'AC1',
      token: 'kept-between-the-two',
      from: '+15005550006',
      countries: ['US', 'CA'],
      perDay: 500,
      ...more,
    },
    sent: [],
    codeTo: (number) =>
      /^\d{6}/.exec(sms.sent.findLast(({ to }) => to === number)?.body ?? '')?.[0] ?? 'no code was texted',
    fails: null,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return sms;
}
