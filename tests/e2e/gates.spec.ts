import { expect, forgetSession, signIn, test } from './support/fixtures.ts';

/** Client spec, section 6: who may ask for what, by a procedure that needs just that. */
const asked = {
  '/api/buckets': ['admin'],
  '/api/analytics/overview': ['admin'],
  '/api/admin/users/figures': ['admin'],
  '/api/admin/devotionals': ['admin'],
  '/api/appointments/provider-figures': ['doctor', 'pastor'],
  '/api/prayers/received': ['doctor', 'pastor'],
  '/api/me/authored-resources': ['admin', 'doctor', 'pastor'],
  '/api/prayers/counsellors': ['client'],
  '/api/appointments/client-figures?timeZone=UTC': ['client'],
  '/api/me/resources?kept=got': ['admin', 'doctor', 'pastor', 'client'],
  '/api/me/profile': ['admin', 'doctor', 'pastor', 'client'],
} as const;

test('the server decides by the table of capabilities, whatever a browser shows', async ({
  page,
  product,
}) => {
  for (const who of ['guest', 'admin', 'doctor', 'pastor', 'client'] as const) {
    await forgetSession(page);
    if (who !== 'guest') await signIn(page, who);
    for (const [path, may] of Object.entries(asked)) {
      const answer = await page.request.get(`${product.url}${path}`);
      const refusal = who === 'guest' ? 401 : 403;
      expect(answer.status(), `${who} asks ${path}`).toBe(
        (may as readonly string[]).includes(who) ? 200 : refusal,
      );
    }
  }
});
