import { setNonce } from 'get-nonce';
import { startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { fetchPatiently } from '#/web/network.ts';
import { PageHeadContext } from './page-head.ts';

const sheet = document.querySelector<HTMLStyleElement>('head style[nonce]');
const nonce = sheet?.nonce ?? '';
// What adds style elements later (the dialogs' scroll lock) reads the nonce here.
if (nonce) setNonce(nonce);
// When a page fails, React writes the head anew: it then needs what stands in it.
const head = { nonce, css: sheet?.textContent ?? '', requestId: '' };

startTransition(() => {
  hydrateRoot(
    document,
    <PageHeadContext value={head}>
      <HydratedRouter unstable_fetch={fetchPatiently} />
    </PageHeadContext>,
  );
});
