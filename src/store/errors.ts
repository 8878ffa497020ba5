/** The database failed, or a record is unreadable. Never to be treated as "there is no record". */
export class StoreError extends Error {
  override readonly name = this.constructor.name
}

/** This process can't use the database at all. The message is for the operator. */
export class UnusableStoreError extends StoreError {}

/** A record exists but can't be decrypted or parsed. */
export class UnreadableRecordError extends StoreError {}

/** True for an `UnreadableRecordError` and errors that it caused. The record may be readable once its key is back. */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof UnreadableRecordError) return true
  return error instanceof Error && isUnreadable(error.cause)
}

/** Resolves to `undefined` for an unreadable record: for readers that fail open, or that merely describe a record. */
export const whereReadable = <T>(reading: Promise<T | undefined>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof UnreadableRecordError) return undefined
    throw error
  })
