import { m } from '#/texts/messages.js';
import { Portal } from '../admin/portal.tsx';
import { unlisted } from '../page-meta.ts';

export const meta = unlisted(m.admin_title);

export default Portal;
