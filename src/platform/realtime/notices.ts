/**
 * Notifies browsers of changes by id; they fetch the data themselves. `data` carries unsaved state, such as typing
 * indicators.
 */
export interface RealtimeMessage {
  type: string;
  id: string;
  data?: unknown;
}

export interface Notice {
  topics: string[];
  /** Null closes the sockets: signed out. */
  message: RealtimeMessage | null;
}

/** Several notices in one payload. The number is unique, because PostgreSQL drops duplicates within a transaction. */
interface Pack {
  number: string;
  notices: Notice[];
}

/** In bytes; PostgreSQL's limit is just under 8,000. */
const longest = 7_900;
/** Maximum wait for a long notice's remaining parts, in milliseconds; normally they arrive together. */
const patience = 10_000;

/** Serializes a notice as ASCII JSON, so string length equals bytes and any split is safe. */
export function serializeNotice(notice: Notice): string {
  return JSON.stringify(notice).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function payloadsOf(notice: Notice, id: () => string): string[] {
  return partsOf(serializeNotice(notice), id);
}

/** Packs serialized notices into as few payloads as fit, in order. `id` must return a new value per call. */
export function packNotices(notices: readonly string[], id: () => string): string[] {
  const payloads: string[] = [];
  let pack: string[] = [];
  let length = 0;
  const close = () => {
    if (pack.length > 0) payloads.push(...partsOf(`{"number":"${id()}","notices":[${pack.join(',')}]}`, id));
    [pack, length] = [[], 0];
  };
  for (const text of notices) {
    // Reserves room for the surrounding JSON.
    if (length + text.length > longest - 100) close();
    pack.push(text);
    length += text.length + 1;
  }
  close();
  return payloads;
}

/** Creates a reader that reassembles long notices; incomplete ones are dropped after a timeout. */
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
