/**
 * What travels to browsers: that something changed, and its id; they fetch it themselves. `data` goes with what is
 * nowhere stored, such as who is typing.
 */
export interface RealtimeMessage {
  type: string;
  id: string;
  data?: unknown;
}

/** What travels between processes. */
export interface Notice {
  topics: string[];
  /** Null: the sockets are closed, since who opened them is signed in no more. */
  message: RealtimeMessage | null;
}

/** Several notices on one way. The number keeps PostgreSQL from taking two that read the same for one. */
interface Pack {
  number: string;
  notices: Notice[];
}

/** The longest payload of a notice, in bytes: PostgreSQL takes less than 8,000. */
const longest = 7_900;
/** How long the rest of a long notice is waited for, in milliseconds: its parts come one right after the other. */
const patience = 10_000;

/** A notice in JSON in which each character is one byte, so that it can be measured and cut anywhere. */
export function written(notice: Notice): string {
  return JSON.stringify(notice).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The payloads of one notice: `id` names it where it is too long for one and travels in parts. */
export function payloadsOf(notice: Notice, id: () => string): string[] {
  return partsOf(written(notice), id);
}

/** The payloads of many written notices: as many as fit into each, in their order. `id` gives another one each time. */
export function packsOf(notices: readonly string[], id: () => string): string[] {
  const payloads: string[] = [];
  let pack: string[] = [];
  let length = 0;
  const close = () => {
    if (pack.length > 0) payloads.push(...partsOf(`{"number":"${id()}","notices":[${pack.join(',')}]}`, id));
    [pack, length] = [[], 0];
  };
  for (const text of notices) {
    // What stands around the notices of a pack takes some bytes, too.
    if (length + text.length > longest - 100) close();
    pack.push(text);
    length += text.length + 1;
  }
  close();
  return payloads;
}

/** Reads payloads as they come; a long notice is answered once all its parts are there, and a part left alone is forgotten. */
export function noticeReader(forgetMs = patience): (payload: string) => Notice[] {
  const begun = new Map<string, { parts: string[]; missing: number; timer: NodeJS.Timeout }>();
  return (payload) => {
    const part = /^#([^/]+)\/(\d+)\/(\d+)\//.exec(payload);
    if (!part) return noticesIn(payload);
    const [head, id, index, count] = part as unknown as [string, string, string, string];
    const whole = begun.get(id) ?? {
      parts: [],
      missing: Number(count),
      timer: setTimeout(() => begun.delete(id), forgetMs).unref(),
    };
    begun.set(id, whole);
    whole.parts[Number(index)] = payload.slice(head.length);
    if (--whole.missing > 0) return [];
    clearTimeout(whole.timer);
    begun.delete(id);
    return noticesIn(whole.parts.join(''));
  };
}

function noticesIn(text: string): Notice[] {
  const read = JSON.parse(text) as Notice | Pack;
  return 'notices' in read ? read.notices : [read];
}

function partsOf(text: string, id: () => string): string[] {
  if (text.length <= longest) return [text];
  const [name, size] = [id(), longest - 100];
  const count = Math.ceil(text.length / size);
  return Array.from(
    { length: count },
    (_, index) => `#${name}/${index}/${count}/${text.slice(index * size, (index + 1) * size)}`,
  );
}
