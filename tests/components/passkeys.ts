/** What the server gets of `passkeyAnswer`. */
export const signedByPasskey = {
  id: 'AQ',
  rawId: 'AQ',
  type: 'public-key',
  response: { clientDataJSON: 'Ag', authenticatorData: 'Aw', signature: 'BA', userHandle: 'BQ' },
};

/** What a browser's `navigator.credentials.get` answers. */
export function passkeyAnswer(): Credential {
  const bytes = (value: number) => Uint8Array.of(value).buffer;
  return {
    id: 'AQ',
    rawId: bytes(1),
    type: 'public-key',
    response: {
      clientDataJSON: bytes(2),
      authenticatorData: bytes(3),
      signature: bytes(4),
      userHandle: bytes(5),
    },
    authenticatorAttachment: 'platform',
    getClientExtensionResults: () => ({}),
  } as unknown as Credential;
}
