-- A sign-up waits here until its address is confirmed: an account and its password are made only then.
create table sign_ups (
  id uuid primary key,
  -- In lower case.
  email text not null,
  name text not null,
  -- An Argon2id hash.
  password text not null,
  -- SHA-256 of what the browser that signed up keeps in a cookie, base64url.
  proof text not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index sign_ups_email on sign_ups (email);
create index sign_ups_expires_at on sign_ups (expires_at);

-- Before, anybody could give an address that isn't theirs a password. Accounts that nobody has confirmed or used lose
-- it, and whatever was begun with it; whoever has the mailbox sets another by the link that is mailed to it.
create temporary table unproven on commit drop as
  select users.id from users join profiles using (id)
   where not email_verified and last_active_at is null;
delete from credentials where user_id in (select id from unproven);
delete from second_factors where user_id in (select id from unproven);
delete from sessions where user_id in (select id from unproven);
