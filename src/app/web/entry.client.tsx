import { setNonce } from 'get-nonce';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { fetchWithRetry } from '#/web/network.ts';
import { PageHeadContext } from './page-head.ts';

const sheet = document.querySelector<HTMLStyleElement>('head style[nonce]');
const nonce = sheet?.nonce ?? '';
// Dialog scroll locking adds style elements later and needs the nonce.
if (nonce) setNonce(nonce);
// When a page crashes, React re-renders the head and needs its contents.
const head = { nonce, css: sheet?.textContent ?? '', script: '', showOwnZone: '', requestId: '' };

startTransition(() => {
  hydrateRoot(
    document,
    <PageHeadContext value={head}>
      <HydratedRouter unstable_fetch={fetchWithRetry} />
    </PageHeadContext>,
  );
});
