import { useState } from 'react';
import { useApi } from '#/web/api.tsx';
import type { ResourceContent } from '../contract.ts';

type FileContent = Extract<ResourceContent, { form: 'file' }>;

/** The way to a resource's file, for as long as it lasts. */
export interface FileLink {
  url: string;
  /** Whether it opens nothing any more, by how long it has been here: clocks of people's machines may be wrong. */
  hasExpired(): boolean;
  /** Asks for another one, and says it. */
  renew(): Promise<string>;
}

/** The link to a resource's file as it came with the page, or as it was asked for since. */
export function useFileLink(resourceId: string, content: FileContent): FileLink {
  const api = useApi();
  const [{ given, link, from }, setLink] = useState(() => came(content, content));
  // The page was loaded anew.
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
