-- Identities that a program connects: the sign-in of `sign_in_id` then belongs to a session, and ends with it.
alter table program_sign_ins add column session_id uuid references sessions on delete cascade;
create index program_sign_ins_session on program_sign_ins (session_id);

-- Each leads to a provider once.
create unique index openid_requests_sign_in on openid_requests (sign_in_id);
