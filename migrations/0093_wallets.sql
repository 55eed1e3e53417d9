-- Wallets, which sign in by a signed message (EIP-4361), are linked identities of the provider 'web3'.
alter table program_sign_ins
  drop constraint program_sign_ins_method_check,
  add constraint program_sign_ins_method_check check (method in ('password', 'otp', 'recovery', 'oauth', 'web3'));

alter table program_sessions
  drop constraint program_sessions_method_check,
  add constraint program_sessions_method_check check (method in ('password', 'otp', 'recovery', 'oauth', 'web3'));
