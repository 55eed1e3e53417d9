/**
 * Names the account to password managers in forms that ask only for its password. They ignore inputs of type hidden;
 * people never meet this one.
 */
export function KnownUsername({ email }: { email: string | undefined }) {
  if (!email) return null;
  return (
    <input
      name="username"
      autoComplete="username"
      value={email}
      readOnly
      tabIndex={-1}
      aria-hidden
      className="sr-only"
    />
  );
}
