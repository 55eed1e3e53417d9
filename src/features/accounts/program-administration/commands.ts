import { AppError, invalidField } from '#/kernel/errors.ts';
import type { Ctx } from '#/platform/context.ts';
import { parseBody } from '#/platform/http/json-body.ts';
import { requireOwnFactor } from '../program-factors/policies.ts';
import { programFactors } from '../program-sessions/queries.ts';
import type { ListedUser, OpenedUser } from '../users/contract.ts';
import { administrationInputs, type Administration } from './contract.ts';

interface AdministrationCall {
  /** The administrator's context. */
  ctx: Ctx;
  api: Administration;
  appUrl: string;
  body: unknown;
  query: URLSearchParams;
  /** The user's. */
  id: string;
  /** The factor's. */
  partId: string;
}

export type AdministrationRoute = (call: AdministrationCall) => Promise<unknown>;

/** People sign up and confirm their addresses themselves. */
const refused: AdministrationRoute = () => Promise.reject(new AppError('invalid', 'own_sign_up'));

/** Administrators' calls, by the procedures of their pages. */
export const administrationRoutes = {
  'GET /admin/users': listUsers,
  'GET /admin/users/:id': async ({ api, id }) => administeredUser(await api.directory.open({ userId: id })),
  'PUT /admin/users/:id': changeUser,
  'DELETE /admin/users/:id': removeUser,
  'GET /admin/users/:id/factors': async ({ ctx, api, id }) => {
    await api.directory.open({ userId: id });
    return programFactors(ctx, id);
  },
  'DELETE /admin/users/:id/factors/:id': resetFactor,
  'POST /admin/users': refused,
  'POST /invite': refused,
  'POST /admin/generate_link': refused,
} satisfies Record<string, AdministrationRoute>;

/** A user as `@supabase/auth-js` has it. */
function administeredUser(user: ListedUser & Partial<Pick<OpenedUser, 'emailVerified'>>): object {
  return {
    id: user.id,
    aud: 'authenticated',
    role: user.role,
    email: user.email,
    ...(user.emailVerified ? { email_confirmed_at: user.joinedAt } : {}),
    // Suspensions have no end.
    ...(user.status === 'suspended' ? { banned_until: '9999-12-31T23:59:59Z' } : {}),
    app_metadata: {},
    user_metadata: { full_name: user.name },
    created_at: user.joinedAt,
  };
}

/** Newest first. Headers count users and link pages. */
async function listUsers({ api, appUrl, query }: AdministrationCall): Promise<Response> {
  const { page, per_page: limit } = parseBody(administrationInputs.page, Object.fromEntries(query));
  const skip = (page - 1) * limit;
  const { users } = await api.directory.list({ order: 'joined', descending: true, skip, limit });
  const { users: total } = await api.directory.figures();
  const last = Math.max(1, Math.ceil(total / limit));
  const linkTo = (to: number, rel: string) =>
    `<${appUrl}/auth/v1/admin/users?page=${to}&per_page=${limit}>; rel="${rel}"`;
  const links = [...(page < last ? [linkTo(page + 1, 'next')] : []), linkTo(last, 'last')];
  const body = { users: users.map(administeredUser), aud: 'authenticated' };
  return Response.json(body, { headers: { 'x-total-count': String(total), link: links.join(', ') } });
}

/**
 * Changes name and email, the role, or the suspension: one act, as on the administrators' page. Throws invalid
 * `not_administered` for other fields, `one_act` for several acts, and like the act's procedure.
 */
async function changeUser({ api: { directory }, id: userId, body }: AdministrationCall): Promise<object> {
  const before = await directory.open({ userId });
  const { shape } = administrationInputs.change;
  const foreign = Object.keys(body as object).find((field) => !Object.hasOwn(shape, field));
  if (foreign !== undefined) throw invalidField(foreign, 'not_administered');
  const sent = parseBody(administrationInputs.change, body);
  const { user_metadata: metadata, email, role, ban_duration: ban } = sent;
  const edits = metadata !== undefined || email !== undefined;
  if ([edits, role !== undefined, ban !== undefined].filter(Boolean).length > 1)
    throw new AppError('invalid', 'one_act');
  const change = () => {
    if (role !== undefined) return directory.changeRole({ userId, from: before.role, to: role });
    if (ban === 'none') return directory.reactivate({ userId });
    if (ban !== undefined) return directory.suspend({ userId, reason: 'other' });
    const { version, name, email: address } = before;
    const edit = { userId, version, fullName: metadata?.full_name ?? name, email: email ?? address };
    return edits ? directory.edit(edit) : before;
  };
  return administeredUser({ ...before, ...(await change()) });
}

/** At once; the id replaces retyping the address. */
async function removeUser({ api: { directory }, id: userId, body }: AdministrationCall): Promise<object> {
  const { email } = await directory.open({ userId });
  parseBody(administrationInputs.remove, body);
  await directory.remove({ userId, email });
  return {};
}

/** Throws not_found `person` or `second_factor`. */
async function resetFactor({ ctx, api, id, partId }: AdministrationCall): Promise<object> {
  await api.directory.open({ userId: id });
  await requireOwnFactor(ctx, id, partId);
  await api.secondFactor.reset({ id });
  return { id: partId };
}
