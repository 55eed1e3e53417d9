-- Sign-ins that return to the program with a code, after an emailed link or a provider (PKCE, RFC 7636).
alter table program_sign_ins
  -- Not yet known on the way to a provider, or while a sign-up isn't confirmed.
  alter column user_id drop not null,
  drop constraint program_sign_ins_method_check,
  add constraint program_sign_ins_method_check check (method in ('password', 'otp', 'recovery', 'oauth')),
  -- SHA-256 of what only the program knows, base64url. Null once it waits for its second factor.
  add column challenge text,
  -- One of PROGRAM_REDIRECTS.
  add column redirect text,
  -- SHA-256 of the code, base64url. Null until the link was followed, or the provider answered.
  add column code text unique,
  add column sign_up_id uuid references sign_ups on delete cascade,
  add column identity_id uuid references linked_identities on delete cascade;

-- The program's sign-in that the provider's answer goes to; null for a browser's own. No reference: both end in minutes.
alter table openid_requests add column sign_in_id uuid;

alter table program_sessions
  drop constraint program_sessions_method_check,
  add constraint program_sessions_method_check check (method in ('password', 'otp', 'recovery', 'oauth')),
  -- Until when a new password needs no other proof, once; null unless it began with a recovery link.
  add column recovers_until timestamptz;

create index program_sign_ins_sign_up on program_sign_ins (sign_up_id);
create index program_sign_ins_identity on program_sign_ins (identity_id);
