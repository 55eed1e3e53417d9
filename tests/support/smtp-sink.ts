import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';

export interface MimePart {
  /** Unfolded header lines by lower-case name. */
  headers: Map<string, string>;
  /** The content type without its parameters. */
  type: string;
  body: string;
  parts: MimePart[];
}

interface ReceivedMail extends MimePart {
  from: string;
  to: string[];
}

export interface SmtpSink {
  url: string;
  mails: ReceivedMail[];
  /**
   * Failures for the next deliveries, one each: a reply code, or `drop` to hang up unanswered. Failed emails aren't
   * kept.
   */
  failures: ('451' | '550' | '552' | '554' | 'drop')[];
  connections(): number;
  close(): Promise<void>;
}

/** Starts a minimal SMTP server (RFC 5321) on a free loopback port; answers each email after `answerMs`. */
export async function openSmtpSink({ answerMs = 0 } = {}): Promise<SmtpSink> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const sink: Pick<SmtpSink, 'mails' | 'failures'> = { mails: [], failures: [] };
  const server = createServer((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    let received = '';
    let envelope = { from: '', to: [] as string[] };
    let data = false;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const finish = (content: string) => {
      const failure = sink.failures.shift();
      if (failure === 'drop') return socket.destroy();
      if (failure) return say(`${failure} ${envelope.to.join()} not now`);
      sink.mails.push({ ...envelope, ...mimePart(content) });
      return setTimeout(say, answerMs, '250 kept');
    };
    say('220 sink');
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      received += chunk;
      for (;;) {
        const end = received.indexOf(data ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const line = received.slice(0, end);
        received = received.slice(end + (data ? 5 : 2));
        if (data) {
          data = false;
          finish(line.replace(/^\.\./gm, '.'));
        } else if (/^EHLO/i.test(line)) say('250 sink');
        else if (/^MAIL/i.test(line)) {
          envelope = { from: addressIn(line), to: [] };
          say('250 ok');
        } else if (/^RCPT/i.test(line)) {
          envelope.to.push(addressIn(line));
          say('250 ok');
        } else if (/^DATA/i.test(line)) {
          data = true;
          say('354 go on');
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
        else say('502 no');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return {
    ...sink,
    connections: () => connections,
    url: `smtp://127.0.0.1:${address.port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? '';
}

/** Parses a MIME entity (RFC 2045, 2046) from latin1-decoded bytes. */
function mimePart(source: string): MimePart {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers = new Map(
    head
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map(
        (line) =>
          [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()] as const,
      ),
  );
  const contentType = headers.get('content-type') ?? 'text/plain';
  const body = rest.join('\r\n\r\n');
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  const parts = boundary
    ? `\r\n${body}`
        .split(`\r\n--${boundary}`)
        .slice(1, -1)
        .map((part) => mimePart(part.replace(/^\r\n/, '')))
    : [];
  const type = contentType.split(';')[0]!.trim();
  return {
    headers,
    type,
    parts,
    body: boundary ? '' : decoded(body, headers.get('content-transfer-encoding') ?? '7bit'),
  };
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return Buffer.from(body, 'latin1').toString('utf8');
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
