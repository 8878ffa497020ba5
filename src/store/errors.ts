/** The store did not answer, or holds something that is no record. Never to be taken for "nothing is there". */
export class StoreError extends Error {
  override readonly name = this.constructor.name
}

/** A record can't be decrypted; where a key is missing, `keyId` says which one. */
export class UndecryptableError extends StoreError {
  readonly keyId: string | undefined

  constructor(message: string, keyId: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.keyId = keyId
  }
}
