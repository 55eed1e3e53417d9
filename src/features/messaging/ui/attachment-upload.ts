import { useEffect, useRef, useState } from 'react';
import { m } from '#/texts/messages.js';
import { upload, type Upload } from '#/web/upload.ts';
import type { Attachment } from '../attachments/contract.ts';
import { largestAttachment, mostAttachments } from './attachment-limits.ts';
import { mayRetry, uploadFailureText } from './attachment-texts.ts';

/** A file that was chosen for the message that is being written. */
export interface Chosen {
  key: string;
  conversationId: string;
  file: File;
  /** How much has gone, from 0 to 1. */
  sent: number;
  /** Once the server has it. */
  attachment: Attachment | null;
  /** Why it wasn't taken, in a sentence. */
  failure: string | null;
  /** Whether trying again may help. */
  again: boolean;
}

/** The files of the message that is being written. */
export interface Attachments {
  chosen: readonly Chosen[];
  /** What the server has, to be sent with the message. */
  ready: readonly Attachment[];
  /** Whether one is still on its way. */
  busy: boolean;
  /** Why some weren't added, in a sentence. */
  problem: string | null;
  /** What has just happened, for the ear. */
  told: string;
  add(files: Iterable<File>): void;
  retry(key: string): void;
  /** Takes one out; while it is on its way, stops that. */
  remove(key: string): void;
  /** Empties the list, once the message with them is on its way. */
  clear(): void;
  /** Takes the button that adds files: there the focus goes when what had it is gone. */
  setButton(button: HTMLButtonElement | null): void;
  toButton(): void;
}

/** Uploads files for a conversation as soon as they are chosen; whoever leaves the page stops what is under way. */
export function useAttachments(conversationId: string): Attachments {
  const [all, setAll] = useState<readonly Chosen[]>([]);
  const chosen = all.filter((one) => one.conversationId === conversationId);
  const [problem, setProblem] = useState<{ conversationId: string; text: string } | null>(null);
  const [told, setTold] = useState('');
  const running = useRef(new Map<string, Upload<Attachment>>());
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const uploads = running.current;
    return () => {
      for (const one of uploads.values()) one.cancel();
    };
  }, []);

  const change = (key: string, changes: Partial<Chosen>) =>
    setAll((before) => before.map((one) => (one.key === key ? { ...one, ...changes } : one)));
  const send = async ({ key, file }: Pick<Chosen, 'key' | 'file'>) => {
    const query = new URLSearchParams({ conversationId, name: file.name });
    const path = `/api/conversations/attachments?${query.toString()}`;
    const one = upload<Attachment>(path, file, largestAttachment, (sent) => change(key, { sent }));
    running.current.set(key, one);
    try {
      change(key, { attachment: await one.done, sent: 1 });
      setTold(m.messaging_file_ready({ name: file.name }));
    } catch (error) {
      // Whoever stopped it needn't be told.
      if (!(error instanceof DOMException))
        change(key, { failure: uploadFailureText(error), again: mayRetry(error) });
    } finally {
      running.current.delete(key);
    }
  };

  return {
    chosen,
    ready: chosen.flatMap(({ attachment }) => attachment ?? []),
    busy: chosen.some(({ attachment, failure }) => !attachment && failure === null),
    problem: problem?.conversationId === conversationId ? problem.text : null,
    told,
    setButton: (element) => {
      button.current = element;
    },
    toButton: () => button.current?.focus(),
    add(files) {
      const wanted = [...files];
      const taken = wanted.slice(0, mostAttachments - chosen.length);
      const left = wanted.length - taken.length;
      setProblem(left === 0 ? null : { conversationId, text: leftOutText(left) });
      const added = taken.map((file): Chosen => {
        const key = crypto.randomUUID();
        return { key, conversationId, file, sent: 0, attachment: null, failure: null, again: false };
      });
      setAll((before) => [...before, ...added]);
      for (const one of added) void send(one);
    },
    retry(key) {
      const one = chosen.find((each) => each.key === key);
      if (!one || running.current.has(key)) return;
      change(key, { failure: null, sent: 0 });
      void send(one);
    },
    remove(key) {
      running.current.get(key)?.cancel();
      const name = chosen.find((one) => one.key === key)?.file.name;
      if (name !== undefined) setTold(m.messaging_file_removed({ name }));
      setProblem(null);
      setAll((before) => before.filter((one) => one.key !== key));
      button.current?.focus();
    },
    clear() {
      setAll((before) => before.filter((one) => one.conversationId !== conversationId));
      setProblem(null);
      setTold('');
    },
  };
}

function leftOutText(left: number): string {
  const count = mostAttachments;
  return left === 1 ? m.messaging_file_too_many_one({ count }) : m.messaging_file_too_many({ count, left });
}
