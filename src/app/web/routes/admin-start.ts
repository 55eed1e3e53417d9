import { redirect } from 'react-router';
import { can } from '#/features/access/rules.ts';
import { pageRequest } from '../contexts.ts';
import type { Route } from './+types/admin-start.ts';

/** Leads administrators to their overview, and everyone else to the access check. */
export async function loader({ context }: Route.LoaderArgs) {
  const viewer = await context.get(pageRequest).api.accounts.me();
  return redirect(can(viewer?.role ?? null, 'access_admin_panel') ? '/home' : '/admin/settings');
}
