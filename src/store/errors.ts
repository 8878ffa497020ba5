/** The store did not answer, or holds something that is no record. Never to be taken for "nothing is there". */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
  }
}

/** A record can't be decrypted; where a key is missing, `keyId` says which one. */
export class UndecryptableError extends StoreError {
  readonly keyId: string | undefined

  constructor(message: string, keyId: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UndecryptableError'
    this.keyId = keyId
  }
}

/**
 * @param action in the infinitive, for the log: `read the audit trail`
 * @throws {StoreError} whatever `work` fails with
 */
export async function wrapErrors<T>(action: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw cause instanceof StoreError ? cause : new StoreError(`could not ${action}`, { cause })
  }
}
