import { useState } from 'react';
import { api } from '#/web/api.tsx';
import type { ResourceContent } from '../library/contract.ts';

type FileContent = Extract<ResourceContent, { form: 'file' }>;

/** A temporary signed link. */
export interface FileLink {
  url: string;
  /** Measured by elapsed time since load, because client clocks may be wrong. */
  hasExpired(): boolean;
  renew(): Promise<string>;
}

export function useFileLink(resourceId: string, content: FileContent): FileLink {
  const [{ given, link, from }, setLink] = useState(() => came(content, content));
  // The page reloaded its data.
  if (given !== content) setLink(came(content, content));
  return {
    url: link.url,
    hasExpired: () => Date.now() >= from + link.seconds * 1_000,
    renew: async () => {
      const fresh = await api.resources.content.call({ resourceId });
      if (fresh.form !== 'file') throw new Error('the resource has no file any more');
      setLink(came(content, fresh));
      return fresh.url;
    },
  };
}

function came(given: FileContent, link: FileContent) {
  return { given, link, from: Date.now() };
}
