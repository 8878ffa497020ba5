/** The store did not answer, or doesn't keep what it is given. Never to be taken for "nothing is there". */
export class StoreError extends Error {
  override readonly name = this.constructor.name
}

/** This process can't use the database at all. The message is one sentence for whoever started it. */
export class UnusableStoreError extends StoreError {}

/** A record can't be decrypted; where a key is missing, `keyId` says which one. */
export class UndecryptableError extends StoreError {
  readonly keyId: string | undefined

  constructor(message: string, keyId: string | undefined, options?: ErrorOptions) {
    super(message, options)
    this.keyId = keyId
  }
}

/** For whoever only describes a record: one that can't be decrypted counts as absent. */
export const whereReadable = <T>(reading: Promise<T | undefined>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof UndecryptableError) return undefined
    throw error
  })
