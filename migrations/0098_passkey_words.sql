-- The author key, wrapped with a secret that only the passkey derives (WebAuthn's PRF extension). Null without one.
alter table passkeys add column author_key text;

-- That passkey's wrapping key, wrapped with the session's cookie: kept from a sign-in that left the words locked, until
-- another secret opens them.
alter table sessions add column passkey_key text;
