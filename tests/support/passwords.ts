import { hashPassword } from '#/platform/password-hash.ts';

export async function hashOf(password: string): Promise<string> {
  return (await hashPassword(password)).hash;
}
